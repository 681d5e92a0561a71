// SPDX-License-Identifier: Apache-2.0
// Any bytes as a store. An input that begins with 'B' is a list of blocks (u1
// kind, u2 size, payload) that are given right checksums, so that what is
// behind the checksums is reached as well; anything else is the file itself. A
// store that opens and verifies must answer every question.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "coverage/store/old_program.h"
#include "coverage/store/store.h"
#include "coverage/store/store_block.h"

namespace {

using namespace rejig;

void require(bool condition) {
  if (!condition) std::abort();
}

const std::string& path() {
  static const std::string kPath =
      (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") +
      std::string("/rejig-fuzz-") + std::to_string(::getpid()) + ".db";
  return kPath;
}

bool write_blocks(base::ByteReader in) {
  auto writer = coverage::BlockWriter::create(path());
  if (!writer.ok()) return false;
  while (!in.at_end()) {
    const auto kind = static_cast<coverage::BlockKind>(in.u1() % 10);
    const std::size_t size = in.u2();
    const auto payload = in.bytes(std::min(size, in.remaining()));
    if (!(*writer)->add(kind, coverage::as_text(payload)).ok()) return false;
  }
  return (*writer)->finish().ok();
}

void ask(coverage::Matrix& matrix, bool verified) {
  const auto rows = matrix.rows();
  require(!verified || rows.ok());
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<classfile::AtomKind>(k);
    std::vector<coverage::AtomId> ids;
    const auto done = matrix.each_atom(
        kind, "", [&](coverage::AtomId id, std::string_view text) {
          ids.push_back(id);
          require(text.size() < (std::size_t{1} << 30));
        });
    require(!verified || done.ok());
    for (const auto id : ids) {
      coverage::RowSet set(matrix.row_count());
      require(matrix.add_rows_with(id, set).ok() || !verified);
    }
  }
  static_cast<void>(matrix.classes());
  static_cast<void>(matrix.environment());
  const auto suites = coverage::suites_with_program(matrix);
  if (!suites.ok()) return;
  for (const auto& suite : *suites) {
    const auto program = coverage::read_program(matrix, suite);
    if (!program.ok()) continue;
    for (const auto* one : {&program->internal, &program->shells}) {
      for (const auto& file : one->classes()) {
        base::Buffer buffer;
        static_cast<void>(one->read(file, buffer));
        require(one->find_class(file.name) != nullptr);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  ::unlink(path().c_str());
  if (size > 0 && data[0] == 'B') {
    if (!write_blocks(
            base::ByteReader(std::as_bytes(std::span(data + 1, size - 1))))) {
      return 0;
    }
  } else {
    std::ofstream(path(), std::ios::binary)
        .write(reinterpret_cast<const char*>(data),
               static_cast<std::streamsize>(size));
  }
  const bool verified = coverage::verify_store(path()).ok();
  const auto matrix = coverage::open_store(path());
  require(matrix.ok() || !verified);
  if (matrix.ok()) ask(**matrix, verified);
  ::unlink(path().c_str());
  return 0;
}
