// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/row_file.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "classfile/reader/modified_utf8.h"

namespace rejig::coverage {

using base::ByteReader;
using base::Bytes;
using base::Errc;
using base::Error;

namespace {

constexpr std::size_t kHeader = 16;
constexpr unsigned kVersion = 5;
constexpr unsigned kStatic = 0x0008, kFinal = 0x0010;
constexpr unsigned kInterface = 0x0200, kAbstract = 0x0400;
// The recorder's own.
constexpr unsigned kKeepsState = 0x0002, kHasParts = 0x0004;
// In the kind of a fact.
constexpr unsigned kByRunner = 0x20, kAbsent = 0x40, kByLoader = 0x80;
constexpr unsigned kLastKind = static_cast<unsigned>(FactKind::kMet);
constexpr std::size_t kAroundPayload = 9;  // size, kind, checksum

// Eight bytes at a time: table k has what a byte makes k bytes later.
std::uint32_t crc32(Bytes bytes) {
  static const auto tables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k)
        c = (c & 1U) != 0 ? 0xEDB88320U ^ c >> 1 : c >> 1;
      out[0][i] = c;
    }
    for (std::size_t k = 1; k < out.size(); ++k) {
      for (std::size_t i = 0; i < 256; ++i) {
        const std::uint32_t c = out[k - 1][i];
        out[k][i] = out[0][c & 0xFFU] ^ c >> 8;
      }
    }
    return out;
  }();
  const auto byte = [&](std::size_t i) {
    return std::to_integer<std::uint32_t>(bytes[i]);
  };
  std::uint32_t crc = 0xFFFFFFFFU;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    crc ^= byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
    crc = tables[7][crc & 0xFFU] ^ tables[6][crc >> 8 & 0xFFU] ^
          tables[5][crc >> 16 & 0xFFU] ^ tables[4][crc >> 24] ^
          tables[3][byte(i + 4)] ^ tables[2][byte(i + 5)] ^
          tables[1][byte(i + 6)] ^ tables[0][byte(i + 7)];
  }
  for (; i < bytes.size(); ++i) {
    crc = tables[0][(crc ^ byte(i)) & 0xFFU] ^ crc >> 8;
  }
  return ~crc;
}

// Which index has a number of the file? Numbers are close together, but for
// those of a file that nobody's recorder wrote.
class Numbers {
 public:
  // False: it is known already.
  bool add(std::uint32_t number, std::uint32_t index) {
    if (number > kSlack && number > 2 * near_.size()) {
      return find(number) == kNone && far_.emplace(number, index).second;
    }
    if (far_.contains(number)) return false;
    if (number >= near_.size()) near_.resize(number + 1, kNone);
    if (near_[number] != kNone) return false;
    near_[number] = index;
    return true;
  }
  // kNone: it is nobody's.
  std::uint32_t find(std::uint32_t number) const {
    if (number < near_.size() && near_[number] != kNone) return near_[number];
    if (far_.empty()) return kNone;
    const auto at = far_.find(number);
    return at == far_.end() ? kNone : at->second;
  }
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

 private:
  static constexpr std::uint32_t kSlack = 65536;

  std::vector<std::uint32_t> near_;
  std::unordered_map<std::uint32_t, std::uint32_t> far_;
};

class Parser {
 public:
  Parser(Bytes bytes, const std::string& where)
      : bytes_(bytes), where_(where) {}

  base::Result<RowFile> run() {
    ByteReader header(bytes_.first(std::min(bytes_.size(), kHeader)));
    const std::uint64_t magic = header.u8();
    const std::uint32_t version = header.u4();
    const std::uint32_t zero = header.u4();
    if (header.failed() || magic != 0x72656a6967726f77U) {
      return bad("not a row file of rejig's recorder", 0);
    }
    if (version != kVersion || zero != 0) {
      return bad("a row file of another version of rejig", 8);
    }
    Scope& session = out_.scopes[0];
    session.has_end = true;
    session.result = ScopeResult::kPassed;
    std::size_t at = kHeader;
    while (at < bytes_.size()) {
      if (bytes_.size() - at < kAroundPayload) break;
      ByteReader head(bytes_.subspan(at));
      const std::size_t size = head.u4();
      const std::uint8_t kind = head.u1();
      if (size > bytes_.size() - at - kAroundPayload) break;
      const Bytes payload = head.bytes(size);
      if (head.u4() != crc32(bytes_.subspan(at, size + 5))) break;
      if (!record(kind, payload)) {
        return bad("a record that this version of rejig does not understand",
                   at);
      }
      at += size + kAroundPayload;
    }
    out_.torn = at != bytes_.size();
    if (!check()) return bad("a record refers to something undefined", at);
    return std::move(out_);
  }

 private:
  Error bad(std::string what, std::size_t at) const {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    do {
      hex.insert(hex.begin(), kDigits[at % 16]);
      at /= 16;
    } while (at != 0);
    return {Errc::kMalformed, std::move(what), where_ + " @0x" + hex};
  }

