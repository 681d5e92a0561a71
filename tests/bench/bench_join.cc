// SPDX-License-Identifier: Apache-2.0
// How long does it take to make rows of what a recorder wrote, and in how much
// memory?
//
//   bench_join join FOLDER STORE [PROJECT]
//       reads the row files of the folder, joins them, writes the store
//   bench_join generate FILE TESTS CLASSES [beside]
//       a row file of one JVM: a tenth of the classes are test classes. A test
//       enters some 40 methods of its package, 3 of others and the 5 that all
//       of its class enter; classes name each other, have initializers and
//       inherit; libraries hang together. `beside`: each test is
//       joined to the one before it, as two that ran at a time. Always the same
//       bytes.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <libdeflate.h>

#include "classfile/base/hash.h"
#include "classfile/base/hash_map.h"
#include "classfile/base/parallel.h"
#include "coverage/row/row_file_join.h"
#include "coverage/store/store.h"

namespace {

using namespace rejig;

class Watch {
 public:
  // Since the last call.
  void print(const char* what, const std::string& answer) {
    const auto wall = std::chrono::steady_clock::now();
    const double cpu = cpu_ms();
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%-8s %9.1f ms %9.1f ms CPU %6.0f MB  %s\n", what,
                std::chrono::duration<double, std::milli>(wall - wall_).count(),
                cpu - cpu_, static_cast<double>(usage.ru_maxrss) / 1024,
                answer.c_str());
    wall_ = std::chrono::steady_clock::now();
    cpu_ = cpu_ms();
  }

 private:
  static double cpu_ms() {
    timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 +
           static_cast<double>(now.tv_nsec) / 1e6;
  }
  std::chrono::steady_clock::time_point wall_ =
      std::chrono::steady_clock::now();
  double cpu_ = cpu_ms();
};

int fail(const std::string& what) {
  std::fprintf(stderr, "bench_join: %s\n", what.c_str());
  return 1;
}

int join(const std::string& folder, const std::string& store,
         const std::string& project) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  Watch watch;
  std::vector<coverage::RowFile> files;
  for (const auto& path : paths) {
    auto file = coverage::read_row_file(path);
    if (!file.ok()) return fail(file.error().message());
    files.push_back(std::move(*file));
  }
  watch.print("read", std::to_string(files.size()) + " files");
  base::ThreadPool pool;
  coverage::JoinOptions options;
  options.project = project;
  options.pool = &pool;
  coverage::MatrixBuilder builder;
  const auto report = coverage::join_row_files(files, options, builder);
  watch.print("join", std::to_string(report.rows) + " rows, " +
                          std::to_string(report.partial) + " partial, " +
                          std::to_string(report.failed) + " failed");
  const auto matrix = builder.finish();
  watch.print("matrix", std::to_string(matrix->atom_count()) + " atoms, " +
                            std::to_string(matrix->pair_count()) + " pairs");
  const auto written = coverage::write_store(store, *matrix, {.pool = &pool});
  if (!written.ok()) return fail(written.error().message());
  watch.print("commit", std::to_string(std::filesystem::file_size(store)) +
                            " bytes");
  return 0;
}

struct Random {
  std::uint64_t state = 20251120;
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(
        base::mix64(state += 0x9e3779b97f4a7c15) % n);
  }
};

class Payload {
 public:
  Payload& u(unsigned bytes, std::uint64_t value) {
    while (bytes-- > 0) out_ += static_cast<char>(value >> 8 * bytes & 0xff);
    return *this;
  }
  Payload& text(const std::string& text) {
    u(2, text.size());
    out_ += text;
    return *this;
  }
  Payload& varint(std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) {
      out_ += static_cast<char>(value | 0x80);
    }
    out_ += static_cast<char>(value);
    return *this;
  }
  Payload& work(const std::vector<std::vector<std::uint32_t>>& lists) {
    for (const auto& list : lists) u(4, list.size());
    for (const auto& list : lists) {
      std::uint32_t last = 0;
      for (const auto n : list) {
        const auto d = static_cast<std::int32_t>(n - last);
        varint(static_cast<std::uint32_t>(d) << 1 ^
               static_cast<std::uint32_t>(d >> 31));
        last = n;
      }
    }
    return *this;
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
};

class Generator {
 public:
  Generator(const std::string& path, std::uint32_t tests,
            std::uint32_t classes, bool beside)
      : file_(std::fopen(path.c_str(), "wb")),
        beside_(beside),
        tests_(tests),
        classes_(classes),
        test_classes_(std::max(1U, classes / 10)) {}
  ~Generator() {
    if (file_ != nullptr) std::fclose(file_);
  }

