// SPDX-License-Identifier: Apache-2.0
#include "traversal/verify/verify.h"

#include "classfile/reader/code.h"
#include "traversal/verify/method_check.h"
#include "traversal/verify/relations.h"

namespace rejig::traversal::verify {

Finding verify_class(const jig::World& world, const classfile::ClassView& cls,
                     std::span<const std::uint8_t> skips) {
  constexpr std::string_view kThrowable = "java/lang/Throwable";
  Finding out;
  if (cls.major() < kFirstVerified) return out;
  const Relations relations(world, out.unknown);
  const auto methods = cls.methods();
  for (std::size_t i = 0; i < methods.size() && out.refused.empty(); ++i) {
    if (i < skips.size() && skips[i] != 0) continue;
    const auto code = classfile::CodeView::of(cls, methods[i]);
    if (!code) continue;
    std::string why;
    for (std::uint16_t k = 0; k < code->handler_count && why.empty(); ++k) {
      const auto handler = code->handler(k);
      if (handler.type == 0) continue;
      const auto caught = cls.pool().text(handler.type);
      if (!relations.fits_class(caught, kThrowable)) {
        why = "catches " + std::string(caught) + ", which is no Throwable";
      }
    }
    if (why.empty()) why = MethodCheck(cls, methods[i], *code, relations).run();
    if (why.empty()) continue;
    out.refused = std::string(methods[i].name) +
                  std::string(methods[i].descriptor) + " " + why;
  }
  return out;
}

}  // namespace rejig::traversal::verify
