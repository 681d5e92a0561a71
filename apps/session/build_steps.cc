// SPDX-License-Identifier: Apache-2.0
// A memory is a file of its own for each name of a step, written over by the
// next good one: the key, the questions with their lengths, their number.
// Anything else in it is no memory.
#include "apps/session/build_steps.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr std::string_view kFirst = "rejig-step 1";
// A fork for each class may ask as often; more would cost more than a JVM.
constexpr std::size_t kMostQuestions = 16;

std::string memory_text(const std::string& key,
                        const std::set<std::string>& questions) {
  std::string out = std::string(kFirst) + "\nkey " + key + "\n";
  for (const auto& one : questions) {
    out += "question " + std::to_string(one.size()) + "\n" + one;
  }
  return out + "end " + std::to_string(questions.size()) + "\n";
}

// Empty: of another key, or damaged.
std::vector<std::string> questions_in(const std::string& text,
                                      const std::string& key) {
  std::istringstream in(text);
  std::string line;
  if (!std::getline(in, line) || line != kFirst) return {};
  if (!std::getline(in, line) || line != "key " + key) return {};
  std::vector<std::string> out;
  while (std::getline(in, line)) {
    if (line == "end " + std::to_string(out.size())) return out;
    std::istringstream head(line);
    std::string word;
    std::size_t size = 0;
    if (!(head >> word >> size) || word != "question" || size > text.size()) {
      return {};
    }
    std::string question(size, '\0');
    if (!in.read(question.data(), static_cast<std::streamsize>(size)))
      return {};
    out.push_back(std::move(question));
  }
  return {};
}

// As /proc/PID/environ would have it.
std::string variables_of(const Step& step) {
  std::map<std::string, std::string> all;
  for (char** at = ::environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const auto equals = std::min(entry.find('='), entry.size());
    all[std::string(entry.substr(0, equals))] = entry;
  }
  for (const auto& name : step.unset) all.erase(name);
  for (const auto& [name, value] : step.set) all[name] = name + "=" + value;
  std::string out;
  for (const auto& [name, entry] : all) out += entry + '\0';
  return out;
}

}  // namespace

BuildSteps::BuildSteps(const std::string& store, std::string folder,
                       Answers& answers, Work& work)
    : memory_((fs::path(store).parent_path() / "steps").string()),
      folder_(std::move(folder)),
      answers_(answers),
      work_(work) {}

std::string BuildSteps::file_of(const Step& step) const {
  return memory_ + "/" + base::to_hex(base::digest256(step.name)).substr(0, 32);
}

base::Result<StepAnswer> BuildSteps::begin(const Step& step) {
  StepAnswer out;
  out.rows = folder_ + "/rows/" + std::to_string(begun_.size() + 1);
  std::error_code error;
  fs::create_directory(out.rows, error);
  if (error) return Error{Errc::kIo, error.message(), out.rows};
  begun_[out.rows].step = step;
  if (step.key.empty()) return out;
  auto foreseen = foresee(step, out);
  if (foreseen.ok()) return foreseen;
  work_.listener.warning(step.name + " runs: " + foreseen.error().message());
  return out;
}

base::Result<StepAnswer> BuildSteps::foresee(const Step& step, StepAnswer out) {
  const auto memory = base::read_file(file_of(step));
  if (!memory.ok()) return out;
  const auto questions = questions_in(*memory, step.key);
  if (questions.empty()) return out;
  const std::string variables = variables_of(step);
  std::set<std::string> suites;
  for (const auto& question : questions) {
    REJIG_TRY(const Foreseen one, answers_.foresee(question, variables));
    if (!one.nothing) return out;
    if (suites.insert(one.suite).second) out.left_out += one.left_out;
  }
  out.runs = false;
  return out;
}

void BuildSteps::went_well(const std::string& rows) {
  const auto at = begun_.find(rows);
  if (at != begun_.end()) at->second.good = true;
}

void BuildSteps::remember(
    const std::map<std::string, std::set<std::uint32_t>>& who) const {
  for (const auto& [rows, begun] : begun_) {
    const auto questions = answers_.questions(rows);
    if (!begun.good || begun.step.key.empty() || questions.empty() ||
        questions.size() > kMostQuestions) {
      continue;
    }
    // A JVM that never asked may have run tests that nobody can leave out.
    const auto left = who.find(rows);
    if (left != who.end() && std::ranges::any_of(left->second, [&](auto pid) {
          return !answers_.asked(pid);
        })) {
      continue;
    }
    std::error_code error;
    fs::create_directories(memory_, error);
    const auto written = base::write_file_atomically(
        file_of(begun.step), memory_text(begun.step.key, questions));
    if (!written.ok()) work_.listener.warning(written.error().message());
  }
}

}  // namespace rejig::app
