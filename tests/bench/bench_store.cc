// SPDX-License-Identifier: Apache-2.0
// How large is the store of a very large project, and how fast does it answer
// "which tests touched these 100 methods"? A seeded matrix of 300,000 tests and
// 2,000,000 methods: methods a test are log-normal (median 900, mean 1,600),
// clustered in packages of 200 methods. A test class walks the packages near
// its own and some that many use; of each it can reach a half, of which each
// test enters three eighths; every 32nd method of a test is any other.
//
//   bench_store load STORE [SCALE]    writes the store; SCALE 10 = a tenth
//   bench_store query STORE [ROUNDS]  opens it and asks
//
// The reference line is the same rows as delta-varint, then zstd -3 row by row.
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <zstd.h>

#include "classfile/base/hash.h"
#include "coverage/store/store.h"

namespace {

using namespace rejig;
using classfile::AtomKind;
using coverage::MatrixBuilder;

constexpr std::uint64_t kSeed = 20240607;
constexpr unsigned kMethodsAPackage = 200;
constexpr unsigned kTestsAClass = 10;
constexpr double kMedian = 900;
// Of a test class and of a test in it; together they make the mean 1,600.
constexpr double kClassSigma = 0.995;
constexpr double kTestSigma = 0.4;
constexpr double kDensity = 0.5 * 0.375;

class Clock {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

double cpu_ms() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 +
         static_cast<double>(now.tv_nsec) / 1e6;
}

double peak_mb() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Random {
  std::uint64_t state;
  std::uint64_t next() { return base::mix64(state += 0x9e3779b97f4a7c15); }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2 * std::log(unit() + 1e-18)) *
           std::cos(6.283185307179586 * unit());
  }
};

const char* const kWords[] = {
    "Order",  "Index",  "Buffer", "Query",   "Session", "Parser",  "Writer",
    "Policy", "Cache",  "Token",  "Schema",  "Filter",  "Planner", "Region",
    "Value",  "Stream", "Worker", "Channel", "Metric",  "Config"};
const char* const kDescriptors[] = {"()V",
                                    "()I",
                                    "(I)V",
                                    "(Ljava/lang/String;)V",
                                    "()Ljava/lang/String;",
                                    "(Ljava/lang/Object;)Z",
                                    "(Ljava/util/List;I)Ljava/util/Map;",
                                    "(JJ)J"};

std::string word(std::uint64_t i) { return kWords[i % std::size(kWords)]; }

std::string package_name(unsigned package) {
  char name[64];
  std::snprintf(name, sizeof name, "com.acme.m%03u.p%05u", package / 100,
                package);
  return name;
}

std::string method_name(unsigned method) {
  const unsigned package = method / kMethodsAPackage;
  const unsigned in_package = method % kMethodsAPackage;
  Random random{method};
  char number[16];
  std::snprintf(number, sizeof number, "%02u", in_package / 12);
  const unsigned cls = package * 31 + in_package / 12;
  std::string out =
      package_name(package) + "." + word(cls / 7) + number + word(cls) + ".";
  std::snprintf(number, sizeof number, "%c%02u", 'a' + in_package % 12,
                in_package % 12);
  out += number + word(random.next());
  return out + kDescriptors[random.below(std::size(kDescriptors))];
}

struct Size {
  unsigned tests;
  unsigned packages;
  unsigned methods() const { return packages * kMethodsAPackage; }
};

