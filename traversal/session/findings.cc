// SPDX-License-Identifier: Apache-2.0
#include "traversal/session/findings.h"

#include "classfile/words/entity.h"

namespace rejig::traversal {

void report_unreadable(Findings& findings, jig::Name name,
                       const base::Error& error) {
  classfile::Delta d;
  d.rule = classfile::Rule::kD14;
  d.channel = classfile::Channel::kLinking;
  d.entity = classfile::dotted(name);
  d.subject = d.entity;
  d.old_fact = d.new_fact = "unreadable";
  d.why = "`" + d.entity + "` cannot be read, so its users are in doubt";
  findings.edges.push_back(std::move(d));
  findings.widened.push_back(
      {error.what + "; its references cannot be followed", error.where});
}

}  // namespace rejig::traversal
