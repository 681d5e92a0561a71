// SPDX-License-Identifier: Apache-2.0
// How does a test make a class file, legal or not? ClassBuilder writes what it
// is told, byte by byte, and checks nothing: what no compiler writes is what
// tests want. Pool entries are made on first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rejig::test {

// Big-endian bytes, one after another.
class Out {
 public:
  Out() = default;
  Out(std::initializer_list<int> bytes) {
    for (const int b : bytes) u1(static_cast<unsigned>(b));
  }
  Out& u1(unsigned v) {
    text_ += static_cast<char>(v);
    return *this;
  }
  Out& u2(unsigned v) { return u1(v >> 8 & 0xFF).u1(v & 0xFF); }
  Out& u4(std::uint32_t v) { return u2(v >> 16).u2(v & 0xFFFF); }
  Out& u8(std::uint64_t v) {
    return u4(static_cast<std::uint32_t>(v >> 32))
        .u4(static_cast<std::uint32_t>(v));
  }
  Out& raw(std::string_view bytes) {
    text_ += bytes;
    return *this;
  }
  Out& raw(const Out& other) { return raw(other.text_); }
  std::size_t size() const { return text_.size(); }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

struct BuiltHandler {
  unsigned start, end, at, type;
};

class ClassBuilder {
 public:
  explicit ClassBuilder(std::string_view name = "T",
                        std::string_view super = "java/lang/Object")
      : name_(name), super_(super) {}

  ClassBuilder& version(unsigned major, unsigned minor = 0) {
    major_ = major;
    minor_ = minor;
    return *this;
  }
  ClassBuilder& access(unsigned flags) {
    access_ = flags;
    return *this;
  }
  ClassBuilder& interface(std::string_view name) {
    interfaces_.push_back(cls(name));
    return *this;
  }

  // Pool entries; the index of the entry.
  unsigned utf8(std::string_view text) {
    return entry(Out{1}.u2(static_cast<unsigned>(text.size())).raw(text));
  }
  unsigned integer(std::int32_t v) {
    return entry(Out{3}.u4(static_cast<std::uint32_t>(v)));
  }
  unsigned float_bits(std::uint32_t v) { return entry(Out{4}.u4(v)); }
  unsigned long_value(std::int64_t v) {
    return entry(Out{5}.u8(static_cast<std::uint64_t>(v)), 2);
  }
  unsigned double_bits(std::uint64_t v) { return entry(Out{6}.u8(v), 2); }
  unsigned cls(std::string_view name) { return refer(7, utf8(name)); }
  unsigned string(std::string_view text) { return refer(8, utf8(text)); }
  unsigned name_and_type(std::string_view name, std::string_view descriptor) {
    const unsigned n = utf8(name);
    return entry(Out{12}.u2(n).u2(utf8(descriptor)));
  }
  unsigned member(unsigned tag, std::string_view owner, std::string_view name,
                  std::string_view descriptor) {
    const unsigned c = cls(owner);
    return entry(Out{static_cast<int>(tag)}.u2(c).u2(
        name_and_type(name, descriptor)));
  }
  unsigned field(std::string_view owner, std::string_view name,
                 std::string_view descriptor) {
    return member(9, owner, name, descriptor);
  }
  unsigned method(std::string_view owner, std::string_view name,
                  std::string_view descriptor) {
    return member(10, owner, name, descriptor);
  }
  unsigned interface_method(std::string_view owner, std::string_view name,
                            std::string_view descriptor) {
    return member(11, owner, name, descriptor);
  }
  unsigned handle(unsigned kind, unsigned ref) {
    return entry(Out{15}.u1(kind).u2(ref));
  }
  unsigned method_type(std::string_view d) { return refer(16, utf8(d)); }
  unsigned dynamic(unsigned bootstrap, std::string_view name,
                   std::string_view descriptor) {
    const unsigned nt = name_and_type(name, descriptor);
    return entry(Out{17}.u2(bootstrap).u2(nt));
  }
  unsigned invoke_dynamic(unsigned bootstrap, std::string_view name,
                          std::string_view descriptor) {
    const unsigned nt = name_and_type(name, descriptor);
    return entry(Out{18}.u2(bootstrap).u2(nt));
  }
  unsigned module(std::string_view name) { return refer(19, utf8(name)); }
  unsigned package(std::string_view name) { return refer(20, utf8(name)); }
  // Any bytes that take `slots` entries.
  unsigned entry(const Out& bytes, unsigned slots = 1) {
    const auto [at, fresh] = index_.try_emplace(bytes.str(), next_);
    if (fresh) {
      pool_.raw(bytes);
      next_ += slots;
    }
    return at->second;
  }
  // Like entry(), but never shared.
  unsigned own_entry(const Out& bytes, unsigned slots = 1) {
    const unsigned at = next_;
    pool_.raw(bytes);
    next_ += slots;
    return at;
  }

