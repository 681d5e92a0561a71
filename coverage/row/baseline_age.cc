// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/baseline_age.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::coverage {

namespace {

constexpr std::uint64_t kSecondsPerDay = std::uint64_t{24} * 60 * 60;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || text.empty()) return std::nullopt;
  return value;
}

// What one matrix has and the next one has not.
base::Result<std::string> name_of_matrix(Matrix& matrix) {
  REJIG_TRY(const auto environment, matrix.environment());
  std::string text;
  for (const auto& e : environment) {
    if (!e.key.starts_with(kRecordedPrefix)) continue;
    text += std::string(e.key) + "=" + std::string(e.value) + "\n";
  }
  text += std::to_string(matrix.row_count()) + " " +
          std::to_string(matrix.pair_count());
  return base::to_hex(base::digest256(text));
}

// Selections so far beside the store, this one included when it counts.
std::optional<unsigned> count_beside(const std::string& store,
                                     const std::string& name, bool counts) {
  const std::string path = store + ".selections";
  const std::string head = name + "\n";
  const auto text = base::read_file(path);
  const bool of_this = text.ok() && text->starts_with(head);
  const std::size_t before = of_this ? text->size() - head.size() : 0;
  if (!text.ok() && ::access(path.c_str(), F_OK) == 0) return std::nullopt;
  if (!counts) return static_cast<unsigned>(before);
  if (!of_this && !base::write_file_atomically(path, head).ok()) {
    return std::nullopt;
  }
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  const bool written = ::write(fd, ".", 1) == 1;
  ::close(fd);
  if (!written) return std::nullopt;
  return static_cast<unsigned>(before + 1);
}

}  // namespace

std::uint64_t recording_time() {
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
    if (const auto time = number_of(fixed)) return *time;
  }
  return static_cast<std::uint64_t>(std::time(nullptr));
}

void set_recorded(MatrixBuilder& builder, std::string_view suite,
                  std::uint64_t time) {
  const std::string key = std::string(kRecordedPrefix) + std::string(suite);
  builder.drop_environment(key);
  builder.drop_environment(std::string(kSelectionsPrefix) + std::string(suite));
  builder.add_environment(key, std::to_string(time));
}

base::Result<BaselineAge> baseline_age(Matrix& matrix, const std::string& store,
                                       const std::string& suite, bool counts) {
  REJIG_TRY(const auto environment, matrix.environment());
  std::optional<std::uint64_t> oldest;
  std::uint64_t most = 0;
  bool known = true;
  for (const auto& e : environment) {
    for (const auto prefix : {kRecordedPrefix, kSelectionsPrefix}) {
      if (!e.key.starts_with(prefix)) continue;
      if (!suite.empty() && e.key.substr(prefix.size()) != suite) continue;
      const auto value = number_of(e.value);
      if (!value) {
        known = false;
      } else if (prefix == kRecordedPrefix) {
        oldest = std::min(oldest.value_or(*value), *value);
      } else {
        most = std::max(most, *value);
      }
    }
  }
  BaselineAge out;
  if (!known || !oldest) return out;
  const std::uint64_t now = recording_time();
  // A time to come says nothing.
  if (*oldest <= now) {
    out.days = static_cast<unsigned>((now - *oldest) / kSecondsPerDay);
  }
  REJIG_TRY(const std::string name, name_of_matrix(matrix));
  const auto beside = count_beside(store, name, counts);
  if (beside) out.selections = static_cast<unsigned>(most) + *beside;
  return out;
}

}  // namespace rejig::coverage