  static std::string text(ByteReader& in) {
    const Bytes raw = in.bytes(in.u2());
    return classfile::to_utf8(std::string_view(
        reinterpret_cast<const char*>(raw.data()), raw.size()));
  }
  static std::uint32_t varint(ByteReader& in) {
    std::uint32_t out = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const std::uint32_t b = in.u1();
      out |= (b & 0x7FU) << shift;
      if (b < 0x80) return out;
    }
    in.fail();
    return 0;
  }
  static void numbers(ByteReader& in, std::uint32_t n,
                      std::vector<std::uint32_t>& out) {
    std::uint32_t last = 0;
    // Each has a byte at least.
    if (n <= in.remaining()) out.reserve(out.size() + n);
    for (std::uint32_t i = 0; i < n && !in.failed(); ++i) {
      const std::uint32_t z = varint(in);
      last += z >> 1 ^ (0U - (z & 1U));
      out.push_back(last);
    }
  }
  static void work(ByteReader& in, Work& out) {
    const std::uint32_t methods = in.u4();
    const std::uint32_t classes = in.u4();
    const std::uint32_t facts = in.u4();
    const std::uint32_t receivers = in.u4();
    numbers(in, methods, out.methods);
    numbers(in, classes, out.classes);
    numbers(in, facts, out.facts);
    numbers(in, receivers, out.receivers);
  }

  bool record(std::uint8_t kind, Bytes payload) {
    ByteReader in(payload);
    bool known = true;
    switch (kind) {
      case 1:
        jvm(in);
        break;
      case 2:
        known = a_class(in);
        break;
      case 3: {
        const auto number = in.u4();
        out_.sources[number] = text(in);
        break;
      }
      case 4:
        known = fact(in);
        break;
      case 5:
        known = begin(in);
        break;
      case 6: {
        Scope* scope = find_scope(in.u4());
        if (scope == nullptr) return false;
        work(in, scope->work);
        break;
      }
      case 7:
        known = end(in);
        break;
      case 8: {
        const auto at = class_of_.find(in.u4());
        in.u1();
        if (at == Numbers::kNone) return false;
        work(in, out_.inits[at]);
        break;
      }
      case 9: {
        Scope* scope = find_scope(in.u4());
        const auto other = in.u4();
        if (scope == nullptr || find_scope(other) == nullptr) return false;
        scope->joined.push_back(other);
        break;
      }
      case 10:
        out_.losses.push_back(text(in));
        break;
      case 11:
        in.u8();
        out_.has_exit = true;
        break;
      case 12: {
        const auto index = static_cast<std::uint32_t>(out_.names.size());
        if (!name_of_.add(in.u4(), index)) return false;
        out_.names.push_back(text(in));
        break;
      }
      case 13:
        known = receiver(in);
        break;
      default:
        return false;
    }
    return known && !in.failed() && in.at_end();
  }

  Scope* find_scope(std::uint32_t number) {
    const auto at = out_.scopes.find(number);
    return at == out_.scopes.end() ? nullptr : &at->second;
  }

  void jvm(ByteReader& in) {
    out_.started = in.u8();
    out_.pid = in.u4();
    out_.parent_pid = in.u4();
    out_.suite = text(in);
    for (unsigned n = in.u2(); n > 0; --n) out_.atom_kinds.push_back(text(in));
    for (unsigned n = in.u2(); n > 0; --n) {
      std::string key = text(in);
      std::string value = text(in);
      if (key == "rejig.internal-root") {
        out_.internal_roots.push_back(std::move(value));
      } else {
        out_.environment[std::move(key)] = std::move(value);
      }
    }
    has_jvm_ = true;
  }

  bool a_class(ByteReader& in) {
    const auto index = static_cast<std::uint32_t>(out_.classes.size());
    if (!class_of_.add(in.u4(), index)) return false;
    RecordedClass out;
    const unsigned origin = in.u1();
    if (origin > 3) return false;
    out.origin = static_cast<Origin>(origin);
    text(in);
    out.name = text(in);
    const Bytes digest = in.bytes(32);
    for (const auto b : digest) {
      if (b != std::byte{0}) {
        out.digest = base::to_hex(digest);
        break;
      }
    }
    out.source = in.u4();
    const unsigned access = in.u2();
    out.is_interface = (access & kInterface) != 0;
    out.is_final = (access & kFinal) != 0;
    out.keeps_state = (access & kKeepsState) != 0;
    out.has_parts = (access & kHasParts) != 0;
    std::string super = text(in);
    if (!super.empty()) out.supertypes.push_back(std::move(super));
    for (unsigned n = in.u2(); n > 0; --n) out.supertypes.push_back(text(in));
    out.constants = varint(in);
    for (auto n = varint(in); n > 0 && !in.failed(); --n) {
      const auto at = name_of_.find(varint(in));
      if (at == Numbers::kNone) return false;
      out.names.push_back(at);
    }
    if (out.constants > out.names.size()) return false;
    std::uint32_t next = in.u4();
    const bool recorded =
        out.origin == Origin::kInternal || out.origin == Origin::kGenerated;
    for (unsigned n = in.u2(); n > 0 && !in.failed(); --n) {
      RecordedMethod m;
      const unsigned flags_of_method = in.u2();
      m.is_static = (flags_of_method & kStatic) != 0;
      m.is_abstract = (flags_of_method & kAbstract) != 0;
      m.name = text(in);
      m.descriptor = text(in);
      const unsigned flags = in.u1();
      m.has_code = (flags & 1U) != 0;
      m.clones = (flags & 2U) != 0;
      m.asks = (flags & 4U) != 0;
      m.provides = (flags & 8U) != 0;
      m.is_test = (flags & 16U) != 0;
      m.owner = index;
      for (auto uses = varint(in); uses > 0 && !in.failed(); --uses) {
        m.uses.push_back(varint(in));
        if (m.uses.back() >> 5 >= out.names.size()) return false;
      }
      const auto slot = static_cast<std::uint32_t>(out.methods.size());
      if (m.has_code && recorded) {
        const auto id = static_cast<std::uint32_t>(out_.methods.size());
        if (!method_of_.add(next++, id)) return false;
        out_.methods.emplace_back(index, slot);
      }
      out.methods.push_back(std::move(m));
    }
    out_.classes.push_back(std::move(out));
    return true;
  }

  bool fact(ByteReader& in) {
    const auto index = static_cast<std::uint32_t>(out_.facts.size());
    if (!fact_of_.add(in.u4(), index)) return false;
    const unsigned tag = in.u1();
    const unsigned kind = tag & ~(kByRunner | kAbsent | kByLoader);
    if (kind < 1 || kind > kLastKind) return false;
    out_.facts.push_back({static_cast<FactKind>(kind), (tag & kByRunner) != 0,
                          text(in), (tag & kAbsent) != 0,
                          (tag & kByLoader) != 0});
    return true;
  }

  bool receiver(ByteReader& in) {
    const auto index = static_cast<std::uint32_t>(out_.receivers.size());
    if (!receiver_of_.add(in.u4(), index)) return false;
    const auto method = method_of_.find(in.u4());
    const auto name = name_of_.find(in.u4());
    if (method == Numbers::kNone || name == Numbers::kNone) return false;
    out_.receivers.push_back({method, name});
    return true;
  }

  bool begin(ByteReader& in) {
    const auto number = in.u4();
    const unsigned kind = in.u1();
    if (number == 0 || kind < 1 || kind > 2) return false;
    Scope scope;
    scope.is_test = kind == 2;
    scope.parent = in.u4();
    scope.begun = in.u8();
    scope.id = text(in);
    if (find_scope(scope.parent) == nullptr) return false;
    if (scope.is_test && scope.id.find('#') == std::string::npos) return false;
    return out_.scopes.emplace(number, std::move(scope)).second;
  }

  bool end(ByteReader& in) {
    const auto number = in.u4();
    Scope* scope = find_scope(number);
    if (scope == nullptr || number == 0) return false;
    const unsigned result = in.u1();
    if (result > 2) return false;
    scope->result = static_cast<ScopeResult>(result);
    scope->overlapped = (in.u1() & 1U) != 0;
    scope->ended = in.u8();
    scope->has_end = true;
    return true;
  }

  // File numbers become indexes.
  static bool renumber(std::vector<std::uint32_t>& list, const Numbers& to) {
    for (auto& n : list) {
      n = to.find(n);
      if (n == Numbers::kNone) return false;
    }
    return true;
  }
  bool renumber(Work& w) const {
    return renumber(w.methods, method_of_) && renumber(w.classes, class_of_) &&
           renumber(w.facts, fact_of_) &&
           renumber(w.receivers, receiver_of_);
  }
  bool check() {
    for (auto& [number, scope] : out_.scopes) {
      if (!renumber(scope.work)) return false;
    }
    for (auto& [number, init] : out_.inits) {
      if (!renumber(init)) return false;
    }
    return has_jvm_ || out_.scopes.size() == 1;
  }

  Bytes bytes_;
  const std::string& where_;
  RowFile out_;
  bool has_jvm_ = false;
  Numbers class_of_;
  Numbers method_of_;
  Numbers fact_of_;
  Numbers name_of_;
  Numbers receiver_of_;
};

}  // namespace

base::Result<RowFile> parse_row_file(Bytes bytes, const std::string& where) {
  return Parser(bytes, where).run();
}

base::Result<RowFile> read_row_file(const std::string& path) {
  REJIG_TRY(const std::string text, base::read_file(path));
  return parse_row_file(std::as_bytes(std::span(text.data(), text.size())),
                        path);
}

}  // namespace rejig::coverage
