// SPDX-License-Identifier: Apache-2.0
#include "traversal/describe/versions.h"

#include <utility>

#include "classfile/words/entity.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

namespace {

class MatchedVersions final : public Versions {
 public:
  explicit MatchedVersions(std::shared_ptr<const Matching> matching)
      : matching_(std::move(matching)) {}

  const jig::ClassShell* shell(Side side,
                               std::string_view name) const override {
    const ClassNode* node = find(side, name);
    return node != nullptr && node->readable() ? node->shell.get() : nullptr;
  }

  const classfile::ClassView* view(Side side,
                                   std::string_view name) const override {
    const ClassNode* node = find(side, name);
    if (node == nullptr || !node->internal) return nullptr;
    return side == Side::kOld ? matching_->old_view(node->name)
                              : matching_->new_view(node->name);
  }

  std::string name_in_new(std::string_view old_name) const override {
    if (matching_->renaming.is_identity()) return std::string(old_name);
    return classfile::dotted(
        matching_->renaming.class_name(classfile::slashed(old_name)));
  }

 private:
  const ClassNode* find(Side side, std::string_view name) const {
    const Worlds& worlds = matching_->worlds;
    const auto& world =
        side == Side::kOld ? worlds.old_world : worlds.new_world;
    return world.find(world.names().intern(classfile::slashed(name)));
  }

  std::shared_ptr<const Matching> matching_;
};

}  // namespace

std::shared_ptr<const Versions> versions_of(
    std::shared_ptr<const Matching> matching) {
  return std::make_shared<MatchedVersions>(std::move(matching));
}

bool is_api(const Versions& versions, Side side, std::string_view name) {
  for (std::size_t end = name.size(); end != std::string_view::npos;
       end = name.rfind('$', end - 1)) {
    if (end == 0) break;
    const auto one = name.substr(0, end);
    const auto* shell = versions.shell(side, one);
    // `A$B` need not lie in a class `A`.
    if (shell == nullptr && end != name.size()) continue;
    if (shell == nullptr || !is_api_access(shell->access)) return false;
  }
  return true;
}

}  // namespace rejig::traversal
