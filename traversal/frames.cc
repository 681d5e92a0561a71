// SPDX-License-Identifier: Apache-2.0
#include "traversal/frames.h"

#include "classfile/base/byte_reader.h"
#include "jig/shell.h"

namespace rejig::traversal {
namespace {

// Frame types (JVMS §4.7.4) up to which each form reaches.
constexpr unsigned kSame = 63;
constexpr unsigned kSameLocalsOneStack = 127;
constexpr unsigned kSameLocalsOneStackExtended = 247;
constexpr unsigned kSameExtended = 251;  // 248 to 250: chop
constexpr unsigned kFull = 255;
constexpr unsigned kObject = 7;
constexpr unsigned kUninitialized = 8;

class FrameTypes {
 public:
  FrameTypes(const classfile::ClassView& cls, base::Bytes table,
             const std::function<void(jig::Name)>& found)
      : cls_(cls), reader_(table), found_(found) {}

  void read() {
    for (unsigned left = reader_.u2(); left != 0 && !reader_.failed(); --left) {
      const unsigned form = reader_.u1();
      if (form <= kSame) continue;
      if (form <= kSameLocalsOneStack) {
        types(1);
        continue;
      }
      reader_.skip(2);
      if (form == kFull) {
        types(reader_.u2());
        types(reader_.u2());
      } else if (form > kSameExtended) {
        types(form - kSameExtended);
      } else if (form <= kSameLocalsOneStackExtended) {
        types(1);
      }
    }
  }

 private:
  void types(unsigned count) {
    for (; count != 0 && !reader_.failed(); --count) {
      const unsigned tag = reader_.u1();
      if (tag == kObject) {
        const jig::Name name =
            jig::element_class(cls_.pool().text(reader_.u2()));
        if (!name.empty()) found_(name);
      } else if (tag == kUninitialized) {
        reader_.skip(2);
      }
    }
  }

  const classfile::ClassView& cls_;
  base::ByteReader reader_;
  const std::function<void(jig::Name)>& found_;
};

}  // namespace

void each_frame_type(const classfile::ClassView& cls,
                     const classfile::MemberView& method,
                     const std::function<void(jig::Name)>& found) {
  for (const auto& attribute : method.code_attributes) {
    if (attribute.kind == classfile::AttributeKind::kStackMapTable) {
      FrameTypes(cls, attribute.content, found).read();
    }
  }
}

}  // namespace rejig::traversal
