// SPDX-License-Identifier: Apache-2.0
// A place that does anything wrong that a place can do: nothing there, half of it,
// other bytes, what stood there before, what stands elsewhere, a page of a login, a
// silence. Whatever is fetched all the same is wholly one of the runs that were
// published. usage: remote_faults SCHEDULES [SEED]
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "classfile/base/file.h"
#include "coverage/remote/remote.h"
#include "coverage/remote/segment.h"
#include "coverage/store/matrix_builder.h"
#include "coverage/store/old_program.h"
#include "coverage/store/store.h"

namespace rejig::coverage {
namespace {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;
using base::Result;

// All that was ever written under each name, the last one last.
using Written = std::map<std::string, std::vector<std::string>>;

class Faulty : public Transport {
 public:
  Faulty(Written& written, std::mt19937_64& random) : all_(written), r_(random) {}

  unsigned per_mille = 0;  // how often something goes wrong

  Result<std::string> get(const std::string& key, std::size_t limit,
                          Deadline) override {
    const auto at = all_.find(key);
    Result<std::string> right =
        at == all_.end()
            ? Result<std::string>(Error{Errc::kNotFound, "nothing", key})
            : Result<std::string>(at->second.back());
    if (r_() % 1000 >= per_mille) return checked(right, limit);
    switch (r_() % 9) {
      case 0: return Error{Errc::kNotFound, "evicted", key};
      case 1: return Error{Errc::kIo, "reset", key};
      case 2: return Error{Errc::kIo, "the server says 503", key};
      case 3: return std::string("<html>please log in</html>");
      case 4: return checked(elsewhere(), limit);
      default: break;
    }
    if (!right.ok()) return right;
    std::string text = *right;
    switch (r_() % 4) {
      case 0: text.resize(r_() % (text.size() + 1)); break;
      case 1: text[r_() % text.size()] ^= static_cast<char>(1U << r_() % 8); break;
      case 2: text += text.substr(0, r_() % text.size()); break;
      default: text = at->second[r_() % at->second.size()]; break;
    }
    return checked(text, limit);
  }

  Result<void> put(const std::string& key, const std::string& bytes,
                   Deadline) override {
    all_[key].push_back(bytes);
    return {};
  }
  Result<void> remove(const std::string& key, Deadline) override {
    all_.erase(key);
    return {};
  }
  Result<std::vector<Listed>> list(const std::string& folder, Deadline) override {
    std::vector<Listed> out;
    for (const auto& [key, bytes] : all_) {
      if (key.starts_with(folder + "/")) out.push_back({key, bytes.back().size(), 0});
    }
    return out;
  }

 private:
  static Result<std::string> checked(Result<std::string> text, std::size_t limit) {
    if (text.ok() && text->size() > limit) return Error{Errc::kLimit, "too much", ""};
    return text;
  }
  Result<std::string> elsewhere() {
    auto at = all_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(r_() % all_.size()));
    return at->second.back();
  }

  Written& all_;
  std::mt19937_64& r_;
};

// The program and the JVM of a run; what its shards ran.
struct Run {
  RunPlace place;
  unsigned shards = 1;
  std::string program;
  std::set<std::string> tests;
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAILED %s\n", what.c_str());
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result.ok()) fail(result.error().message());
  return std::move(result).value();
}
void must(const Result<void>& result) {
  if (!result.ok()) fail(result.error().message());
}

std::string program_of(Matrix& matrix) {
  const auto facts = must(matrix.digested_facts(std::string(kProgramFact) + "s"));
  return facts.size() == 1 ? facts.front().bytes : "";
}

class Trial {
 public:
  Trial(std::uint64_t seed, std::string folder)
      : random_(seed), folder_(std::move(folder)) {
    for (const char* name : {"/cache", "/made"}) fs::create_directories(folder_ + name);
  }

  void publish_all() {
    for (int commit = 0; commit < 4; ++commit) {
      // Some are run twice, one of them divided otherwise.
      for (int again = 0; again < (commit % 2 == 0 ? 2 : 1); ++again) {
        publish(commit, again, 1 + static_cast<unsigned>(commit + again) % 3);
      }
    }
  }