  Out attribute(std::string_view name, const Out& content) {
    Out a;
    a.u2(utf8(name)).u4(static_cast<std::uint32_t>(content.size()));
    return a.raw(content);
  }
  Out code(unsigned max_stack, unsigned max_locals, const Out& bytes,
           const std::vector<BuiltHandler>& handlers = {},
           const std::vector<Out>& attributes = {}) {
    Out c;
    c.u2(max_stack).u2(max_locals);
    c.u4(static_cast<std::uint32_t>(bytes.size())).raw(bytes);
    c.u2(static_cast<unsigned>(handlers.size()));
    for (const BuiltHandler& h : handlers) {
      c.u2(h.start).u2(h.end).u2(h.at).u2(h.type);
    }
    append(c, attributes);
    return attribute("Code", c);
  }
  ClassBuilder& add_field(unsigned flags, std::string_view name,
                          std::string_view descriptor,
                          const std::vector<Out>& attributes = {}) {
    add_member(fields_, flags, name, descriptor, attributes);
    ++field_count_;
    return *this;
  }
  ClassBuilder& add_method(unsigned flags, std::string_view name,
                           std::string_view descriptor,
                           const std::vector<Out>& attributes = {}) {
    add_member(methods_, flags, name, descriptor, attributes);
    ++method_count_;
    return *this;
  }
  // A static method ()V (or of another descriptor) with this code.
  ClassBuilder& add_code(const Out& bytes, unsigned max_stack = 4,
                         unsigned max_locals = 4,
                         const std::vector<BuiltHandler>& handlers = {},
                         const std::vector<Out>& attributes = {},
                         std::string_view name = "m",
                         std::string_view descriptor = "()V") {
    return add_method(
        0x0009, name, descriptor,
        {code(max_stack, max_locals, bytes, handlers, attributes)});
  }
  ClassBuilder& add_attribute(std::string_view name, const Out& content) {
    attributes_.push_back(attribute(name, content));
    return *this;
  }

  std::string build() {
    const unsigned this_class = this_index_ ? this_index_ : cls(name_);
    const unsigned super_class = super_.empty() ? 0 : cls(super_);
    Out out;
    out.u4(0xCAFEBABE).u2(minor_).u2(major_);
    out.u2(next_ & 0xFFFF).raw(pool_);
    out.u2(access_).u2(this_class).u2(super_class);
    out.u2(static_cast<unsigned>(interfaces_.size()));
    for (const unsigned i : interfaces_) out.u2(i);
    out.u2(field_count_).raw(fields_);
    out.u2(method_count_).raw(methods_);
    append(out, attributes_);
    return out.str();
  }
  void this_index(unsigned index) { this_index_ = index; }

 private:
  unsigned refer(unsigned tag, unsigned to) {
    return entry(Out{static_cast<int>(tag)}.u2(to));
  }
  static void append(Out& out, const std::vector<Out>& attributes) {
    out.u2(static_cast<unsigned>(attributes.size()));
    for (const Out& a : attributes) out.raw(a);
  }
  void add_member(Out& to, unsigned flags, std::string_view name,
                  std::string_view descriptor,
                  const std::vector<Out>& attributes) {
    to.u2(flags).u2(utf8(name)).u2(utf8(descriptor));
    append(to, attributes);
  }

  std::string name_;
  std::string super_;
  unsigned major_ = 52;
  unsigned minor_ = 0;
  unsigned access_ = 0x0021;
  unsigned this_index_ = 0;
  std::map<std::string, unsigned> index_;
  unsigned next_ = 1;
  Out pool_;
  std::vector<unsigned> interfaces_;
  unsigned field_count_ = 0;
  unsigned method_count_ = 0;
  Out fields_;
  Out methods_;
  std::vector<Out> attributes_;
};

// A class of that version; `make` adds what is odd to it.
template <class Make>
std::string class_with(unsigned major, Make&& make) {
  ClassBuilder b;
  b.version(major);
  make(b);
  return b.build();
}

// The same bytes in a heap block of exactly their size, so that the address
// sanitizer sees every read past the end.
class ExactBytes {
 public:
  explicit ExactBytes(std::string_view text)
      : bytes_(new std::byte[text.size()]), size_(text.size()) {
    if (size_ != 0) std::memcpy(bytes_, text.data(), size_);
  }
  ~ExactBytes() { delete[] bytes_; }
  ExactBytes(const ExactBytes&) = delete;
  ExactBytes& operator=(const ExactBytes&) = delete;
  std::span<const std::byte> get() const { return {bytes_, size_}; }

 private:
  std::byte* bytes_;
  std::size_t size_;
};

}  // namespace rejig::test
