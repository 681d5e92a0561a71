// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/remote.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <utility>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "coverage/remote/segment.h"
#include "coverage/store/store.h"

namespace rejig::coverage {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr std::size_t kMostText = std::size_t{64} << 10U;
constexpr std::size_t kMostSegment = std::size_t{1} << 30U;
constexpr std::size_t kAtOnce = 16;
// An object that has no entry yet may get one.
constexpr std::int64_t kGrace = 24 * 3600;

std::string digest_of(const std::string& bytes) {
  return base::to_hex(base::sha256(
      std::as_bytes(std::span<const char>(bytes.data(), bytes.size()))));
}

base::Result<void> is_segment(const std::string& bytes, const RunEntry& entry) {
  if (bytes.size() == entry.size && digest_of(bytes) == entry.segment) {
    return {};
  }
  return Error{Errc::kMalformed, "a segment with other bytes than its name says",
               entry.segment};
}

// "v1/run/COMMIT/SUITE/FINGERPRINT/NAME"
std::optional<std::pair<RunPlace, std::string>> place_of(
    const std::string& key) {
  std::vector<std::string> parts;
  for (const auto& part : fs::path(key)) parts.push_back(part.string());
  if (parts.size() != 6 || !is_commit(parts[2])) return std::nullopt;
  return std::pair(RunPlace{parts[2], from_name(parts[3]), parts[4]}, parts[5]);
}

}  // namespace

base::Result<std::vector<RunPlace>> Remote::find(
    const std::vector<RunPlace>& places, std::size_t most, Deadline deadline) {
  std::vector<RunPlace> out;
  for (std::size_t at = 0; at < places.size() && out.size() < most;
       at += kAtOnce) {
    std::vector<std::string> keys;
    for (std::size_t i = at; i < std::min(places.size(), at + kAtOnce); ++i) {
      keys.push_back(places[i].env());
    }
    const auto answers = transport_->get_all(keys, kMostText, deadline);
    for (std::size_t i = 0; i < answers.size() && out.size() < most; ++i) {
      if (answers[i].ok()) {
        out.push_back(places[at + i]);
      } else if (answers[i].error().code == Errc::kIo && out.empty()) {
        // Nobody is there, or too slowly: asking for more takes as long.
        return answers[i].error();
      }
    }
  }
  return out;
}

base::Result<RunEntry> Remote::entry_at(const std::string& key,
                                        Deadline deadline) {
  REJIG_TRY(const std::string text,
            transport_->get(key, kMostText, deadline));
  return parse_entry(text, key, o_.keys);
}

base::Result<std::string> Remote::segment(const RunEntry& entry,
                                          Deadline deadline) {
  if (entry.size > kMostSegment) {
    return Error{Errc::kLimit, "a segment of " + std::to_string(entry.size) +
                                   " bytes", entry.segment};
  }
  const std::string path = o_.cache + "/" + entry.segment + ".db";
  if (const auto kept = base::read_file(path);
      kept.ok() && is_segment(*kept, entry).ok()) {
    return path;
  }
  REJIG_TRY(const std::string bytes,
            transport_->get(object_key(entry.segment),
                            static_cast<std::size_t>(entry.size), deadline));
  REJIG_TRY_VOID(is_segment(bytes, entry));
  std::error_code error;
  fs::create_directories(o_.cache, error);
  REJIG_TRY_VOID(base::write_file_atomically(path, bytes));
  return path;
}

base::Result<FetchedRun> Remote::fetch(const RunPlace& place,
                                       Deadline deadline) {
  FetchedRun out;
  out.place = place;
  REJIG_TRY(const std::string text,
            transport_->get(place.env(), kMostText, deadline));
  REJIG_TRY(const RunEnv env, parse_env(text));
  std::vector<std::string> paths;
  std::string names;
  for (unsigned i = 1; i <= env.shards; ++i) {
    REJIG_TRY(RunEntry entry, entry_at(place.entry(i, env.shards), deadline));
    if (!out.shards.empty() && entry.plan != out.shards.front().plan) {
      return Error{Errc::kMalformed, "its shards had different plans",
                   place.folder()};
    }
    REJIG_TRY(paths.emplace_back(), segment(entry, deadline));
    names += entry.segment + "\n";
    out.shards.push_back(std::move(entry));
  }
  if (paths.size() == 1) {
    out.store = paths.front();
  } else {
    // What is in the cache under this name may be damaged; making it anew is as
    // fast as checking it.
    out.store = o_.cache + "/" + base::to_hex(base::digest256(names)) + ".db";
    std::error_code error;
    fs::remove(out.store, error);
    REJIG_TRY_VOID(merge_segments(paths, out.store, o_.pool));
  }
  REJIG_TRY(const auto matrix, open_store(out.store));
  REJIG_TRY(const auto facts, facts_of_segment(*matrix));
  if (facts.suite != place.suite) {
    return Error{Errc::kMalformed, "a segment of another suite",
                 place.folder()};
  }
  return out;
}

