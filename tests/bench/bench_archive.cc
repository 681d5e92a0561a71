// SPDX-License-Identifier: Apache-2.0
// How fast are the classes of these jars read, decoded and compared, beside the
// least that must be done (limit.h) and beside libzip? One process, all columns
// interleaved, the smallest of ROUNDS times; the answer beside every time.
//
//   bench_archive THREADS ROUNDS [--only COLUMN]... JAR…
//
// With one column and one round the process does nothing else, so that it can
// be measured as a whole from outside.
// The ratio is taken on wall time; on a busy machine the CPU times say more.
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "classfile/base/parallel.h"
#include "classfile/program/program.h"
#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "tests/bench/limit.h"

namespace rejig::bench {
namespace {

using classfile::Program;

struct Column {
  std::string name;
  std::string against;  // the column its ratio is taken to
  double allowed = 0;   // the largest ratio wanted; 0: none
  std::function<std::string()> run;
  double best = std::numeric_limits<double>::max();
  double best_cpu = std::numeric_limits<double>::max();
  std::string answer;
};

Program load(const std::string& jar) {
  base::Diagnostics diagnostics;
  classfile::ProgramOptions options;
  options.follow_class_path = false;
  auto program = Program::load({jar}, options, diagnostics);
  if (!program.ok()) {
    std::fprintf(stderr, "%s\n", program.error().message().c_str());
    std::exit(2);
  }
  return std::move(program).value();
}

std::string counts(const LimitAnswer& a, bool walked) {
  std::string out = std::to_string(a.classes) + " classes " +
                    std::to_string(a.bytes) + " bytes";
  if (walked) {
    out += " " + std::to_string(a.methods) + " methods " +
           std::to_string(a.instructions) + " instructions";
  }
  return out;
}

struct alignas(64) Worker {
  LimitAnswer answer;
  std::uint64_t symbols = 0;  // so that nothing decoded is thrown away unread
  base::Buffer buffer;
  classfile::ClassReader reader;
};

enum class Depth {
  kRead,
  kDecode,  // pool, members, every instruction with its operand as symbols
  kCheck,   // and the JVM's format checks before
};

// The characters of the operand's symbols.
std::uint64_t symbols_of(const classfile::ConstantPool& pool,
                         std::uint16_t index) {
  // Most of them name a member.
  const auto ref = pool.member(index);
  if (!ref.owner.empty()) {
    return ref.owner.size() + ref.name.size() + ref.descriptor.size();
  }
  const std::string_view text = pool.text(index);
  if (!text.empty()) return text.size();
  const auto site = pool.dynamic(index);
  return site.name.size() + site.descriptor.size();
}

void decode(base::Bytes bytes, std::string_view where, Depth depth,
            Worker& worker) {
  const auto parsed = depth == Depth::kCheck
                          ? worker.reader.parse(bytes, where)
                          : worker.reader.parse_layout(bytes, where);
  if (!parsed.ok()) return;
  const classfile::ClassView& cls = **parsed;
  std::uint64_t instructions = 0;
  std::uint64_t symbols = 0;
  for (const auto& method : cls.methods()) {
    const auto code = classfile::CodeView::of(cls, method);
    if (!code) continue;
    classfile::InstructionReader reader(code->code);
    classfile::Instruction in;
    while (reader.next(in)) {
      ++instructions;
      if (!classfile::names_constant(in.op)) continue;
      symbols += symbols_of(cls.pool(), in.index);
    }
  }
  worker.answer.methods += cls.methods().size();
  worker.answer.instructions += instructions;
  worker.symbols += symbols;
}

LimitAnswer sum(const std::vector<Worker>& workers) {
  LimitAnswer all;
  for (const Worker& worker : workers) {
    all.classes += worker.answer.classes;
    all.bytes += worker.answer.bytes;
    all.methods += worker.answer.methods;
    all.instructions += worker.answer.instructions;
  }
  return all;
}

LimitAnswer ours(const std::string& jar, base::ThreadPool& pool, Depth depth) {
  const Program program = load(jar);
  std::vector<Worker> workers(pool.workers());
  // Every class of the jar, those that a later root or folder would hide too.
  for (const auto files :
       {program.classes(), program.shadowed(), program.resources()}) {
    const bool resources = files.data() == program.resources().data();
    pool.for_ranges(
        files.size(), 64, [&](unsigned w, std::size_t begin, std::size_t end) {
          Worker& worker = workers[w];
          for (std::size_t i = begin; i < end; ++i) {
            const auto& root = program.artefact_of(files[i]);
            const auto name = root.entries()[files[i].entry.index()].name;
            if (resources && !name.ends_with(".class")) continue;
            const auto bytes = program.read(files[i], worker.buffer);
            if (!bytes.ok()) continue;
            ++worker.answer.classes;
            worker.answer.bytes += bytes->size();
            if (depth != Depth::kRead) {
              decode(*bytes, name, depth, worker);
            }
          }
        });
  }
  return sum(workers);
}

LimitAnswer by_libzip(const std::string& jar, base::ThreadPool& pool) {
  std::vector<Worker> workers(pool.workers());
  std::vector<zip_t*> handles;
  for (unsigned w = 0; w < pool.workers(); ++w) {
    int error = 0;
    handles.push_back(zip_open(jar.c_str(), ZIP_RDONLY, &error));
    if (handles.back() == nullptr) return {};
  }
  const auto n = static_cast<std::size_t>(zip_get_num_entries(handles[0], 0));
  pool.for_ranges(n, 64, [&](unsigned w, std::size_t begin, std::size_t end) {
    Worker& worker = workers[w];
    for (std::size_t i = begin; i < end; ++i) {
      zip_stat_t stat;
      if (zip_stat_index(handles[w], i, ZIP_FL_ENC_RAW, &stat) != 0 ||
          !std::string_view(stat.name).ends_with(".class")) {
        continue;
      }
      std::byte* const room = worker.buffer.room(stat.size);
      zip_file_t* const file = zip_fopen_index(handles[w], i, 0);
      if (file == nullptr) continue;
      const zip_int64_t got = zip_fread(file, room, stat.size);
      zip_fclose(file);
      ++worker.answer.classes;
      worker.answer.bytes +=
          static_cast<std::uint64_t>(std::max<zip_int64_t>(got, 0));
    }
  });
  for (zip_t* const handle : handles) zip_discard(handle);
  return sum(workers);
}

std::uint64_t compared(const Program& one, const Program& two,
                       base::ThreadPool& pool) {
  std::vector<Worker> workers(pool.workers());
  for (const auto files : {one.classes(), one.shadowed(), one.resources()}) {
    const auto others = files.data() == one.classes().data() ? two.classes()
                        : files.data() == one.shadowed().data()
                            ? two.shadowed()
                            : two.resources();
    pool.for_ranges(
        files.size(), 64, [&](unsigned w, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const auto& entry =
                one.artefact_of(files[i]).entries()[files[i].entry.index()];
            if (entry.name.ends_with(".class") &&
                known_equal(one, files[i], two, others[i])) {
              workers[w].answer.bytes += entry.stored_size;
            }
          }
        });
  }
  return sum(workers).bytes;
}

// The second of two equal jars, made when somebody asks for it.
class Twin {
 public:
  explicit Twin(std::string jar) : jar_(std::move(jar)) {}
  ~Twin() {
    if (!copy_.empty()) std::filesystem::remove(copy_);
  }
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  const std::string& path() {
    if (copy_.empty()) {
      copy_ = std::filesystem::temp_directory_path() /
              ("rejig-bench-" + std::to_string(::getpid()) + ".jar");
      std::filesystem::copy_file(
          jar_, copy_, std::filesystem::copy_options::overwrite_existing);
      one_ = load(jar_);
      two_ = load(copy_);
    }
    return copy_;
  }
  const Program& one() { return path(), one_; }
  const Program& two() { return path(), two_; }

