// SPDX-License-Identifier: Apache-2.0
// Any bytes as an artefact: opened, listed, looked up, every file read.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "classfile/archive/archive_lookup.h"
#include "classfile/program/program.h"

namespace {

using namespace rejig;

// What must be true of every artefact, however it came to be.
void must(bool truth, const char* what) {
  if (truth) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void look(const classfile::Program& program) {
  constexpr std::size_t kMostRead = 200;
  const classfile::Artefact& artefact = *program.roots()[0];
  const auto entries = artefact.entries();
  const auto containers = artefact.containers();
  base::Buffer buffer;
  for (std::size_t i = 0; i < entries.size() && i < kMostRead; ++i) {
    const auto id = classfile::EntryId::of(i);
    must(entries[i].container < containers.size(), "a container");
    must(entries[i].name.starts_with(containers[entries[i].container].prefix),
         "a name begins with its container's prefix");
    const auto stored = artefact.stored_bytes(id);
    must(!stored || stored->size() == entries[i].stored_size ||
             artefact.kind() == classfile::ArtefactKind::kClassFile,
         "stored bytes have the stored size");
    const auto bytes = artefact.read(id, buffer);
    must(!bytes.ok() || entries[i].size == bytes->size() ||
             !containers[entries[i].container].refused.empty(),
         "a file that is read has the size its entry says");
    must(bytes.ok() || !bytes.error().what.empty(), "an error says something");
  }
  must(classfile::loader_class_names(artefact, 17).size() == entries.size(),
       "one loader name for each entry");
  std::string_view last;
  for (const auto& file : program.classes()) {
    must(last.empty() || last < file.name, "classes are sorted and distinct");
    must(program.find_class(file.name) == &file, "classes are found");
    must(known_equal(program, file, program, file) ||
             !artefact.stored_bytes(file.entry),
         "a file equals itself");
    last = file.name;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  if (fd < 0 || ::write(fd, data, size) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  base::Diagnostics diagnostics;
  classfile::ProgramOptions options;
  options.follow_class_path = false;  // never opens what the input names
  const auto program = classfile::Program::load(
      {"/proc/self/fd/" + std::to_string(fd)}, options, diagnostics);
  if (program.ok()) look(*program);
  ::close(fd);
  return 0;
}
