// SPDX-License-Identifier: Apache-2.0
// One pass over the class file (JVMS §4.1) that notes where members and
// attributes are; then the checks, which may use the finished view.
#include "classfile/reader/class_view.h"

#include <array>
#include <limits>

#include "classfile/reader/attribute_facts.h"
#include "classfile/reader/attributes.h"
#include "classfile/reader/class_check.h"
#include "classfile/reader/descriptor.h"
#include "classfile/reader/format.h"

namespace rejig::classfile {
namespace {

constexpr std::uint32_t kMagic = 0xCAFEBABE;
constexpr std::uint16_t kPreviewMinor = 65535;
constexpr std::size_t kLargestCode = 65535;
constexpr std::size_t kLargeClass = std::size_t{1} << 20;

template <class Match>
const AttributeView* find(std::span<const AttributeView> rows, Match&& match) {
  for (const AttributeView& a : rows) {
    if (match(a)) return &a;
  }
  return nullptr;
}

}  // namespace

class ClassParser {
 public:
  // `cls` may hold another class: its memory is used again.
  ClassParser(base::Bytes bytes, std::string_view where, ClassView& cls,
              std::vector<ClassView::Range>& ranges)
      : reader_(bytes), cls_(cls), ranges_(ranges) {
    cls_.bytes_ = bytes;
    cls_.where_.assign(where);
    cls_.super_ = {};
    cls_.interfaces_.clear();
    cls_.attribute_store_.clear();
    cls_.fields_.clear();
    cls_.methods_.clear();
    cls_.attributes_.clear();
    cls_.bootstraps_.clear();
    cls_.unknown_attributes_ = 0;
    cls_.unreadable_attributes_ = 0;
    ranges_.clear();
  }

  base::Result<void> parse(bool checked) {
    REJIG_TRY_VOID(read_version());
    REJIG_TRY_VOID(
        cls_.pool_.read(reader_, cls_.bytes_, cls_.major_, cls_.where_));
    REJIG_TRY_VOID(read_header());
    REJIG_TRY_VOID(read_members('f', cls_.fields_));
    const std::size_t fields = ranges_.size();
    REJIG_TRY_VOID(read_members('m', cls_.methods_));
    bind_members(fields);
    REJIG_TRY_VOID(read_attributes('c', reader_, cls_.attributes_));
    if (!reader_.at_end()) {
      return error(reader_.offset(), std::to_string(reader_.remaining()) +
                                         " bytes behind the end of the class");
    }
    if (checked) REJIG_TRY_VOID(ClassChecks(cls_).run({}));
    read_bootstraps();
    return {};
  }

 private:
  using Range = ClassView::Range;

  [[gnu::cold]] base::Error error(std::size_t offset, std::string what) const {
    return malformed(cls_.where_, offset, std::move(what));
  }
  [[gnu::cold]] base::Error truncated(std::string_view in) const {
    return error(cls_.bytes_.size(), "ends within " + std::string(in));
  }

  base::Result<void> read_version() {
    if (cls_.bytes_.size() > std::numeric_limits<std::int32_t>::max()) {
      return base::Error{
          base::Errc::kLimit,
          std::to_string(cls_.bytes_.size()) + " bytes, read up to 2147483647",
          cls_.where_};
    }
    const std::uint32_t magic = reader_.u4();
    cls_.minor_ = reader_.u2();
    cls_.major_ = reader_.u2();
    if (reader_.failed() && cls_.bytes_.size() < 4) {
      return truncated("the magic number");
    }
    if (magic != kMagic) {
      char text[16];
      std::snprintf(text, sizeof text, "%08x", magic);
      return error(0, "magic number 0x" + std::string(text) +
                          ", expected 0xcafebabe: not a class file");
    }
    if (reader_.failed()) return truncated("the version");
    const std::string version =
        cls_.major_ >= kFirstMajor && cls_.major_ <= kLastMajorRead
            ? std::string()
            : std::to_string(cls_.major_);
    if (!version.empty()) {
      return unsupported(6, "major version " + version + ", read 45 to " +
                                std::to_string(kLastMajorRead));
    }
    if (cls_.major_ >= kJava12 && cls_.minor_ != 0 &&
        cls_.minor_ != kPreviewMinor) {
      return unsupported(4, "minor version " + std::to_string(cls_.minor_) +
                                " of major " + std::to_string(cls_.major_) +
                                ", allowed 0 and 65535");
    }
    return {};
  }