base::Result<void> Remote::publish(const Publication& run, Deadline deadline) {
  REJIG_TRY(const std::string bytes, base::read_file(run.segment));
  RunEntry entry = run.entry;
  entry.segment = digest_of(bytes);
  entry.size = bytes.size();
  REJIG_TRY_VOID(transport_->put(object_key(entry.segment), bytes, deadline));
  for (const auto& place : run.places) {
    const std::string key = place.entry(run.index, run.of);
    REJIG_TRY(const std::string text, entry_text(entry, key, o_.secret));
    REJIG_TRY_VOID(transport_->put(key, text, deadline));
    REJIG_TRY_VOID(transport_->put(
        place.env(), env_text({run.of, run.words}), deadline));
  }
  if (run.branch.empty() || run.places.empty()) return {};
  return transport_->put(head_key(run.branch), run.places.front().commit + "\n",
                         deadline);
}

base::Result<std::string> Remote::head(const std::string& branch,
                                       Deadline deadline) {
  REJIG_TRY(std::string text,
            transport_->get(head_key(branch), kMostText, deadline));
  while (text.ends_with('\n')) text.pop_back();
  if (!is_commit(text)) {
    return Error{Errc::kMalformed, "no commit", head_key(branch)};
  }
  return text;
}

base::Result<Inventory> Remote::inventory(Deadline deadline) {
  Inventory out;
  REJIG_TRY(const auto runs, transport_->list(kRuns, deadline));
  for (const auto& one : runs) {
    auto place = place_of(one.key);
    if (!place) continue;
    if (out.runs.empty() ||
        out.runs.back().place.folder() != place->first.folder()) {
      out.runs.push_back({place->first, {}});
    }
    if (place->second != "env") out.runs.back().entries.push_back(place->second);
  }
  REJIG_TRY(out.objects, transport_->list(kObjects, deadline));
  return out;
}

base::Result<std::vector<std::string>> Remote::verify(Deadline deadline) {
  REJIG_TRY(const Inventory all, inventory(deadline));
  std::vector<std::string> out;
  for (const auto& run : all.runs) {
    const auto found = fetch(run.place, deadline);
    if (!found.ok()) {
      out.push_back(run.place.folder() + ": " + found.error().message());
      continue;
    }
    if (const auto whole = verify_store(found->store); !whole.ok()) {
      out.push_back(run.place.folder() + ": " + whole.error().message());
    }
  }
  for (const auto& object : all.objects) {
    const std::string name = fs::path(object.key).filename().string();
    const auto bytes = transport_->get(object.key, kMostSegment, deadline);
    if (!bytes.ok()) {
      out.push_back(object.key + ": " + bytes.error().message());
    } else if (digest_of(*bytes) != name) {
      out.push_back(object.key + ": its bytes are not those of its name");
    }
  }
  return out;
}

base::Result<Remote::Pruned> Remote::prune(std::int64_t older_than,
                                           Deadline deadline) {
  REJIG_TRY(const auto runs, transport_->list(kRuns, deadline));
  REJIG_TRY(const auto objects, transport_->list(kObjects, deadline));
  Pruned out;
  std::set<std::string> named;
  std::set<std::string> orphans;
  std::map<std::string, std::vector<std::string>> folders;
  for (const auto& one : runs) {
    if (place_of(one.key)) {
      folders[fs::path(one.key).parent_path().string()].push_back(one.key);
    }
  }
  for (const auto& [folder, keys] : folders) {
    bool old = true;
    std::vector<std::string> segments;
    for (const auto& key : keys) {
      if (key.ends_with("/env")) continue;
      // Whoever signed it: it only goes.
      REJIG_TRY(const std::string text,
                transport_->get(key, kMostText, deadline));
      const auto entry = parse_entry(text, key, {});
      if (!entry.ok()) continue;  // nobody can use it
      segments.push_back(entry->segment);
      old &= entry->time < older_than;
    }
    if (!old) {
      named.insert(segments.begin(), segments.end());
      continue;
    }
    for (const auto& key : keys) {
      REJIG_TRY_VOID(transport_->remove(key, deadline));
    }
    orphans.insert(segments.begin(), segments.end());
    ++out.runs;
  }
  for (const auto& object : objects) {
    const std::string name = fs::path(object.key).filename().string();
    const bool was_named = orphans.count(name) != 0;
    const bool aged =
        object.modified != 0 && object.modified < older_than - kGrace;
    if (named.count(name) != 0 || (!was_named && !aged)) continue;
    REJIG_TRY_VOID(transport_->remove(object.key, deadline));
    ++out.objects;
  }
  return out;
}

}  // namespace rejig::coverage