  int run() {
    if (file_ == nullptr) return fail("cannot write");
    const std::string head =
        Payload().u(8, 0x72656a6967726f77U).u(4, 4).u(4, 0).bytes();
    std::fwrite(head.data(), 1, head.size(), file_);
    jvm();
    for (std::uint32_t c = 0; c < all_classes(); ++c) {
      put(12, Payload().u(4, c + 1).text(name(c)));
    }
    for (std::uint32_t c = 0; c < all_classes(); ++c) a_class(c);
    session();
    for (std::uint32_t t = 0; t < tests_;) {
      const std::uint32_t test_class = class_of(t);
      std::uint32_t end = t;
      while (end < tests_ && class_of(end) == test_class) ++end;
      container(test_class, t, end);
      t = end;
    }
    put(11, Payload().u(8, time_));
    return std::ferror(file_) == 0 ? 0 : fail("cannot write");
  }

 private:
  static constexpr std::uint32_t kMethods = 12;
  static constexpr std::uint32_t kPackage = 40;
  static constexpr std::uint32_t kLibrary = 3000;

  std::uint32_t class_of(std::uint32_t test) const {
    return static_cast<std::uint32_t>(std::uint64_t{test} * test_classes_ /
                                      tests_);
  }
  std::uint32_t all_classes() const { return classes_ + kLibrary; }
  bool is_library(std::uint32_t c) const { return c >= classes_; }
  std::string name(std::uint32_t c) const {
    if (is_library(c)) return "lib/p" + std::to_string(c % 37) + "/L" + std::to_string(c);
    return "com/acme/p" + std::to_string(c / kPackage) +
           (c % 10 == 0 ? "/C" + std::to_string(c) + "Test"
                        : "/C" + std::to_string(c));
  }
  std::string dotted(std::uint32_t c) const {
    std::string out = name(c);
    std::replace(out.begin(), out.end(), '/', '.');
    return out;
  }
  // Of the package or, seldom, another one.
  std::uint32_t near(std::uint32_t c) {
    if (random_.below(40) == 0) return random_.below(classes_);
    const std::uint32_t first = c / kPackage * kPackage;
    return first + random_.below(std::min(kPackage, classes_ - first));
  }

  void put(unsigned kind, const Payload& payload) {
    const std::string record =
        Payload().u(4, payload.bytes().size()).u(1, kind).bytes() +
        payload.bytes();
    const auto crc =
        libdeflate_crc32(0, record.data(), record.size());
    const std::string end = Payload().u(4, crc).bytes();
    std::fwrite(record.data(), 1, record.size(), file_);
    std::fwrite(end.data(), 1, end.size(), file_);
  }

  void jvm() {
    const std::vector<std::string> kinds = {
        "m",    "inst", "init", "load", "ext",      "refl",
        "miss", "res",  "resmiss", "stackapi", "state", "left"};
    Payload p;
    p.u(8, time_).u(4, 100).u(4, 1).text("default").u(2, kinds.size());
    for (const auto& kind : kinds) p.text(kind);
    p.u(2, 1).text("user.dir").text("/nowhere");
    put(1, p);
  }

  void a_class(std::uint32_t c) {
    const bool library = is_library(c);
    Payload p;
    p.u(4, c + 1).u(1, library ? 2 : 0).text("").text(name(c));
    for (int i = 0; i < 4; ++i) p.u(8, library ? 0 : base::mix64(c * 4U + static_cast<unsigned>(i)));
    p.u(4, 0).u(2, 0x0021 | (c % 5 == 1 ? 0x0002 : 0));
    // One class of the package is what a third of it extends.
    const std::uint32_t base_class = c / kPackage * kPackage + 1;
    const bool extends = !library && c % 3 == 0 && base_class < classes_ && base_class != c;
    p.text(extends ? name(base_class) : "java/lang/Object").u(2, 0);
    std::vector<std::uint32_t> names;
    for (std::uint32_t i = 0; i < 12; ++i) {
      if (library) {
        names.push_back(classes_ + random_.below(kLibrary));
      } else {
        names.push_back(i % 4 == 3 ? classes_ + random_.below(kLibrary)
                                   : near(c));
      }
    }
    p.varint(static_cast<std::uint32_t>(names.size()));
    p.varint(static_cast<std::uint32_t>(names.size()));
    for (const auto n : names) p.varint(n + 1);
    p.u(4, 1 + c * kMethods).u(2, library ? 0 : kMethods);
    for (std::uint32_t m = 0; !library && m < kMethods; ++m) {
      const bool test = c % 10 == 0 && m > 4;
      p.u(2, m == 1 ? 8 : 1);
      p.text(m == 0   ? "<init>"
             : m == 1 ? "<clinit>"
                      : "method" + std::to_string(m));
      p.text("()V").u(1, 1 | (test ? 16 : 0));
      p.varint(5);
      for (std::uint32_t i = 0; i < 5; ++i) {
        // Few initializers lead to others.
        const std::uint32_t use = i == 0 && m % 4 == 0   ? 3
                                  : i == 1 && m % 6 == 0 ? 6
                                                         : 0;
        p.varint(random_.below(12) << 3 | use);
      }
    }
    put(2, p);
  }

