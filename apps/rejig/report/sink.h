// SPDX-License-Identifier: Apache-2.0
// Where does the text of an answer go? To standard output (cli/output.h), or
// into a string of whoever embeds the library.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "classfile/base/parallel.h"

namespace rejig::app {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view text) = 0;
};

class StringSink : public Sink {
 public:
  void write(std::string_view text) override { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// text_of(0), text_of(1), … to text_of(n - 1), made on all cores.
void write_each(Sink& out, base::ThreadPool& pool, std::size_t n,
                const std::function<std::string(std::size_t)>& text_of);

}  // namespace rejig::app