  base::Error unsupported(std::size_t offset, std::string what) const {
    base::Error e = error(offset, std::move(what));
    e.code = base::Errc::kUnsupported;
    return e;
  }

  base::Result<void> read_header() {
    const std::size_t at = reader_.offset();
    cls_.access_ = reader_.u2();
    const std::uint16_t this_class = reader_.u2();
    const std::uint16_t super_class = reader_.u2();
    const std::uint16_t interfaces = reader_.u2();
    if (reader_.failed()) return truncated("the class header");
    REJIG_TRY(cls_.name_, class_name(this_class, at + 2, "this_class"));
    if (super_class != 0) {
      REJIG_TRY(cls_.super_, class_name(super_class, at + 4, "super_class"));
    }
    if (reader_.remaining() / 2 < interfaces) return truncated("interfaces");
    cls_.interfaces_.reserve(interfaces);
    for (unsigned i = 0; i < interfaces; ++i) {
      const std::size_t where = reader_.offset();
      REJIG_TRY(std::string_view name,
                class_name(reader_.u2(), where, "interface"));
      cls_.interfaces_.push_back(name);
    }
    return {};
  }

  base::Result<std::string_view> class_name(std::uint16_t index,
                                            std::size_t offset,
                                            std::string_view role) const {
    if (cls_.pool_.tag(index) != Tag::kClass) {
      return error(offset, std::string(role) + " is entry " +
                               std::to_string(index) + ", expected a Class");
    }
    const std::string_view name = cls_.pool_.text(index);
    if (name.starts_with('[')) {
      return error(offset, std::string(role) + " is an array type");
    }
    return name;
  }

  base::Result<void> read_members(char place, std::vector<MemberView>& out) {
    constexpr std::size_t kSmallestMember = 8;
    const std::uint16_t count = reader_.u2();
    const std::string_view what = place == 'f' ? "the fields" : "the methods";
    if (reader_.failed() || reader_.remaining() / kSmallestMember < count) {
      return truncated(what);
    }
    out.reserve(count);
    ranges_.reserve(ranges_.size() + count);
    // A method has Code with two tables, and now and then one attribute more.
    cls_.attribute_store_.reserve(cls_.attribute_store_.size() +
                                  count * std::size_t{place == 'm' ? 4u : 1u});
    for (unsigned i = 0; i < count; ++i) {
      MemberView& m = out.emplace_back();
      m.offset = static_cast<std::uint32_t>(reader_.offset());
      const base::Bytes header = reader_.bytes(6);
      if (reader_.failed()) return truncated(what);
      m.access = base::load_u2(header.data());
      const std::uint16_t name = base::load_u2(header.data() + 2);
      const std::uint16_t descriptor = base::load_u2(header.data() + 4);
      m.name = cls_.pool_.utf8(name);
      m.descriptor = cls_.pool_.utf8(descriptor);
      if ((m.name.empty() && cls_.pool_.tag(name) != Tag::kUtf8) ||
          (m.descriptor.empty() && cls_.pool_.tag(descriptor) != Tag::kUtf8)) {
        return error(m.offset, "name or descriptor is entry " +
                                   std::to_string(name) + " or " +
                                   std::to_string(descriptor) +
                                   ", expected a Utf8");
      }
      Range range;
      range.begin = cls_.attribute_store_.size();
      REJIG_TRY_VOID(read_attributes(place, reader_, cls_.attribute_store_));
      range.own = cls_.attribute_store_.size() - range.begin;
      if (place == 'm') {
        for (std::size_t a = 0; a < range.own; ++a) {
          const AttributeView& code = cls_.attribute_store_[range.begin + a];
          if (code.kind != AttributeKind::kCode) continue;
          REJIG_TRY_VOID(read_code(code.content, code.offset));
        }
      }
      range.code = cls_.attribute_store_.size() - range.begin - range.own;
      ranges_.push_back(range);
    }
    return {};
  }

