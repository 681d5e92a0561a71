// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/command.h"
#include "classfile/base/file.h"
#include "classfile/class_view.h"
#include "classfile/modified_utf8.h"

namespace rejig::app {
namespace {

struct DumpOptions {
  std::string artefact;
};

int run_dump(const DumpOptions& o, Context& context) {
  auto text = base::read_file(o.artefact);
  if (!text.ok()) return context.trouble(text.error());
  auto cls = classfile::ClassView::parse(
      std::as_bytes(std::span(text->data(), text->size())), o.artefact);
  if (!cls.ok()) return context.trouble(cls.error());
  context.out->write("class " + classfile::to_utf8(cls->name()) + "\n");
  return kExitOk;
}

}  // namespace

Run declare_dump(CommandLine& line) {
  auto o = std::make_shared<DumpOptions>();
  line.positional("ARTIFACT", o->artefact, "a class file");
  line.formats({"text"});
  return [o](Context& context) { return run_dump(*o, context); };
}

}  // namespace rejig::app