  void session() {
    std::vector<std::uint32_t> loaded;
    for (std::uint32_t i = 0; i < kLibrary / 4; ++i) loaded.push_back(classes_ + i + 1);
    // What runners look up of each test class.
    std::vector<std::uint32_t> facts;
    std::uint32_t fact = 1;
    for (std::uint32_t t = 0; t < test_classes_; ++t) {
      const std::uint32_t c = t * 10;
      if (c >= classes_) break;
      loaded.push_back(c + 1);
      for (const unsigned kind : {1U | 32U, 18U | 32U, 12U}) {
        put(4, Payload().u(4, fact).u(1, kind).text(dotted(c)));
        facts.push_back(fact++);
      }
    }
    next_fact_ = fact;
    put(6, Payload().u(4, 0).work({{}, loaded, facts, {}}));
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (c % 3 != 0) continue;
      put(8, Payload().u(4, c + 1).u(1, 1).work(
                 {{1 + c * kMethods + 1, 1 + near(c) * kMethods + 3}, {}, {}, {}}));
    }
  }

  void container(std::uint32_t test_class, std::uint32_t from,
                 std::uint32_t end) {
    const std::uint32_t c = test_class * 10 < classes_ ? test_class * 10 : 0;
    const std::uint32_t number = next_scope_++;
    begin(number, 1, 0, dotted(c));
    std::vector<std::uint32_t> common;
    for (int i = 0; i < 5; ++i) common.push_back(some_method(near(c)));
    for (std::uint32_t t = from; t < end; ++t) {
      const std::uint32_t scope = next_scope_++;
      begin(scope, 2, number, dotted(c) + "#method" + std::to_string(t) + "()");
      if (beside_ && last_test_ != 0) {
        put(9, Payload().u(4, scope).u(4, last_test_));
      }
      last_test_ = scope;
      std::vector<std::uint32_t> methods = common;
      methods.push_back(1 + c * kMethods);
      for (int i = 0; i < 40; ++i) methods.push_back(some_method(near(c)));
      for (int i = 0; i < 3; ++i) {
        methods.push_back(some_method(random_.below(classes_)));
      }
      std::sort(methods.begin(), methods.end());
      std::vector<std::uint32_t> facts;
      // Created by reflection, found changed, creatable.
      for (const auto& [kind, one_of] : {std::pair(2U, 4U), {25U, 50U}, {3U, 100U}}) {
        if (random_.below(one_of) != 0) continue;
        facts.push_back(a_fact(kind, dotted(near(c))));
      }
      put(6, Payload().u(4, scope).work({methods, {}, facts, {}}));
      time_ += 1000;
      put(7, Payload().u(4, scope).u(1, 0).u(1, 0).u(8, time_));
    }
    put(6, Payload().u(4, number).work({common, {c + 1}, {}, {}}));
    put(7, Payload().u(4, number).u(1, 0).u(1, 0).u(8, time_));
  }
  // But no initializer.
  std::uint32_t some_method(std::uint32_t c) {
    return 1 + c * kMethods + 2 + random_.below(kMethods - 2);
  }
  std::uint32_t a_fact(unsigned kind, const std::string& text) {
    const std::string key = std::to_string(kind) + text;
    const auto [at, fresh] = fact_of_.try_emplace(key, next_fact_);
    if (fresh) put(4, Payload().u(4, next_fact_++).u(1, kind).text(text));
    return *at;
  }
  void begin(std::uint32_t scope, unsigned kind, std::uint32_t parent,
             const std::string& id) {
    put(5, Payload().u(4, scope).u(1, kind).u(4, parent).u(8, time_).text(id));
  }

  std::FILE* file_;
  bool beside_;
  std::uint32_t last_test_ = 0;
  std::uint32_t tests_;
  std::uint32_t classes_;
  std::uint32_t test_classes_;
  std::uint64_t time_ = 1'700'000'000'000'000;
  std::uint32_t next_scope_ = 1;
  std::uint32_t next_fact_ = 1;
  base::HashMap<std::string, std::uint32_t> fact_of_;
  Random random_;
};

}  // namespace

int main(int argc, char** argv) {
  if ((argc == 4 || argc == 5) && std::strcmp(argv[1], "join") == 0) {
    return join(argv[2], argv[3], argc == 5 ? argv[4] : "");
  }
  if (argc >= 5 && argc <= 6 && std::strcmp(argv[1], "generate") == 0) {
    return Generator(argv[2],
                     static_cast<std::uint32_t>(std::atoi(argv[3])),
                     static_cast<std::uint32_t>(std::atoi(argv[4])), argc == 6)
        .run();
  }
  return fail(
      "usage: join FOLDER STORE [PROJECT] | "
      "generate FILE TESTS CLASSES [beside]");
}
