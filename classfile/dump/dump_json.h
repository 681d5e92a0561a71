// SPDX-License-Identifier: Apache-2.0
// How is a line of the dump written? Private to classfile/: keys in the order
// they are added, text escaped as the format says.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "classfile/reader/annotations.h"
#include "classfile/reader/class_view.h"
#include "classfile/reader/modified_utf8.h"

namespace rejig::classfile {

inline void append_number(std::string& out, std::int64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, static_cast<std::size_t>(end - text));
}
// `digits` lower-case hex digits.
void append_hex(std::string& out, std::uint64_t value, unsigned digits);
// "…", from raw modified UTF-8.
void append_quoted(std::string& out, std::string_view modified);
// "…", from the name of an entry: UTF-8, or bytes that are none.
void append_quoted_entry(std::string& out, std::string_view name);

class JsonLine {
 public:
  // `head`: keys that many lines share, written already (",\"in\":…").
  JsonLine(std::string& out, std::string_view type, std::string_view head)
      : out_(out) {
    out_ += "{\"type\":\"";
    out_ += type;
    out_ += '"';
    out_ += head;
  }
  ~JsonLine() { out_ += "}\n"; }
  JsonLine(const JsonLine&) = delete;
  JsonLine& operator=(const JsonLine&) = delete;

  void text(std::string_view key, std::string_view modified) {
    append_quoted(at(key), modified);
  }
  void text_or_null(std::string_view key, std::string_view modified,
                    bool there) {
    if (there) {
      text(key, modified);
    } else {
      null(key);
    }
  }
  void number(std::string_view key, std::int64_t value) {
    append_number(at(key), value);
  }
  void flag(std::string_view key, bool value) {
    at(key) += value ? "true" : "false";
  }
  void null(std::string_view key) { at(key) += "null"; }
  // For a value that the caller appends.
  std::string& at(std::string_view key) {
    out_ += ",\"";
    out_ += key;
    out_ += "\":";
    return out_;
  }

 private:
  std::string& out_;
};

// Constants of one line longer than this are a class that lies: 4,096 condys of
// 65,535 arguments each would be 10 GB from a file of 130 KB.
inline constexpr std::size_t kLongestConstants = std::size_t{64} << 20;
// All lines of one class file. An honest one has 300 MB: groovy's ArrayUtil
// repeats descriptors of 255 parameters on 126,560 lines.
inline constexpr std::size_t kLargestClassText = std::size_t{2} << 30;

// CONST and HANDLE of the format; one printer a line, because the number of
// condys that a line may expand is bounded.
class ConstPrinter {
 public:
  ConstPrinter(std::string& out, const ClassView& cls)
      : out_(out), cls_(cls), limit_(out.size() + kLongestConstants) {}
  void constant(std::uint16_t index);
  void handle(std::uint16_t index);
  void list(const std::vector<std::uint16_t>& indices);
  // The line was given up; what stands there is not complete.
  bool gave_up() const { return gave_up_; }

 private:
  static constexpr unsigned kMostCondys = 4096;
  std::string& out_;
  const ClassView& cls_;
  std::size_t limit_;  // of out_; a list ends early behind it
  unsigned condys_ = 0;
  bool gave_up_ = false;
};

// VALUE, and {"desc":…,"values":{…}}.
void append_value(std::string& out, const ConstantPool& pool,
                  const ElementValue& value);
void append_annotation(std::string& out, const ConstantPool& pool,
                       const AnnotationView& annotation);

// The shell lines of one class. `head` is its ",\"in\":…".
void dump_shell(std::string& out, const ClassView& cls, std::string_view head);

}  // namespace rejig::classfile
