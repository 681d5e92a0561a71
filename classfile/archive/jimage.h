// SPDX-License-Identifier: Apache-2.0
// Which resources does this jimage file (a JDK's lib/modules) hold? The format
// of jdk.internal.jimage: header, redirect and offset tables, attribute
// streams, strings, then the content; little or big endian as its magic says.
// Names are "module/path", sorted; the tables of packages are left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/arena.h"
#include "classfile/base/buffer.h"
#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

struct JimageResource {
  std::string_view name;          // "java.base/java/lang/Object.class"
  std::uint64_t offset = 0;       // of the content, in the file
  std::uint64_t size = 0;         // uncompressed
  std::uint64_t stored_size = 0;  // in the file
  bool compressed = false;
};

class Jimage {
 public:
  static bool has_magic(base::Bytes file);
  static base::Result<Jimage> parse(base::Bytes file, const std::string& where);

  const std::vector<JimageResource>& resources() const { return resources_; }
  // Undoes the compression that jlink may have applied; `where` for messages.
  base::Result<base::Bytes> decompress(const JimageResource& resource,
                                       base::Bytes stored,
                                       base::Buffer& buffer,
                                       const std::string& where) const;

 private:
  class Parser;
  std::string_view string_at(std::uint64_t offset) const;

  bool little_endian_ = false;
  base::Bytes strings_;
  base::Arena names_;
  std::vector<JimageResource> resources_;
};

}  // namespace rejig::classfile
