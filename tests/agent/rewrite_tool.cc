// SPDX-License-Identifier: Apache-2.0
// rewrite_tool IN OUT: puts the recorder's prefix in front of every method of
// every class file below IN, writes them below OUT, and prints how many classes
// came to which verdict, and whether java.lang.Class lists members as known.
// Exit 1 when a class is neither rewritten nor without code.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "apps/agent/class_info.h"
#include "apps/agent/listing.h"
#include "apps/agent/rewriter.h"

namespace {

namespace fs = std::filesystem;
using rejig::agent::Verdict;

bool mark(void* next, const rejig::agent::MethodHead& method,
          rejig::agent::Prefix& prefix) {
  prefix.marks = method.name != "<clinit>";
  prefix.hook = prefix.marks ? "MARKS" : "initializes";
  prefix.descriptor = prefix.marks ? "[S" : "(I)V";
  if (!prefix.marks) prefix.at_end = "initialized";
  prefix.has_number = true;
  prefix.number = (*static_cast<int*>(next))++;
  return true;
}

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: rewrite_tool IN OUT\n");
    return 2;
  }
  const fs::path in = argv[1], out = argv[2];
  std::map<std::string, int> verdicts;
  std::vector<std::string> declined;
  int methods = 0;
  double seconds = 0;
  for (const auto& entry : fs::recursive_directory_iterator(in)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".class") {
      continue;
    }
    const std::string bytes = slurp(entry.path());
    const rejig::base::Bytes view(
        reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
    rejig::agent::Arena arena;
    rejig::agent::Buffer made;
    const auto begin = std::chrono::steady_clock::now();
    const Verdict v = rejig::agent::rewrite(view, mark, &methods, arena, made);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                             begin)
                   .count();
    ++verdicts[rejig::agent::verdict_name(v)];
    rejig::agent::ClassInfo info;
    const bool read = rejig::agent::read_class(view, arena, info);
    if (!read) declined.push_back(entry.path().string() + ": not read");
    if (info.name == "java/lang/Class") {
      std::printf("lists as known: %s\n",
                  rejig::agent::lists_as_known(view) ? "yes" : "no");
    }
    const fs::path target = out / fs::relative(entry.path(), in);
    fs::create_directories(target.parent_path());
    std::ofstream file(target, std::ios::binary);
    if (v == Verdict::kRewritten) {
      file.write(reinterpret_cast<const char*>(made.data()),
                 static_cast<std::streamsize>(made.size()));
    } else {
      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    if (v != Verdict::kRewritten && v != Verdict::kNothingToDo) {
      declined.push_back(entry.path().string() + ": " +
                         rejig::agent::verdict_name(v));
    }
  }
  for (const auto& [name, n] : verdicts) {
    std::printf("%s: %d\n", name.c_str(), n);
  }
  std::printf("methods: %d in %.0f ms\n", methods, seconds * 1000);
  for (const std::string& d : declined) std::printf("%s\n", d.c_str());
  return declined.empty() ? 0 : 1;
}
