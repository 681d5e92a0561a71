// SPDX-License-Identifier: Apache-2.0
// The bytes of a class that refers to `named` and has these methods, each of
// them `void name() { return; }`. `salt` makes others of the same meaning.
#pragma once

#include <string>
#include <vector>

#include "apps/agent/constant_pool.h"

namespace rejig::agent {

inline std::string class_bytes(const std::string& name,
                               const std::vector<std::string>& methods,
                               const std::vector<std::string>& named = {},
                               unsigned salt = 0) {
  Buffer pool;
  unsigned count = 1;
  const auto utf8 = [&](const std::string& s) {
    pool.u1(kUtf8);
    pool.text(s);
    return count++;
  };
  const auto cls = [&](const std::string& s) {
    const unsigned text = utf8(s);
    pool.u1(kClass);
    pool.u2(text);
    return count++;
  };
  const unsigned self = cls(name);
  const unsigned super = cls("java/lang/Object");
  for (const std::string& other : named) cls(other);
  const unsigned code = utf8("Code");
  const unsigned type = utf8("()V");
  pool.u1(kInteger);
  pool.u4(salt);
  ++count;
  Buffer body;
  for (const unsigned v : {0x21u, self, super, 0u, 0u}) body.u2(v);
  body.u2(static_cast<unsigned>(methods.size()));
  for (const std::string& method : methods) {
    for (const unsigned v : {8u, utf8(method), type, 1u, code}) body.u2(v);
    body.u4(13);
    for (const unsigned v : {0u, 1u, 0u, 1u}) body.u2(v);
    body.u1(0xb1);
    body.u4(0);
  }
  body.u2(0);
  Buffer out;
  out.u4(0xcafebabe);
  out.u4(52);
  out.u2(count);
  out.bytes(pool);
  out.bytes(body);
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

inline Bytes bytes_of(const std::string& s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

}  // namespace rejig::agent
