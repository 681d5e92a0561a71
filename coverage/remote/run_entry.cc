// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/run_entry.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

#include "coverage/remote/signature.h"

namespace rejig::coverage {

using base::Errc;
using base::Error;

namespace {

constexpr const char* kEntry = "rejig-run 1";
constexpr const char* kEnv = "rejig-env 1";
constexpr const char* kEnd = "end";

template <class T>
bool read_number(const std::string& text, T& out) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && at == end && !text.empty();
}

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

Error malformed(const std::string& what, const std::string& where) {
  return {Errc::kMalformed, what, where};
}

}  // namespace

std::string as_name(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if ((u < 0x80 && std::isalnum(u) != 0) || c == '-' || c == '_' ||
        (c == '.' && !out.empty())) {
      out += c;
    } else {
      out += {'~', kDigits[u >> 4U], kDigits[u & 15U]};
    }
  }
  return out;
}

std::string from_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned value = 0;
    if (name[i] == '~' && i + 2 < name.size() &&
        std::from_chars(&name[i + 1], &name[i + 3], value, 16).ptr ==
            &name[i + 3]) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += name[i];
    }
  }
  return out;
}

std::string RunPlace::folder() const {
  return std::string(kRuns) + "/" + commit + "/" + as_name(suite) + "/" +
         fingerprint;
}

std::string RunPlace::entry(unsigned index, unsigned of) const {
  return folder() + "/" + std::to_string(index) + "-of-" + std::to_string(of);
}

std::string object_key(const std::string& digest) {
  return std::string(kObjects) + "/" + digest;
}

std::string head_key(const std::string& branch) {
  return "v1/head/" + as_name(branch);
}

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) && is_hex(text);
}

bool is_digest(std::string_view text) {
  return text.size() == 64 && is_hex(text);
}

base::Result<std::string> entry_text(const RunEntry& entry,
                                     const std::string& key,
                                     const std::string& secret) {
  std::string out = std::string(kEntry) + "\nat " + key + "\nsegment " +
                    entry.segment + " " +
                    std::to_string(entry.size) + "\nplan " + entry.plan +
                    "\nrows " + std::to_string(entry.rows) + "\nran " +
                    std::to_string(entry.ran) + "\ntime " +
                    std::to_string(entry.time) + "\n";
  if (!secret.empty()) {
    REJIG_TRY(const std::string by, signature_of(out, secret));
    out += "signature " + by + "\n";
  }
  return out + kEnd + "\n";
}

base::Result<RunEntry> parse_entry(const std::string& text,
                                   const std::string& key,
                                   const std::vector<std::string>& keys) {
  RunEntry out;
  std::istringstream lines(text);
  std::string line;
  std::string body;
  if (!std::getline(lines, line) || line != kEntry) {
    return malformed("not an entry of this version", key);
  }
  body = line + "\n";
  bool ended = false;
  bool placed = false;
  while (!ended && std::getline(lines, line)) {
    const auto blank = std::min(line.find(' '), line.size());
    const std::string word = line.substr(0, blank);
    std::string value = line.substr(std::min(blank + 1, line.size()));
    bool good = out.signature.empty();
    if (word == "at") {
      placed = value == key;
      good &= placed;
    } else if (word == "segment") {
      const auto space = std::min(value.find(' '), value.size());
      out.segment = value.substr(0, space);
      good &= is_digest(out.segment) && space < value.size() &&
              read_number(value.substr(space + 1), out.size);
    } else if (word == "plan") {
      out.plan = value;
      good &= value == "-" || is_digest(value);
    } else if (word == "rows") {
      good &= read_number(value, out.rows);
    } else if (word == "ran") {
      good &= read_number(value, out.ran);
    } else if (word == "time") {
      good &= read_number(value, out.time);
    } else if (word == "signature") {
      out.signature = value;
      good &= !value.empty();
    } else {
      ended = line == kEnd;
      good = ended;
    }
    if (!good) return malformed("a line that nobody knows: " + line, key);
    if (word != "signature" && !ended) body += line + "\n";
  }
  if (!ended || !placed || out.segment.empty()) return malformed("not all of it", key);
  if (!keys.empty() && !is_signed(body, out.signature, keys)) {
    return malformed(out.signature.empty()
                         ? "nobody signed it"
                         : "none of the keys of the settings signed it",
                     key);
  }
  return out;
}

std::string env_text(const RunEnv& env) {
  std::string out =
      std::string(kEnv) + "\nshards " + std::to_string(env.shards) + "\n";
  for (const auto& word : env.words) out += "with " + word + "\n";
  return out + kEnd + "\n";
}

base::Result<RunEnv> parse_env(const std::string& text) {
  RunEnv out;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != kEnv) {
    return malformed("not an env of this version", "");
  }
  bool ended = false;
  while (std::getline(lines, line)) {
    ended = line == kEnd;
    if (line.starts_with("with ")) out.words.push_back(line.substr(5));
    if (line.starts_with("shards ") &&
        (!read_number(line.substr(7), out.shards) || out.shards == 0 ||
         out.shards > kMostShards)) {
      return malformed("no number of shards: " + line, "");
    }
  }
  if (!ended) return malformed("not all of it", "");
  return out;
}

}  // namespace rejig::coverage