  // Returns whether a run was fetched.
  bool fetch_one() {
    Faulty transport(written_, random_);
    transport.per_mille = static_cast<unsigned>(random_() % 400);
    std::error_code error;
    if (random_() % 4 != 0) {
      fs::remove_all(folder_ + "/cache", error);
    } else {
      hurt_cache();
    }
    Remote remote(std::make_unique<Faulty>(transport), options());
    const Run& wanted = runs_[random_() % runs_.size()];
    const auto got = remote.fetch(wanted.place, within(std::chrono::seconds(5)));
    if (!got.ok()) return false;
    const auto matrix = must(open_store(got->store));
    std::set<std::string> tests;
    for (const auto& row : must(matrix->rows())) tests.emplace(row.test);
    const std::string program = program_of(*matrix);
    for (const Run& run : runs_) {
      if (run.place.commit == wanted.place.commit && run.program == program &&
          run.shards == got->shards.size() && run.tests == tests) {
        return true;
      }
    }
    fail("a run that nobody published: " + program);
  }

 private:
  RemoteOptions options() const {
    RemoteOptions out;
    out.cache = folder_ + "/cache";
    return out;
  }

  void hurt_cache() {
    std::error_code error;
    for (const auto& file : fs::directory_iterator(folder_ + "/cache", error)) {
      if (random_() % 2 != 0) continue;
      auto bytes = must(base::read_file(file.path().string()));
      if (bytes.empty()) continue;
      bytes[random_() % bytes.size()] ^= 4;
      if (::truncate(file.path().c_str(), 0) != 0) continue;
      must(base::write_file_atomically(file.path().string(), bytes));
    }
  }

  void publish(int commit, int again, unsigned shards) {
    Faulty transport(written_, random_);
    Remote remote(std::make_unique<Faulty>(transport), options());
    Run run;
    run.shards = shards;
    run.place = {std::string(39, '0') + std::to_string(commit), "s",
                 std::string(32, 'f')};
    run.program = "program of " + std::to_string(commit);
    for (unsigned i = 1; i <= shards; ++i) {
      MatrixBuilder builder;
      const std::string test = "p.T#c" + std::to_string(commit) + "n" +
                               std::to_string(shards) + "s" + std::to_string(i) +
                               "()";
      for (const std::string& name : {test, std::string("p.All#a()")}) {
        Row row;
        row.suite = "s";
        row.test = name;
        builder.add_row(row, std::vector<MatrixBuilder::LocalAtom>());
        run.tests.insert(name);
      }
      builder.add_class("p.A", std::to_string(commit));
      builder.add_facts(std::string(kProgramFact) + "s", run.program);
      const auto matrix = builder.finish();
      const std::string path = folder_ + "/made/" + std::to_string(made_++) + ".db";
      must(write_segment(path, *matrix, {"s", "jvm", {}, ""}, nullptr));
      Publication out;
      out.places = {run.place};
      out.index = i;
      out.of = shards;
      out.entry.plan = shards == 1 ? "-" : std::string(64, static_cast<char>('a' + again));
      out.segment = path;
      must(remote.publish(out, within(std::chrono::seconds(5))));
    }
    runs_.push_back(run);
  }

  std::mt19937_64 random_;
  std::string folder_;
  Written written_;
  std::vector<Run> runs_;
  int made_ = 0;
};

}  // namespace

int faults(int argc, char** argv) {
  const long schedules = argc > 1 ? std::atol(argv[1]) : 400;
  const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atol(argv[2]) : 1);
  std::string folder = (fs::temp_directory_path() / "remote-faults-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) fail(folder);
  Trial trial(seed, folder);
  trial.publish_all();
  long fetched = 0;
  for (long i = 0; i < schedules; ++i) fetched += trial.fetch_one() ? 1 : 0;
  std::error_code error;
  fs::remove_all(folder, error);
  std::printf("%ld schedules, %ld whole runs fetched, none wrong\n", schedules, fetched);
  // With nothing fetched nothing was tried.
  return fetched * 10 > schedules && fetched < schedules ? 0 : 1;
}

}  // namespace rejig::coverage

int main(int argc, char** argv) { return rejig::coverage::faults(argc, argv); }
