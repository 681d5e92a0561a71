// SPDX-License-Identifier: Apache-2.0
#include "traversal/describe/versions.h"

#include <utility>

#include "classfile/words/entity.h"
#include "traversal/session/session.h"

namespace rejig::traversal {

namespace {

class SessionVersions final : public Versions {
 public:
  explicit SessionVersions(std::shared_ptr<const Session> session)
      : session_(std::move(session)) {}

  const jig::ClassShell* shell(Side side,
                               std::string_view name) const override {
    const ClassNode* node = find(side, name);
    return node != nullptr && node->readable() ? node->shell.get() : nullptr;
  }

  const classfile::ClassView* view(Side side,
                                   std::string_view name) const override {
    const ClassNode* node = find(side, name);
    if (node == nullptr || !node->internal) return nullptr;
    return side == Side::kOld ? session_->old_view(node->name)
                              : session_->new_view(node->name);
  }

  std::string name_in_new(std::string_view old_name) const override {
    if (session_->renaming.is_identity()) return std::string(old_name);
    return classfile::dotted(
        session_->renaming.class_name(classfile::slashed(old_name)));
  }

 private:
  const ClassNode* find(Side side, std::string_view name) const {
    const auto& world =
        side == Side::kOld ? session_->old_world : session_->new_world;
    return world.find(world.names().intern(classfile::slashed(name)));
  }

  std::shared_ptr<const Session> session_;
};

}  // namespace

std::shared_ptr<const Versions> versions_of(
    std::shared_ptr<const Session> session) {
  return std::make_shared<SessionVersions>(std::move(session));
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
