// SPDX-License-Identifier: Apache-2.0
// Any bytes as a deflated stream of which only the front is wanted: four that
// say how it is asked for, then the stream. The rule is front_rule.h's;
// besides, a legal stream with enough behind it has to be taken on.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "classfile/archive/front_inflater.h"
#include "classfile/archive/inflate.h"
#include "tests/support/front_rule.h"

namespace {

using namespace rejig;

constexpr std::size_t kMost = std::size_t{1} << 16;
constexpr std::size_t kEnoughBehind = 40;

void must(bool truth, const std::string& what) {
  if (truth) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

// Steps of up to `step` bytes, now and then one back.
std::vector<std::size_t> steps_of(std::size_t size, std::size_t step) {
  std::vector<std::size_t> out;
  std::size_t n = step;
  for (std::size_t at = 0; at < size; at += 1 + n % step) {
    out.push_back(at);
    n = n * 29 + 7;
    if (n % 16 == 0) out.push_back(at / 2);
  }
  out.push_back(size);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  constexpr std::size_t kHead = 4;
  if (size < kHead) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + kHead,
                                size - kHead);
  const std::string behind(data[0] % 64, static_cast<char>(data[1]));
  const auto lie = static_cast<signed char>(data[2]);
  const auto slow = test::slow_inflate(stream, kMost);
  const std::size_t truth = slow.bytes.size();
  // Of a bomb the slow inflater says no more than that.
  const auto said = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
      static_cast<std::ptrdiff_t>(truth) + lie, 0, std::ptrdiff_t{kMost}));
  const auto steps = steps_of(said, std::size_t{1} << data[3] % 14);

  test::FrontOf<classfile::FrontInflater> own;
  const auto other = test::portable_front();
  for (test::AnyFront* front :
       {static_cast<test::AnyFront*>(&own), other.get()}) {
    const auto verdict =
        test::ask_front(*front, stream, behind, said, steps, slow);
    must(verdict.complaint.empty(), verdict.complaint);
    must(verdict.whole || !slow.ended || said != truth ||
             behind.size() < kEnoughBehind,
         "a legal stream is taken on");
  }
  if (!slow.ended) return 0;
  base::Buffer buffer;
  const auto whole =
      classfile::inflate(std::as_bytes(std::span(stream.data(), stream.size())),
                         truth, buffer, classfile::Wrapper::kRaw, 0);
  must(whole.ok(), "a legal stream is inflated");
  must(std::string_view(reinterpret_cast<const char*>(whole->data()),
                        whole->size()) == slow.bytes,
       "both inflaters say the same");
  return 0;
}