 private:
  std::string jar_;
  std::string copy_;
  Program one_;
  Program two_;
};

int run(unsigned threads, int rounds, const std::vector<std::string>& only,
        const std::string& jar) {
  base::ThreadPool pool(threads);
  Twin twin(jar);

  std::vector<Column> columns;
  const auto add = [&](std::string name, std::string against, double allowed,
                       std::function<std::string()> body) {
    if (!only.empty() && std::ranges::find(only, name) == only.end()) return;
    Column column;
    column.name = std::move(name);
    column.against = std::move(against);
    column.allowed = allowed;
    column.run = std::move(body);
    columns.push_back(std::move(column));
  };
  const auto equal = [](std::uint64_t bytes) {
    return std::to_string(bytes) + " bytes equal";
  };
  add("limit: inflate", "", 0,
      [&] { return counts(limit_inflate(jar, threads), false); });
  add("rejig: read and inflate", "limit: inflate", 1.1,
      [&] { return counts(ours(jar, pool, Depth::kRead), false); });
  add("libzip and zlib", "limit: inflate", 0,
      [&] { return counts(by_libzip(jar, pool), false); });
  add("limit: inflate and walk", "", 0,
      [&] { return counts(limit_walk(jar, threads), true); });
  add("rejig: full decode", "limit: inflate and walk", 1.4,
      [&] { return counts(ours(jar, pool, Depth::kDecode), true); });
  add("rejig: decode and format checks", "limit: inflate and walk", 0,
      [&] { return counts(ours(jar, pool, Depth::kCheck), true); });
  add("limit: memcmp of equal jars", "", 0,
      [&] { return equal(limit_compare(jar, twin.path(), threads)); });
  add("rejig: equal classes (opened)", "limit: memcmp of equal jars", 1.2,
      [&] { return equal(compared(twin.one(), twin.two(), pool)); });
  add("rejig: opening both, equal classes", "limit: memcmp of equal jars", 0,
      [&] { return equal(compared(load(jar), load(twin.path()), pool)); });
  if (columns.empty()) {
    std::fprintf(stderr, "bench_archive: no such column\n");
    return 2;
  }
  for (int round = 0; round < rounds; ++round) {
    for (Column& column : columns) {
      const auto start = std::chrono::steady_clock::now();
      const std::clock_t cpu = std::clock();
      column.answer = column.run();
      column.best_cpu = std::min(
          column.best_cpu, 1000.0 * static_cast<double>(std::clock() - cpu) /
                               static_cast<double>(CLOCKS_PER_SEC));
      column.best =
          std::min(column.best, std::chrono::duration<double, std::milli>(
                                    std::chrono::steady_clock::now() - start)
                                    .count());
    }
  }
  std::printf("%s, %u thread%s, best of %d\n",
              std::filesystem::path(jar).filename().c_str(), threads,
              threads == 1 ? "" : "s", rounds);
  for (const Column& column : columns) {
    std::string ratio;
    for (const Column& other : columns) {
      if (other.name != column.against) continue;
      char text[64];
      std::snprintf(text, sizeof text, "%.2fx wall %.2fx CPU",
                    column.best / other.best, column.best_cpu / other.best_cpu);
      ratio = text;
      if (column.allowed > 0) {
        std::snprintf(text, sizeof text, " (<= %.1f)", column.allowed);
        ratio += text;
      }
    }
    std::printf("  %-35s %8.1f ms %8.1f CPU  %-32s %s\n", column.name.c_str(),
                column.best, column.best_cpu, ratio.c_str(),
                column.answer.c_str());
  }
  return 0;
}

}  // namespace
}  // namespace rejig::bench

int main(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  std::vector<std::string> only;
  while (args.size() > 3 && args[2] == "--only") {
    only.push_back(args[3]);
    args.erase(args.begin() + 2, args.begin() + 4);
  }
  if (args.size() < 3) {
    std::fprintf(
        stderr,
        "usage: bench_archive THREADS ROUNDS [--only COLUMN]... JAR...\n");
    return 2;
  }
  for (std::size_t i = 2; i < args.size(); ++i) {
    if (rejig::bench::run(static_cast<unsigned>(std::atoi(args[0].c_str())),
                          std::atoi(args[1].c_str()), only, args[i]) != 0) {
      return 2;
    }
  }
  return 0;
}
