// SPDX-License-Identifier: Apache-2.0
// What does this JSON text say (RFC 8259)? A strict pull reader over text in
// memory with sticky failure: after the first error every question is answered
// with false, and what() and offset() say what was wrong where. Strings come
// out as modified UTF-8, as names are kept everywhere inside. Nesting is
// bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace rejig::coverage {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  // Each calls back once a member or element; the callback must read the value.
  // A member that occurs twice is an error.
  bool object(const std::function<void(std::string_view key)>& member);
  bool array(const std::function<void()>& element);
  bool text(std::string& out);
  bool integer(std::uint64_t& out);
  // A number of any form; `out` is its nearest double.
  bool number(double& out);
  bool boolean(bool& out);
  // Reads any value.
  bool skip();
  // '{', '[', '"', 't', 'f', 'n', a digit or '-'; '\0' at the end.
  char peek();
  // Nothing but blanks is left.
  bool end();

  bool failed() const { return failed_; }
  const std::string& what() const { return what_; }
  std::size_t offset() const { return failed_ ? failed_at_ : at_; }
  // For errors of the caller: the value that was read last was not acceptable.
  bool reject(std::string what);

 private:
  static constexpr unsigned kDeepest = 64;

  bool fail(std::string what);
  bool expect(char c);
  bool escape(std::string& out);
  bool hex4(unsigned& unit);
  bool utf8(std::string& out);
  bool number_text(std::string_view& out);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t value_at_ = 0;  // where the value that was read last began
  std::size_t failed_at_ = 0;
  unsigned depth_ = 0;
  bool failed_ = false;
  std::string what_;
};

}  // namespace rejig::coverage
