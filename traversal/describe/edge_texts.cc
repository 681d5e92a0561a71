// SPDX-License-Identifier: Apache-2.0
#include "traversal/describe/edge_texts.h"

#include <utility>

#include "classfile/words/entity.h"

namespace rejig::traversal {

using classfile::Delta;
using classfile::MemberView;

namespace {

constexpr std::uint16_t kEntryFlags =
    classfile::kAccStatic | classfile::kAccSynchronized |
    classfile::kAccNative | classfile::kAccAbstract;

std::string entry_label(const MemberView& method) {
  std::string out;
  if (method.is(classfile::kAccStatic)) out += "static ";
  if (method.is(classfile::kAccSynchronized)) out += "synchronized ";
  if (method.is(classfile::kAccNative)) out += "native ";
  if (method.is(classfile::kAccAbstract)) out += "abstract ";
  out += method.attribute("Code") != nullptr ? "method with code"
                                             : "method without code";
  return out;
}

std::string sequence_text(const std::vector<std::string>& sequence) {
  std::string out;
  for (const auto& name : sequence) {
    if (!out.empty()) out += ", ";
    out += classfile::dotted(name);
  }
  return "[" + out + "]";
}

}  // namespace

bool same_entry_flags(const MemberView& old_method,
                      const MemberView& new_method) {
  return (old_method.access & kEntryFlags) == (new_method.access & kEntryFlags);
}

Delta method_delta(std::string_view class_name, std::string_view name,
                   std::string_view descriptor, std::string file) {
  Delta d;
  d.entity = classfile::method_entity(class_name, name, descriptor);
  d.file = std::move(file);
  if (name == "<clinit>") {
    d.rule = classfile::Rule::kD2;
    d.channel = classfile::Channel::kInitialization;
    d.subject = classfile::dotted(class_name);
  } else {
    d.rule = classfile::Rule::kD1;
    d.channel = classfile::Channel::kBody;
    d.at.push_back(d.entity);
  }
  return d;
}

void say_entries(Delta& d, const MemberView& old_method,
                 const MemberView& new_method) {
  d.label = "entry";
  d.old_fact = entry_label(old_method);
  d.new_fact = entry_label(new_method);
  d.why = "`" + d.entity + "` was a " + d.old_fact + " and is a " + d.new_fact;
}

Delta initialization_delta(jig::Name class_name,
                           const std::vector<std::string>& before,
                           const std::vector<std::string>& after) {
  Delta d;
  d.rule = classfile::Rule::kD13;
  d.channel = classfile::Channel::kInitialization;
  d.entity = classfile::dotted(class_name);
  d.subject = d.entity;
  d.label = "initialization";
  d.old_fact = sequence_text(before);
  d.new_fact = sequence_text(after);
  d.why = "initializing `" + d.entity + "` ran " + d.old_fact + " and runs " +
          d.new_fact;
  return d;
}

Delta file_delta(std::string_view path, std::string before,
                 std::string after) {
  Delta d;
  d.rule = classfile::Rule::kD20;
  d.channel = classfile::Channel::kArtefact;
  d.entity = std::string(path);
  d.subject = d.entity;
  d.label = "content";
  d.old_fact = std::move(before);
  d.new_fact = std::move(after);
  d.file = d.entity;
  d.why = "`" + d.entity + "` was " + d.old_fact + " and is " + d.new_fact;
  return d;
}

Delta external_below_delta(jig::Name class_name) {
  Delta d;
  d.rule = classfile::Rule::kD21;
  d.channel = classfile::Channel::kSelection;
  d.entity = classfile::dotted(class_name);
  d.subject = d.entity;
  d.label = "external class";
  d.old_fact = "below the old hierarchy";
  d.new_fact = "below a changed one";
  d.why = "the external class `" + d.entity +
          "` inherits from a class that changed";
  return d;
}

std::string fact_of(const jig::MethodAnswer& answer) {
  if (!answer.unknown.empty()) {
    return "a class that is not there: " + std::string(answer.unknown) +
           jig::rest_of(answer);
  }
  if (!answer.found()) return std::string(jig::name_of(answer.error));
  return classfile::method_entity(answer.holder->name, answer.method->name,
                                  answer.method->descriptor);
}

}  // namespace rejig::traversal
