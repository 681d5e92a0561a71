// SPDX-License-Identifier: Apache-2.0
// How long does `rejig select NEW` take when one class of a large jar changed?
//
//   bench_select JAR WORK REJIG [TESTS]
//
// Makes a matrix of TESTS (20,000) generated tests, each with 40 classes of the
// jar that lie near each other by name and all their methods (its rows carry
// all facts), and keeps the jar in it as the old program. NEW is the same jar
// behind a folder with one class in which a string differs. Compared with the
// least that must be done (limit.h): map the jar, walk its directory, hash the
// stored bytes of every class, on as many threads; beside it, hashing alone,
// when all that is mapped and located already. Then the same files in one folder, as a compiler leaves them,
// one of them changed, the others as they were when they were read last:
// compared with lstat() of each. The answer is printed beside the times.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "classfile/base/hash.h"
#include "classfile/base/parallel.h"
#include "classfile/program/program.h"
#include "classfile/reader/class_view.h"
#include "classfile/words/entity.h"
#include "coverage/store/matrix_builder.h"
#include "coverage/store/old_program.h"
#include "coverage/store/store.h"
#include "tests/bench/limit.h"
#include "tests/bench/process.h"
#include "traversal/compare.h"

namespace {

using namespace rejig;
using bench::Cost;
using bench::run_apart;
using bench::run_command;
using bench::run_here;
namespace fs = std::filesystem;
using classfile::Atom;
using classfile::AtomKind;
using classfile::Program;

constexpr int kRounds = 9;
constexpr std::size_t kClassesPerTest = 40;

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "bench_select: %s\n", what.c_str());
  std::exit(2);
}

void make_store(const Program& program, std::size_t tests,
                const std::string& path) {
  coverage::MatrixBuilder builder;
  const auto classes = program.classes();
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> methods;
  for (const auto& file : classes) {
    names.push_back(classfile::dotted(file.name));
    base::Buffer buffer;
    const auto bytes = program.read(file, buffer);
    if (!bytes.ok()) die(bytes.error().message());
    builder.add_class(names.back(), base::to_hex(base::sha256(*bytes)));
    methods.emplace_back();
    const auto cls = classfile::ClassView::parse_layout(*bytes, "");
    if (!cls.ok()) continue;
    for (const auto& method : cls->methods()) {
      methods.back().push_back(classfile::method_entity(
          cls->name(), method.name, method.descriptor));
    }
  }
  std::mt19937 random(1);
  std::exponential_distribution<double> near(1.0 / 200);
  for (std::size_t t = 0; t < tests; ++t) {
    const std::string id =
        "t.T" + std::to_string(t / 10) + "#m" + std::to_string(t % 10) + "()";
    coverage::Row row;
    row.suite = "s";
    row.test = id;
    row.facts = coverage::Facts::all();
    std::vector<Atom> atoms;
    for (std::size_t c = 0; c < kClassesPerTest; ++c) {
      const std::size_t i =
          (t / 10 * 19 + static_cast<std::size_t>(near(random))) % names.size();
      for (const auto& method : methods[i]) {
        atoms.push_back({AtomKind::kMethod, method});
      }
      atoms.push_back({AtomKind::kInst, names[i]});
      atoms.push_back({AtomKind::kLoad, names[i]});
    }
    builder.add_row(row, std::span<const Atom>(atoms));
  }
  std::vector<coverage::StoredTest> found;
  for (const auto& test : traversal::tests_of(program, {}, 0)) {
    found.push_back(
        {test.id, test.class_name, test.declared_in, test.framework});
  }
  coverage::add_program(builder, "s", program, {}, nullptr, {}, found);
  const auto done = coverage::write_store(path, *builder.finish());
  if (!done.ok()) die(done.error().message());
}

// The first class with code that holds a text, with that text in another case.
std::string change_one(const Program& program, const fs::path& folder) {
  const auto classes = program.classes();
  for (std::size_t i = classes.size() / 2; i < classes.size(); ++i) {
    base::Buffer buffer;
    const auto bytes = program.read(classes[i], buffer);
    if (!bytes.ok()) continue;
    const auto cls = classfile::ClassView::parse(*bytes, "");
    if (!cls.ok()) continue;
    const auto& pool = cls->pool();
    for (std::uint16_t k = 1; k < pool.count(); ++k) {
      if (pool.tag(k) != classfile::Tag::kString) continue;
      const auto text = pool.text(k);
      if (text.find(' ') == std::string_view::npos) continue;
      std::string out(reinterpret_cast<const char*>(bytes->data()),
                      bytes->size());
      out[static_cast<std::size_t>(
              text.data() - reinterpret_cast<const char*>(bytes->data())) +
          text.find(' ')] = '_';
      const fs::path file = folder / (std::string(classes[i].name) + ".class");
      fs::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << out;
      return classfile::dotted(classes[i].name);
    }
  }
  die("no class with a text");
}

// What is there to read, and how long that takes.
struct Limit {
  Cost fresh;
  Cost opened;  // the jar is open and mapped
  unsigned long long bytes = 0;
  unsigned long long classes = 0;
};

unsigned long long hash_all(const Program& program, base::ThreadPool& pool) {
  const auto classes = program.classes();
  std::vector<std::uint64_t> sums(pool.workers());
  pool.for_ranges(
      classes.size(), 64, [&](unsigned w, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto stored =
              program.artefact_of(classes[i]).stored_bytes(classes[i].entry);
          if (!stored) continue;
          sums[w] += stored->size() + (base::digest256(*stored).words[0] == 0 ? 1 : 0);
        }
      });
  unsigned long long bytes = 0;
  for (const auto sum : sums) bytes += sum;
  return bytes;
}

