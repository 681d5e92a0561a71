// SPDX-License-Identifier: Apache-2.0
// fuzz_seeds FUZZER FOLDER: small inputs of the right shape to start from.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "tests/classes/samples.h"
#include "tests/fuzz/store_seeds.h"
#include "tests/support/made_streams.h"
#include "tests/unit/archive/zip_builder.h"

namespace {

using namespace rejig::test;

std::vector<std::string> manifests() {
  return {"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n",
          "Manifest-Version: 1.0\nClass-Path: a.jar b/ c%20d.jar\n\n"
          "Name: x/Y.class\nSHA-256-Digest: abc=\n\n",
          "Multi-Release: tr\n ue\n"};
}

std::vector<std::string> archives() {
  const std::string cls = tiny_class("x/Y");
  const std::string inner = make_zip({zip_item("x/Y.class", cls, true)});
  std::vector<std::string> out;
  out.push_back(make_zip({}));
  out.push_back(
      make_zip({zip_item("META-INF/MANIFEST.MF", manifests()[0], true),
                zip_item("META-INF/versions/11/x/Y.class", cls, false),
                zip_item("x/Y.class", cls, true), zip_item("x/Y.class", cls, false)}));
  out.push_back(make_zip(
      {zip_item("BOOT-INF/lib/a.jar", inner, false),
       zip_item("BOOT-INF/lib/b.jar", inner, true),
       zip_item("BOOT-INF/classpath.idx", "- \"BOOT-INF/lib/b.jar\"\n", false)}));
  ZipItem wide = zip_item("wide", "wide", true);
  wide.zip64 = true;
  ZipItem described = zip_item("described", "described", true);
  described.data_descriptor = true;
  ZipItem encrypted = zip_item("encrypted", "x", false);
  encrypted.flags = 1;
  ZipItem odd = zip_item("odd", "x", false);
  odd.method = 12;
  ZipLayout layout;
  layout.zip64_end = true;
  layout.prefix = "prefix";
  layout.comment = "comment";
  out.push_back(make_zip({wide, described}, layout));
  out.push_back(make_zip({encrypted, odd}));
  layout = {};
  layout.prefix = std::string("JM\1\0", 4);
  out.push_back(make_zip({zip_item("classes/x/Y.class", cls, true)}, layout));
  out.push_back(cls);
  return out;
}

std::string u4(std::uint32_t v) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(v >> (8 * i) & 0xff);
  return out;
}

// Two resources, one of them compressed by "zip".
std::vector<std::string> images() {
  const std::string strings("\0m\0a/b\0C\0class\0zip\0", 19);
  const std::string packed =
      "\x78\x9c" + deflate(std::string(100, 'c')) + std::string("\0\0\0\0", 4);
  const std::string layer =
      u4(0xcafefafa) + u4(static_cast<std::uint32_t>(packed.size())) + u4(0) +
      u4(100) + u4(0) + u4(15) + u4(0) + "\1" + packed;
  const std::string plain("\x08\1\x10\3\x18\7\x20\x09\x28\0\x38\7\0", 13);
  std::string zipped("\x08\1\x10\3\x18\7\x28\7\x30?\x38\x64\0", 13);
  zipped[9] = static_cast<char>(layer.size());
  return {u4(0xcafedada) + u4(1u << 16) + u4(0) + u4(2) + u4(26) +
          u4(static_cast<std::uint32_t>(strings.size())) + u4(0) + u4(0) +
          u4(0) + u4(13) + plain + zipped + strings + "content" + layer};
}

std::vector<std::string> classes() {
  std::vector<std::string> out;
  for (const auto& list : {illegal_samples(), legal_samples()}) {
    for (const Sample& s : list) out.push_back(s.bytes);
  }
  return out;
}

// Four bytes that say how it is asked for, then a stream.
std::vector<std::string> fronts() {
  std::vector<std::string> out;
  for (const Sample& s : legal_samples()) {
    out.push_back(std::string("\x3f\xff\0\x08", 4) + deflate(s.bytes));
  }
  Random random(1);
  StreamMaker maker(random);
  for (unsigned i = 0; i < 60; ++i) {
    std::string how{static_cast<char>(random()), static_cast<char>(random()),
                    static_cast<char>(below(random, 3)),
                    static_cast<char>(below(random, 14))};
    out.push_back(how + maker.make(1 + i % 3, 1 << i % 8).stream);
  }
  return out;
}

std::vector<std::string> texts() {
  return {"()V",
          "(IJ[DLa/B;)[[Lc/D;",
          "Ljava/lang/String;",
          "[[[I",
          "<init>",
          "a/b/C$D",
          "(La)b;I)La)c;",
          "\xC0\x80",
          "\xED\xA0\xBD\xED\xB8\x80",
          "\xE1\x80"};
}

std::vector<std::string> jacoco() {
  const std::string header("\x01\xC0\xC0\x10\x07", 5);
  const std::string session =
      std::string("\x10\0\x09x.T#one()", 12) + std::string(16, '\0');
  return {header + session, header + session + "\x11" + std::string(8, '\x42') +
                                std::string("\0\x03x/Y\x02\x03", 7)};
}

std::vector<std::string> pit() {
  return {
      "<coverage><block classname='x.Y' method='f()V' number='0'>"
      "<tests><test name='x.T.one(x.T)'/></tests></block></coverage>",
      "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"};
}

std::vector<std::string> testwise() {
  return {R"~({"partial":false,"tests":[{"uniformPath":"x/T/one()","result":)~"
          R"~("PASSED","duration":0.5,"paths":[{"path":"x","files":[{)~"
          R"~("fileName":"Y.java","coveredLines":"1-3,7"}]}]}]})~"};
}

std::vector<std::string> lcov() {
  return {"TN:x.T#one()\nSF:x/Y.java\nDA:1,1\nDA:2,0\nend_of_record\n"};
}

std::vector<std::string> ndjson() {
  return {
      R"~({"v":1,"type":"matrix","classes":[{"name":"x.Y","digest":"00"}],)~"
      R"~("environment":{"java.version":"17","k":["a","b"]},"facts":["m","inst"]})~"
      "\n"
      R"~({"v":1,"suite":"s","test":"x.T#one()","grade":"complete",)~"
      R"~("result":"pass","ms":12,"facts":["m"],"atoms":["m:x.Y.f()V"]})~"
      "\n",
      R"~({"v":1,"test":"x.T#two()","grade":"shared","result":"fail",)~"
      R"~("atoms":["m:x.Y.f()V","inst:x.Y","res:a/\u0000b","load:x.Y"]})~"
      "\n"};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fuzz_seeds FUZZER FOLDER\n");
    return 2;
  }
  const std::string name = argv[1];
  const auto seeds = name == "fuzz_manifest"   ? manifests()
                     : name == "fuzz_jimage"   ? images()
                     : name == "fuzz_class"    ? classes()
                     : name == "fuzz_front"    ? fronts()
                     : name == "fuzz_text"     ? texts()
                     : name == "fuzz_store"    ? stores()
                     : name == "fuzz_jacoco"   ? jacoco()
                     : name == "fuzz_pit"      ? pit()
                     : name == "fuzz_testwise" ? testwise()
                     : name == "fuzz_lcov"     ? lcov()
                     : name == "fuzz_ndjson"   ? ndjson()
                                               : archives();
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    std::ofstream out(std::string(argv[2]) + "/seed-" + std::to_string(i),
                      std::ios::binary);
    out << seeds[i];
    if (!out) return 1;
  }
  return 0;
}
