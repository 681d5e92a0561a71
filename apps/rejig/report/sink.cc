// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/sink.h"

#include <algorithm>
#include <vector>

namespace rejig::app {

void write_each(Sink& out, base::ThreadPool& pool, std::size_t n,
                const std::function<std::string(std::size_t)>& text_of) {
  constexpr std::size_t kPiece = 256;
  const std::size_t wave = kPiece * 8 * pool.workers();
  std::vector<std::string> texts;
  for (std::size_t from = 0; from < n; from += wave) {
    const std::size_t some = std::min(wave, n - from);
    texts.assign((some + kPiece - 1) / kPiece, "");
    pool.for_ranges(some, kPiece,
                    [&](unsigned, std::size_t begin, std::size_t end) {
                      std::string& text = texts[begin / kPiece];
                      for (std::size_t i = begin; i < end; ++i)
                        text += text_of(from + i);
                    });
    for (const auto& text : texts) out.write(text);
  }
}

}  // namespace rejig::app