Limit measure_limit(const std::string& jar) {
  base::Diagnostics diagnostics;
  const auto program = Program::load({jar}, {}, diagnostics);
  if (!program.ok()) die(program.error().message());
  base::ThreadPool pool;
  Limit out;
  out.classes = program->classes().size();
  out.fresh = run_here(
      kRounds, [&] { out.bytes = bench::limit_hash(jar, pool.workers()).stored_bytes; });
  out.opened = run_here(kRounds, [&] { out.bytes = hash_all(*program, pool); });
  return out;
}

// All files of the program below `folder`, with the changed class.
void unpack(const Program& program, const fs::path& changed,
            const fs::path& folder) {
  const auto write = [&](std::string_view name, base::Bytes bytes) {
    const fs::path file = folder / std::string(name);
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  };
  base::Buffer buffer;
  for (const auto& file : program.classes()) {
    const auto bytes = program.read(file, buffer);
    if (bytes.ok()) write(std::string(file.name) + ".class", *bytes);
  }
  for (const auto& file : program.resources()) {
    if (file.name.ends_with('/')) continue;
    const auto bytes = program.read(file, buffer);
    if (bytes.ok()) write(file.name, *bytes);
  }
  fs::copy(changed, folder,
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

Cost lstat_all(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& item : fs::recursive_directory_iterator(folder)) {
    if (item.is_regular_file()) files.push_back(item.path());
  }
  std::size_t found = 0;
  const Cost out = run_here(kRounds, [&] {
    for (const auto& file : files) {
      struct stat info {};
      found += ::lstat(file.c_str(), &info) == 0 ? 1U : 0U;
    }
  });
  if (found != kRounds * files.size()) die("a file is gone");
  return out;
}

std::size_t lines_of(const std::string& path) {
  std::ifstream in(path);
  std::size_t out = 0;
  for (std::string line; std::getline(in, line);) ++out;
  return out;
}

void print(const char* what, const Cost& cost) {
  std::printf("%-24s%7.1f ms wall %7.1f ms cpu", what, cost.wall, cost.cpu);
}

void in_a_folder(const std::string& jar, const fs::path& work,
                 const std::string& rejig, const std::string& store) {
  const fs::path folder = work / "classes";
  if (!fs::exists(folder)) {
    run_apart<char>([&] {
      base::Diagnostics diagnostics;
      const auto program = Program::load({jar}, {}, diagnostics);
      if (!program.ok()) die(program.error().message());
      unpack(*program, work / "new", folder);
      return '\0';
    });
  }
  const std::string answer = (work / "answer").string();
  const std::vector<std::string> command = {
      rejig, "select",   folder.string(), "--coverage",
      store, "--format", "ids",           "-q"};
  // Files written within the last seconds are not remembered: nothing can be
  // measured before, and nothing but time makes them older.
  while (!fs::exists(store + ".stat")) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    run_command(command, 1, answer);
  }
  // One file that is not remembered, as after a compilation.
  for (const auto& item : fs::recursive_directory_iterator(work / "new")) {
    if (!item.is_regular_file()) continue;
    const auto name = fs::relative(item.path(), work / "new");
    fs::copy(item.path(), folder / name, fs::copy_options::overwrite_existing);
  }
  const Cost limit = run_apart<Cost>([&] { return lstat_all(folder); });
  const Cost took = run_command(command, kRounds, answer);
  std::printf("in a folder: %zu selected\n", lines_of(answer));
  print("lstat of each file", limit);
  std::printf("\n");
  print("select", took);
  std::printf(", %ld MB\n", took.kilobytes / 1024);
  std::printf("ratio                   %7.2f         %7.2f\n",
              took.wall / limit.wall, took.cpu / limit.cpu);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) die("usage: bench_select JAR WORK REJIG [TESTS]");
  const std::string jar = argv[1];
  const fs::path work = argv[2];
  const std::size_t tests = argc > 4 ? std::stoul(argv[4]) : 20'000;
  fs::create_directories(work);
  const std::string store = (work / "matrix.db").string();
  struct Changed {
    char name[512];
  };
  const auto changed = run_apart<Changed>([&] {
    base::Diagnostics diagnostics;
    const auto program = Program::load({jar}, {}, diagnostics);
    if (!program.ok()) die(program.error().message());
    if (!fs::exists(store)) make_store(*program, tests, store);
    Changed out{};
    change_one(*program, work / "new").copy(out.name, sizeof out.name - 1);
    return out;
  });
  const auto limit = run_apart<Limit>([&] { return measure_limit(jar); });
  const std::string answer = (work / "answer").string();
  const Cost took =
      run_command({argv[3], "select", (work / "new").string() + ":" + jar,
                   "--coverage", store, "--format", "ids", "-q"},
                  kRounds, answer);
  std::printf("%llu classes, %zu tests; `%s` changed: %zu selected\n",
              limit.classes, tests, changed.name, lines_of(answer));
  std::printf("read and hash %.1f MB   %7.1f ms wall %7.1f ms cpu\n",
              static_cast<double>(limit.bytes) / 1e6, limit.fresh.wall,
              limit.fresh.cpu);
  std::printf("  hashing alone         %7.1f ms wall %7.1f ms cpu\n",
              limit.opened.wall, limit.opened.cpu);
  std::printf("select                  %7.1f ms wall %7.1f ms cpu, %ld MB\n",
              took.wall, took.cpu, took.kilobytes / 1024);
  std::printf("ratio                   %7.2f         %7.2f\n",
              took.wall / limit.fresh.wall, took.cpu / limit.fresh.cpu);
  std::fflush(stdout);  // processes that end print it, too
  in_a_folder(jar, work, argv[3], store);
  return 0;
}
