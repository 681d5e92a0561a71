// SPDX-License-Identifier: Apache-2.0
#include "classfile/dump/dump_json.h"

namespace rejig::classfile {
namespace {

bool is_utf8(std::string_view s) {
  const auto at = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(s[i]));
  };
  for (std::size_t i = 0; i < s.size();) {
    const unsigned c = at(i);
    const std::size_t n = c < 0x80    ? 1
                          : c >> 5 == 6  ? 2
                          : c >> 4 == 14 ? 3
                          : c >> 3 == 30 ? 4
                                         : 0;
    if (n == 0 || i + n > s.size()) return false;
    unsigned code = n == 1 ? c : c & (0x7Fu >> n);
    for (std::size_t k = 1; k < n; ++k) {
      if ((at(i + k) & 0xC0) != 0x80) return false;
      code = code << 6 | (at(i + k) & 0x3F);
    }
    constexpr unsigned kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kSmallest[n] || code > 0x10FFFF ||
        (code >= 0xD800 && code <= 0xDFFF)) {
      return false;
    }
    i += n;
  }
  return true;
}

}  // namespace

void append_hex(std::string& out, std::uint64_t value, unsigned digits) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (unsigned i = digits; i-- > 0;) out += kHex[value >> 4 * i & 0xF];
}

void append_quoted(std::string& out, std::string_view modified) {
  out += '"';
  append_json_text(out, modified);
  out += '"';
}

void append_quoted_entry(std::string& out, std::string_view name) {
  const bool good = is_utf8(name);
  out += '"';
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u";
      append_hex(out, byte, 4);
    } else if (byte >= 0x80 && !good) {
      out += "\\udc";
      append_hex(out, byte, 2);
    } else {
      out += c;
    }
  }
  out += '"';
}

void ConstPrinter::handle(std::uint16_t index) {
  const HandleRef h = cls_.pool().handle(index);
  out_ += "{\"kind\":";
  append_number(out_, h.kind);
  out_ += ",\"owner\":";
  append_quoted(out_, h.ref.owner);
  out_ += ",\"name\":";
  append_quoted(out_, h.ref.name);
  out_ += ",\"desc\":";
  append_quoted(out_, h.ref.descriptor);
  out_ += h.ref.interface ? ",\"itf\":true}" : ",\"itf\":false}";
}

void ConstPrinter::list(const std::vector<std::uint16_t>& indices) {
  out_ += '[';
  bool first = true;
  for (const std::uint16_t index : indices) {
    if (out_.size() > limit_) {
      gave_up_ = true;
      break;
    }
    if (!first) out_ += ',';
    first = false;
    constant(index);
  }
  out_ += ']';
}

void ConstPrinter::constant(std::uint16_t index) {
  const ConstantPool& pool = cls_.pool();
  const auto text = [&](std::string_view key) {
    out_ += "{\"";
    out_ += key;
    out_ += "\":";
    append_quoted(out_, pool.text(index));
  };
  switch (pool.tag(index)) {
    case Tag::kInteger:
      out_ += "{\"int\":";
      append_number(out_, pool.int_value(index));
      break;
    case Tag::kLong:
      out_ += "{\"long\":\"";
      append_number(out_, pool.long_value(index));
      out_ += '"';
      break;
    case Tag::kFloat:
      out_ += "{\"float\":\"";
      append_hex(out_, pool.float_bits(index), 8);
      out_ += '"';
      break;
    case Tag::kDouble:
      out_ += "{\"double\":\"";
      append_hex(out_, pool.double_bits(index), 16);
      out_ += '"';
      break;
    case Tag::kString:
      text("string");
      break;
    case Tag::kClass:
      text("class");
      break;
    case Tag::kMethodType:
      text("mtype");
      break;
    case Tag::kMethodHandle:
      out_ += "{\"handle\":";
      handle(index);
      break;
    case Tag::kDynamic: {
      const DynamicRef d = pool.dynamic(index);
      out_ += "{\"condy\":{\"name\":";
      append_quoted(out_, d.name);
      out_ += ",\"desc\":";
      append_quoted(out_, d.descriptor);
      if (++condys_ <= kMostCondys) {
        const BootstrapMethod& b = cls_.bootstrap_methods()[d.bootstrap];
        out_ += ",\"bsm\":";
        handle(b.handle);
        out_ += ",\"args\":";
        list(b.arguments);
      }
      out_ += '}';
      break;
    }
    default:
      out_ += "{\"unknown\":null";
      break;
  }
  out_ += '}';
}

void append_annotation(std::string& out, const ConstantPool& pool,
                       const AnnotationView& annotation) {
  out += "{\"desc\":";
  append_quoted(out, annotation.type());
  out += ",\"values\":{";
  ElementReader elements = annotation.elements();
  std::string_view name;
  ElementValue value;
  for (bool first = true; elements.next(name, value); first = false) {
    if (!first) out += ',';
    append_quoted(out, name);
    out += ':';
    append_value(out, pool, value);
  }
  out += "}}";
}

void append_value(std::string& out, const ConstantPool& pool,
                  const ElementValue& value) {
  out += "{\"";
  out += value.tag();
  out += "\":";
  const std::int32_t number = pool.int_value(value.constant());
  switch (value.tag()) {
    case 'B':
      append_number(out, static_cast<std::int8_t>(number));
      break;
    case 'C':
      append_number(out, static_cast<std::uint16_t>(number));
      break;
    case 'S':
      append_number(out, static_cast<std::int16_t>(number));
      break;
    case 'Z':
      append_number(out, number != 0 ? 1 : 0);
      break;
    case 'I':
      append_number(out, number);
      break;
    case 'J':
      out += '"';
      append_number(out, pool.long_value(value.constant()));
      out += '"';
      break;
    case 'F':
      out += '"';
      append_hex(out, pool.float_bits(value.constant()), 8);
      out += '"';
      break;
    case 'D':
      out += '"';
      append_hex(out, pool.double_bits(value.constant()), 16);
      out += '"';
      break;
    case 'e':
      out += '[';
      append_quoted(out, value.enum_type());
      out += ',';
      append_quoted(out, value.enum_name());
      out += ']';
      break;
    case '@':
      append_annotation(out, pool, value.annotation());
      break;
    case '[': {
      out += '[';
      ElementReader elements = value.elements();
      std::string_view name;
      ElementValue each;
      for (bool first = true; elements.next(name, each); first = false) {
        if (!first) out += ',';
        append_value(out, pool, each);
      }
      out += ']';
      break;
    }
    default:
      append_quoted(out, value.text());
      break;
  }
  out += '}';
}

}  // namespace rejig::classfile