  base::Result<void> read_code(base::Bytes content, std::uint32_t offset) {
    // The u1/u1/u2 form of 45.0 to 45.2 is not read by JVMs of today either.
    const auto too_early = [&] {
      return error(offset + content.size(),
                   "the attribute Code ends too early");
    };
    base::ByteReader r(content, offset);
    r.skip(4);
    const std::size_t length_at = r.offset();
    const std::uint32_t length = r.u4();
    if (r.failed()) return too_early();
    if (length == 0 || length > kLargestCode) {
      return error(length_at, "code of " + std::to_string(length) +
                                  " bytes, allowed 1 to 65535");
    }
    r.skip(length);
    r.skip(std::size_t{8} * r.u2());
    if (r.failed()) return too_early();
    REJIG_TRY_VOID(read_attributes('b', r, cls_.attribute_store_));
    if (!r.at_end()) {
      return error(r.offset(), std::to_string(r.remaining()) +
                                   " bytes behind the end of a Code attribute");
    }
    return {};
  }

  base::Result<void> read_attributes(char place, base::ByteReader& r,
                                     std::vector<AttributeView>& out) {
    constexpr std::size_t kSmallestAttribute = 6;
    base::ByteReader in = r;  // a copy of our own stays in registers
    const std::uint16_t count = in.u2();
    if (in.failed() || in.remaining() / kSmallestAttribute < count) {
      return error(in.offset(), "ends within the attributes (" +
                                    std::to_string(count) + ")");
    }
    std::uint32_t seen = 0;
    for (unsigned i = 0; i < count; ++i) {
      const std::size_t at = in.offset();
      const base::Bytes header = in.bytes(kSmallestAttribute);
      const std::uint16_t name = header.empty() ? 0 : base::load_u2(header.data());
      const std::uint32_t length = header.empty() ? 0 : base::load_u4(header.data() + 2);
      const auto offset = static_cast<std::uint32_t>(in.offset());
      const base::Bytes content = in.bytes(length);
      if (in.failed()) {
        return error(at, "attribute of " + std::to_string(length) +
                             " bytes reaches behind its structure");
      }
      const Known& known = known_as(name, place);
      if (!known.is_text) {
        return error(at, "attribute name is entry " + std::to_string(name) +
                             ", expected a Utf8");
      }
      if (known.kind == AttributeKind::kUnknown) {
        ++cls_.unknown_attributes_;
      } else if ((seen & known.once) != 0) {
        return error(at, "attribute " + std::string(known.name) +
                             " twice, allowed once");
      }
      seen |= known.once;
      out.push_back({known.name, content, offset, known.kind});
    }
    r = in;
    return {};
  }

  // What is known of an attribute's name: the same few come again and again.
  struct Known {
    std::uint16_t index = 0;
    char place = 0;
    AttributeKind kind = AttributeKind::kUnknown;
    bool is_text = false;
    std::uint32_t once = 0;  // a bit of its own, if it may be there once only
    std::string_view name;
  };

  const Known& known_as(std::uint16_t index, char place) {
    Known& known = known_[index % known_.size()];
    if (known.index != index || known.place != place) {
      learn(known, index, place);
    }
    return known;
  }

  [[gnu::noinline]] void learn(Known& known, std::uint16_t index, char place) const {
    known = Known();
    known.index = index;
    known.place = place;
    known.is_text = cls_.pool_.tag(index) == Tag::kUtf8;
    known.name = cls_.pool_.utf8(index);
    known.kind = attribute_kind(known.name, place);
    const AttributeFacts& its = facts_of(known.kind);
    if (its.once && cls_.major_ >= its.since) {
      known.once = 1u << static_cast<unsigned>(known.kind);
    }
  }

  void bind_members(std::size_t fields) {
    const std::span<const AttributeView> all = cls_.attribute_store_;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      MemberView& m = i < fields ? cls_.fields_[i] : cls_.methods_[i - fields];
      const Range& range = ranges_[i];
      m.attributes = all.subspan(range.begin, range.own);
      m.code_attributes = all.subspan(range.begin + range.own, range.code);
    }
  }