// The packages that a test class walks, from its own on.
std::vector<unsigned> packages_of(unsigned test_class, const Size& size,
                                  std::size_t count) {
  Random random{kSeed ^ base::mix64(test_class + 1)};
  const unsigned classes = size.tests / kTestsAClass + 1;
  const auto home = static_cast<unsigned>(std::uint64_t{test_class} *
                                          size.packages / classes);
  std::vector<unsigned> out;
  std::vector<bool> taken(size.packages, false);
  unsigned step = 0;
  while (out.size() < count) {
    std::uint64_t package = 0;
    if (random.below(10) < 6) {
      package = home + step++;
    } else {
      const double skewed = std::pow(random.unit(), 4);
      package =
          base::mix64(static_cast<std::uint64_t>(skewed * size.packages)) %
          size.packages;
    }
    package %= size.packages;
    if (taken[package]) continue;
    taken[package] = true;
    out.push_back(static_cast<unsigned>(package));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void add_methods(unsigned test, unsigned package,
                 std::vector<MatrixBuilder::LocalAtom>& out) {
  Random reach{base::mix64(kSeed + test / kTestsAClass) ^
               base::mix64(package + 7)};
  Random enter{base::mix64(kSeed + test + 1000003) ^ base::mix64(package + 9)};
  for (unsigned word_at = 0; word_at < kMethodsAPackage; word_at += 64) {
    std::uint64_t bits =
        reach.next() & enter.next() & (enter.next() | enter.next());
    if (kMethodsAPackage - word_at < 64) {
      bits &= (std::uint64_t{1} << (kMethodsAPackage - word_at)) - 1;
    }
    for (; bits != 0; bits &= bits - 1) {
      out.push_back(package * kMethodsAPackage + word_at +
                    static_cast<unsigned>(__builtin_ctzll(bits)));
    }
  }
}

void put_varint(std::string& out, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

int load(const std::string& path, unsigned scale) {
  const Size size{300'000 / scale, 10'000 / scale};
  MatrixBuilder builder;
  const Clock total;
  for (unsigned m = 0; m < size.methods(); ++m) {
    builder.intern(AtomKind::kMethod, method_name(m));
  }
  double generating = total.ms();
  const double interning = generating;
  std::uint64_t pairs = 0;
  std::size_t varint_bytes = 0;
  std::size_t zstd_bytes = 0;
  unsigned sampled = 0;
  std::uint64_t sampled_pairs = 0;
  for (unsigned t = 0; t < size.tests; ++t) {
    const Clock one;
    Random random{kSeed + base::mix64(t)};
    Random of_class{kSeed - base::mix64(t / kTestsAClass + 1)};
    const double n = kMedian * std::exp(kClassSigma * of_class.normal() +
                                        kTestSigma * random.normal());
    const auto count = std::clamp<std::size_t>(
        static_cast<std::size_t>(n * 31 / 32 / (kMethodsAPackage * kDensity)),
        1, size.packages / 2);
    std::vector<MatrixBuilder::LocalAtom> atoms;
    for (const unsigned package : packages_of(t / kTestsAClass, size, count)) {
      add_methods(t, package, atoms);
    }
    for (std::size_t stray = atoms.size() / 31; stray > 0; --stray) {
      atoms.push_back(
          static_cast<MatrixBuilder::LocalAtom>(random.below(size.methods())));
    }
    std::sort(atoms.begin(), atoms.end());
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    pairs += atoms.size();
    const unsigned cls = t / kTestsAClass;
    const auto home = static_cast<unsigned>(std::uint64_t{cls} * size.packages /
                                            (size.tests / kTestsAClass + 1));
    char name[32];
    std::snprintf(name, sizeof name, "%05u", cls);
    const std::string test = package_name(home) + "." + word(cls) + name +
                             "Test#" + static_cast<char>('a' + t % 10) +
                             word(t / 3) + "()";
    char suite[48];
    std::snprintf(suite, sizeof suite, "m%03u/target/test-classes", home / 100);
    if (t % 50 == 0) {
      std::string raw;
      std::uint32_t before = 0;
      for (const auto atom : atoms) {
        put_varint(raw, atom - before);
        before = atom;
      }
      std::string packed(ZSTD_compressBound(raw.size()), '\0');
      ++sampled;
      sampled_pairs += atoms.size();
      varint_bytes += raw.size();
      zstd_bytes += ZSTD_compress(packed.data(), packed.size(), raw.data(),
                                  raw.size(), 3);
    }
    generating += one.ms();
    coverage::Row row;
    row.suite = suite;
    row.test = test;
    row.ms = random.below(200);
    row.facts = coverage::Facts().with(AtomKind::kMethod);
    builder.add_row(row, std::move(atoms));
  }
  const double added = total.ms();
  const double cpu_before = cpu_ms();
  const auto matrix = builder.finish();
  const double finished = total.ms();
  const auto written = coverage::write_store(path, *matrix);
  if (!written.ok()) {
    std::fprintf(stderr, "%s\n", written.error().message().c_str());
    return 2;
  }
  const double done = total.ms();
  const double cpu = cpu_ms() - cpu_before;
  struct stat info = {};
  ::stat(path.c_str(), &info);
  const auto p = static_cast<double>(pairs);
  std::printf("%u tests, %u methods, %llu pairs, %.0f a test\n", size.tests,
              size.methods(), static_cast<unsigned long long>(pairs),
              p / size.tests);
  std::printf(
      "reference on %u rows: delta-varint %.2f, zstd -3 a row %.2f byte/pair\n",
      sampled,
      static_cast<double>(varint_bytes) / static_cast<double>(sampled_pairs),
      static_cast<double>(zstd_bytes) / static_cast<double>(sampled_pairs));
  std::printf("store: %.1f MB (10^6), %.3f byte/pair, all included\n",
              static_cast<double>(info.st_size) / 1e6,
              static_cast<double>(info.st_size) / p);
  std::printf(
      "load: %.1f s (add %.1f s, sort %.1f s, write %.1f s), beside %.1f s of "
      "generating; names %.1f s; peak %.0f MB\n",
      (done - generating) / 1000, (added - generating) / 1000,
      (finished - added) / 1000, (done - finished) / 1000, generating / 1000,
      interning / 1000, peak_mb());
  std::printf("sort and write took %.1f s of CPU\n", cpu / 1000);
  return 0;
}

int query(const std::string& path, unsigned rounds) {
  const double before = peak_mb();
  std::vector<double> opens;
  std::vector<double> asks;
  std::vector<double> cpu_opens;
  std::vector<double> cpu_asks;
  std::size_t rows = 0;
  std::size_t selected = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const double cpu_start = cpu_ms();
    const Clock opening;
    auto matrix = coverage::open_store(path);
    if (!matrix.ok()) {
      std::fprintf(stderr, "%s\n", matrix.error().message().c_str());
      return 2;
    }
    opens.push_back(opening.ms());
    cpu_opens.push_back(cpu_ms() - cpu_start);
    rows = (*matrix)->row_count();
    Random random{kSeed + round};
    std::vector<classfile::Atom> atoms;
    for (int i = 0; i < 100; ++i) {
      const auto method =
          static_cast<unsigned>(random.below((*matrix)->atom_count()));
      atoms.push_back({AtomKind::kMethod, method_name(method)});
    }
    const double cpu_asking = cpu_ms();
    const Clock asking;
    const auto answer = (*matrix)->rows_with_any(atoms);
    asks.push_back(asking.ms());
    cpu_asks.push_back(cpu_ms() - cpu_asking);
    if (!answer.ok()) return 2;
    selected = answer->count();
  }
  std::sort(opens.begin(), opens.end());
  std::sort(asks.begin(), asks.end());
  std::sort(cpu_opens.begin(), cpu_opens.end());
  std::sort(cpu_asks.begin(), cpu_asks.end());
  const double asked_peak = peak_mb();
  const Clock naming;
  auto matrix = coverage::open_store(path);
  const auto all = (*matrix)->rows();
  std::printf(
      "%u rounds on %zu rows: open min %.2f median %.2f max %.2f ms; 100 "
      "methods -> tests min %.2f median %.2f max %.2f ms (%zu tests in the "
      "last)\n",
      rounds, rows, opens.front(), opens[opens.size() / 2], opens.back(),
      asks.front(), asks[asks.size() / 2], asks.back(), selected);
  std::printf(
      "peak %.0f MB (%.0f before); with the names of all %zu rows (%.1f ms) "
      "%.0f MB\n",
      asked_peak, before, all.ok() ? all->size() : 0, naming.ms(), peak_mb());
  std::printf("CPU: open median %.2f ms, 100 methods median %.2f max %.2f ms\n",
              cpu_opens[cpu_opens.size() / 2], cpu_asks[cpu_asks.size() / 2],
              cpu_asks.back());
  return all.ok() ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[1] : "";
  const auto number = argc > 3 ? static_cast<unsigned>(atoi(argv[3])) : 0;
  if (mode == "load") return load(argv[2], number == 0 ? 1 : number);
  if (mode == "query") return query(argv[2], number == 0 ? 20 : number);
  std::fprintf(
      stderr, "usage: bench_store load STORE [SCALE] | query STORE [ROUNDS]\n");
  return 2;
}
