// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/lambda_site.h"

#include "classfile/reader/descriptor.h"

namespace rejig::jig {

using classfile::Tag;

namespace {

constexpr int kFlagMarkers = 2;
constexpr int kFlagBridges = 4;

}  // namespace

std::optional<LambdaSite> lambda_site(const classfile::ClassView& cls,
                                      std::uint16_t index) {
  const auto& pool = cls.pool();
  const auto site = pool.dynamic(index);
  if (site.bootstrap >= cls.bootstrap_methods().size()) return std::nullopt;
  const auto& boot = cls.bootstrap_methods()[site.bootstrap];
  const auto factory = pool.handle(boot.handle).ref;
  if (factory.owner != "java/lang/invoke/LambdaMetafactory" ||
      boot.arguments.size() < 3) {
    return std::nullopt;
  }
  const auto result =
      classfile::MethodDescriptor(site.descriptor).result_text();
  if (result.size() < 3 || !result.starts_with('L')) return std::nullopt;
  LambdaSite out;
  out.interfaces.push_back(result.substr(1, result.size() - 2));
  out.method = std::string(site.name);
  out.descriptors.emplace_back(pool.text(boot.arguments[0]));
  if (factory.name != "altMetafactory" || boot.arguments.size() < 4) {
    return out;
  }
  std::size_t at = 3;
  auto next_int = [&]() -> int {
    if (at >= boot.arguments.size() ||
        pool.tag(boot.arguments[at]) != Tag::kInteger) {
      return 0;
    }
    return pool.int_value(boot.arguments[at++]);
  };
  const int flags = next_int();
  if ((flags & 1) != 0) out.interfaces.push_back("java/io/Serializable");
  if ((flags & kFlagMarkers) != 0) {
    for (int n = next_int(); n > 0 && at < boot.arguments.size(); --n) {
      out.interfaces.push_back(pool.text(boot.arguments[at++]));
    }
  }
  if ((flags & kFlagBridges) != 0) {
    for (int n = next_int(); n > 0 && at < boot.arguments.size(); --n) {
      out.descriptors.emplace_back(pool.text(boot.arguments[at++]));
    }
  }
  return out;
}

}  // namespace rejig::jig