  void read_bootstraps() {
    const AttributeView* a = cls_.attribute(AttributeKind::kBootstrapMethods);
    if (a == nullptr || !a->readable) return;
    base::ByteReader r(a->content, a->offset);
    cls_.bootstraps_.resize(r.u2());
    for (BootstrapMethod& method : cls_.bootstraps_) {
      method.handle = r.u2();
      method.arguments.resize(r.u2());
      for (std::uint16_t& argument : method.arguments) argument = r.u2();
    }
  }

  base::ByteReader reader_;
  ClassView& cls_;
  std::vector<Range>& ranges_;
  std::array<Known, 16> known_;
};

base::Result<ClassView> ClassView::parse(base::Bytes bytes,
                                         std::string_view where) {
  ClassView cls;
  std::vector<Range> ranges;
  REJIG_TRY_VOID(ClassParser(bytes, where, cls, ranges).parse(true));
  return cls;
}

base::Result<ClassView> ClassView::parse_layout(base::Bytes bytes,
                                                std::string_view where) {
  ClassView cls;
  std::vector<Range> ranges;
  REJIG_TRY_VOID(ClassParser(bytes, where, cls, ranges).parse(false));
  return cls;
}

base::Result<const ClassView*> ClassReader::read(base::Bytes bytes,
                                                 std::string_view where,
                                                 bool checked) {
  // What one huge class took is not kept for the small ones.
  if (cls_.bytes_.size() > kLargeClass) {
    cls_ = ClassView();
    ranges_ = {};
  }
  REJIG_TRY_VOID(ClassParser(bytes, where, cls_, ranges_).parse(checked));
  return &cls_;
}

base::Result<void> ClassReader::check(const Vouched& vouched) {
  REJIG_TRY_VOID(ClassChecks(cls_).run(vouched));
  // The rows were read before anybody knew that they mean nothing.
  const AttributeView* a = cls_.attribute(AttributeKind::kBootstrapMethods);
  if (a != nullptr && !a->readable) cls_.bootstraps_.clear();
  return {};
}

ClassView ClassReader::copy() const {
  ClassView out;
  out.where_ = cls_.where_;
  out.bytes_ = cls_.bytes_;
  out.pool_ = cls_.pool_;
  out.minor_ = cls_.minor_;
  out.major_ = cls_.major_;
  out.access_ = cls_.access_;
  out.name_ = cls_.name_;
  out.super_ = cls_.super_;
  out.interfaces_ = cls_.interfaces_;
  out.attribute_store_ = cls_.attribute_store_;
  out.fields_ = cls_.fields_;
  out.methods_ = cls_.methods_;
  out.attributes_ = cls_.attributes_;
  out.bootstraps_ = cls_.bootstraps_;
  out.unknown_attributes_ = cls_.unknown_attributes_;
  out.unreadable_attributes_ = cls_.unreadable_attributes_;
  const std::span<const AttributeView> theirs = cls_.attribute_store_;
  const std::span<const AttributeView> its = out.attribute_store_;
  const auto moved = [&](std::span<const AttributeView>& part) {
    if (part.empty()) return;
    part = its.subspan(static_cast<std::size_t>(part.data() - theirs.data()),
                       part.size());
  };
  for (auto* members : {&out.fields_, &out.methods_}) {
    for (MemberView& member : *members) {
      moved(member.attributes);
      moved(member.code_attributes);
    }
  }
  return out;
}

const AttributeView* MemberView::attribute(
    std::string_view attribute_name) const {
  return find(attributes,
              [&](const auto& a) { return a.name == attribute_name; });
}

const AttributeView* MemberView::attribute(AttributeKind kind) const {
  return find(attributes, [&](const auto& a) { return a.kind == kind; });
}

const AttributeView* ClassView::attribute(
    std::string_view attribute_name) const {
  return find(attributes_,
              [&](const auto& a) { return a.name == attribute_name; });
}

const AttributeView* ClassView::attribute(AttributeKind kind) const {
  return find(attributes_, [&](const auto& a) { return a.kind == kind; });
}

bool ClassView::newer_than_known() const { return major_ > kLastKnownMajor; }

}  // namespace rejig::classfile
