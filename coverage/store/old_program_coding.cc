// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/old_program_coding.h"

#include "coverage/store/store_block.h"
#include "coverage/store/stored_artefact.h"

namespace rejig::coverage {

namespace {

std::pair<std::string, std::string> get_pair(base::ByteReader& in) {
  std::string first(get_text(in));
  return {std::move(first), std::string(get_text(in))};
}

}  // namespace

void put_digest(std::string& out, const base::Digest256& digest) {
  for (const std::uint64_t word : digest.words) {
    for (unsigned shift = 64; shift > 0; shift -= 8) {
      out += static_cast<char>(word >> (shift - 8) & 0xff);
    }
  }
}

base::Digest256 get_digest(base::ByteReader& in) {
  base::Digest256 out;
  for (std::uint64_t& word : out.words) word = in.u8();
  return out;
}

void put_head(std::string& out, const ProgramHead& head) {
  put_text(out, kProgramMagic);
  put_varint(out, head.origin.release);
  put_text(out, head.origin.platform);
  put_text(out, head.origin.patterns);
  put_varint(out, head.origin.libraries.size());
  for (const auto& library : head.origin.libraries) {
    put_text(out, library.name);
    put_text(out, library.digest);
  }
  for (const auto* refused : {&head.refused, &head.refused_by_some}) {
    put_varint(out, refused->size());
    for (const auto& [in, why] : *refused) {
      put_text(out, in);
      put_text(out, why);
    }
  }
  for (const auto* digests : {&head.packs, &head.lists}) {
    put_varint(out, digests->size());
    for (const auto& digest : *digests) put_digest(out, digest);
  }
  put_varint(out, head.chunks.size());
  for (const ChunkEntry& chunk : head.chunks) {
    put_varint(out, chunk.classes);
    out += static_cast<char>(chunk.matchable ? 1 : 0);
    put_digest(out, chunk.digest);
    put_varint(out, chunk.fact);
    put_varint(out, chunk.offset);
  }
}

bool get_head(base::ByteReader& in, ProgramHead& out) {
  if (get_text(in) != kProgramMagic) return false;
  out.origin.release = static_cast<unsigned>(get_varint(in));
  out.origin.platform = std::string(get_text(in));
  out.origin.patterns = std::string(get_text(in));
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    auto [name, digest] = get_pair(in);
    out.origin.libraries.push_back({std::move(name), std::move(digest)});
  }
  for (auto* refused : {&out.refused, &out.refused_by_some}) {
    for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
      refused->push_back(get_pair(in));
    }
  }
  for (auto* digests : {&out.packs, &out.lists}) {
    for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
      digests->push_back(get_digest(in));
    }
  }
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    ChunkEntry chunk;
    chunk.classes = get_varint(in);
    chunk.matchable = in.u1() != 0;
    chunk.digest = get_digest(in);
    chunk.fact = get_varint(in);
    chunk.offset = get_varint(in);
    if (chunk.fact >= out.lists.size()) in.fail();
    out.chunks.push_back(chunk);
  }
  return !in.failed();
}

void put_tests(std::string& out, const std::vector<StoredTest>& tests) {
  put_varint(out, tests.size());
  StoredTest before;
  for (const auto& test : tests) {
    put_front_coded(out, before.id, test.id);
    put_front_coded(out, before.class_name, test.class_name);
    put_front_coded(out, before.declared_in, test.declared_in);
    put_front_coded(out, before.framework, test.framework);
    before = test;
  }
}

std::vector<StoredTest> get_tests(base::ByteReader& in) {
  std::vector<StoredTest> out;
  StoredTest test;
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    get_front_coded(in, test.id);
    get_front_coded(in, test.class_name);
    get_front_coded(in, test.declared_in);
    get_front_coded(in, test.framework);
    out.push_back(test);
  }
  return out;
}

}  // namespace rejig::coverage
