// SPDX-License-Identifier: Apache-2.0
#include "classfile/dump/dump.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "classfile/archive/archive_lookup.h"
#include "classfile/archive/crc.h"
#include "classfile/dump/dump_json.h"
#include "classfile/dump/ordered_output.h"
#include "classfile/words/entity.h"

namespace rejig::classfile {
namespace {

constexpr std::string_view kNames[kDumpTypes] = {
    "entry", "class", "field", "method", "handler",   "call", "access", "use",
    "const", "indy",  "insn",  "shell",  "hierarchy", "link", "error"};

// Entries that one worker takes at a time, text that may wait for its turn, and
// text that does not wait for the end of its piece when it is its turn.
constexpr std::size_t kEntriesAtATime = 16;
constexpr std::size_t kWaitingBytes = std::size_t{8} << 20;
constexpr std::size_t kEnoughBytes = std::size_t{1} << 20;
// Memory that a worker keeps for its next piece.
constexpr std::size_t kKeptBytes = std::size_t{4} << 20;
// Lines of a large class need some ten times its bytes: room made beforehand is
// not copied again and again while it grows. Untouched, it costs nothing.
constexpr std::size_t kLargeClass = std::size_t{64} << 10;
constexpr std::size_t kRoomFor = 16;
constexpr std::size_t kMostRoom = std::size_t{64} << 20;

class Dumper {
 public:
  Dumper(const Artefact& artefact, const DumpOptions& options,
         unsigned workers, const std::function<void(std::string_view)>& write)
      : artefact_(artefact),
        options_(options),
        loader_names_(loader_class_names(artefact, options.release)),
        buffers_(workers),
        readers_(workers),
        texts_(workers),
        output_(write, kWaitingBytes) {}

  void piece(unsigned worker, std::size_t begin, std::size_t end) {
    if (output_.stopped()) return;
    std::string& out = texts_[worker];
    base::Diagnostics found;
    for (std::size_t i = begin; i < end; ++i) {
      entry(worker, EntryId::of(i), out, found);
      if (out.size() >= kEnoughBytes) {
        output_.put_begin(begin / kEntriesAtATime, out);
      }
    }
    if (!found.empty()) {
      const std::scoped_lock lock(mutex_);
      diagnostics_.emplace_back(begin, std::move(found));
    }
    const std::size_t all = artefact_.entries().size();
    const std::size_t done = done_ += end - begin;
    if (options_.on_progress) {
      const std::scoped_lock lock(mutex_);
      options_.on_progress(done, all);
    }
    output_.put(begin / kEntriesAtATime, out);
    if (out.capacity() > kKeptBytes) out = std::string();
  }

  DumpCounts finish(base::Diagnostics& diagnostics) {
    std::sort(
        diagnostics_.begin(), diagnostics_.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& each : diagnostics_) diagnostics.append(std::move(each.second));
    DumpCounts counts;
    counts.entries = artefact_.entries().size();
    counts.class_files = class_files_;
    counts.errors = errors_;
    return counts;
  }

 private:
  bool ndjson() const { return options_.form == DumpOptions::Form::kNdjson; }
  bool prints(DumpType type) const {
    return ndjson() && options_.types.has(type);
  }

  void entry(unsigned worker, EntryId id, std::string& out,
             base::Diagnostics& found) {
    const Entry& e = artefact_.entries()[id.index()];
    const bool class_file = e.name.ends_with(".class") ||
                            artefact_.kind() == ArtefactKind::kClassFile;
    const bool entry_line =
        prints(DumpType::kEntry) && options_.class_glob.empty();
    if (!class_file) {
      if (!entry_line) return;
      const auto sum = artefact_.checksum(id);
      if (!sum.ok()) return trouble(e, sum.error(), out, found);
      append_entry(e, sum->size, sum->crc, out);
      return;
    }
    const auto bytes = artefact_.read(id, buffers_[worker]);
    if (!bytes.ok()) return trouble(e, bytes.error(), out, found);
    if (entry_line) append_entry(e, bytes->size(), crc32(*bytes), out);
    const auto parsed = readers_[worker].parse(*bytes, artefact_.where(id));
    if (!parsed.ok()) return trouble(e, parsed.error(), out, found);
    const ClassView* const cls = *parsed;
    ++class_files_;
    if (cls->newer_than_known()) {
      found.widened("major version " + std::to_string(cls->major()) +
                        " is newer than the versions known (up to 69); read "
                        "as far as it is understood",
                    cls->where());
    }
    if (cls->unreadable_attributes() != 0) {
      found.widened(std::to_string(cls->unreadable_attributes()) +
                        " attributes cannot be read and are left out",
                    cls->where());
    }
    const bool used = !e.hidden && loader_names_[id.index()] == cls->name();
    if (options_.on_class) options_.on_class(worker, id, *cls, used);
    if (!options_.class_glob.empty() &&
        !matches_glob(options_.class_glob, dotted(cls->name()))) {
      return;
    }
    if (bytes->size() >= kLargeClass) {
      out.reserve(out.size() + std::min(kRoomFor * bytes->size(), kMostRoom));
    }
    const bool printed =
        ndjson() ? dump_class(out, *cls, e.name, used, options_.types)
                 : dump_class_text(out, *cls, e.name, used);
    if (printed) return;
    trouble(e,
            {base::Errc::kLimit,
             "its text would be longer than " +
                 std::to_string(kLongestConstants >> 20) +
                 " MiB of constants on a line, or " +
                 std::to_string(kLargestClassText >> 20) + " MiB in all",
             cls->where()},
            out, found);
  }

  void append_entry(const Entry& e, std::uint64_t size, std::uint32_t crc,
                    std::string& out) const {
    JsonLine line(out, "entry", "");
    append_quoted_entry(line.at("in"), e.name);
    line.number("size", static_cast<std::int64_t>(size));
    std::string& text = line.at("crc");
    text += '"';
    append_hex(text, crc, 8);
    text += '"';
    line.flag("found", !e.hidden);
  }

  void trouble(const Entry& e, const base::Error& error, std::string& out,
               base::Diagnostics& found) {
    ++errors_;
    found.widened(error);
    if (prints(DumpType::kError)) out += dump_error_line(e.name);
  }

  const Artefact& artefact_;
  const DumpOptions& options_;
  std::vector<std::string_view> loader_names_;
  std::vector<base::Buffer> buffers_;  // one for each worker
  std::vector<ClassReader> readers_;
  std::vector<std::string> texts_;               // likewise: a piece in work
  OrderedOutput output_;
  std::atomic<std::size_t> done_{0};
  std::atomic<std::uint64_t> class_files_{0};
  std::atomic<std::uint64_t> errors_{0};
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, base::Diagnostics>> diagnostics_;
};

}  // namespace

std::string_view name_of(DumpType type) {
  return kNames[static_cast<std::size_t>(type)];
}

std::optional<DumpType> dump_type(std::string_view name) {
  for (std::size_t i = 0; i < kDumpTypes; ++i) {
    if (kNames[i] == name) return static_cast<DumpType>(i);
  }
  return std::nullopt;
}

DumpTypes DumpTypes::usual() {
  DumpTypes types;
  types.on_.fill(true);
  types.on_[static_cast<std::size_t>(DumpType::kInsn)] = false;
  return types;
}

std::string dump_error_line(std::string_view in) {
  std::string out;
  {
    JsonLine line(out, "error", "");
    append_quoted_entry(line.at("in"), in);
  }
  return out;
}

DumpCounts dump(const Artefact& artefact, const DumpOptions& options,
                base::ThreadPool& pool,
                const std::function<void(std::string_view)>& write,
                base::Diagnostics& diagnostics) {
  std::uint64_t nested = 0;
  for (const Unreadable& u : artefact.unreadable()) {
    ++nested;
    diagnostics.widened(u.error);
    if (options.form == DumpOptions::Form::kNdjson &&
        options.types.has(DumpType::kError)) {
      write(dump_error_line(u.in));
    }
  }
  Dumper dumper(artefact, options, pool.workers(), write);
  pool.for_ranges(
      artefact.entries().size(), kEntriesAtATime,
      [&](unsigned worker, std::size_t begin, std::size_t end) {
        dumper.piece(worker, begin, end);
      });
  DumpCounts counts = dumper.finish(diagnostics);
  counts.errors += nested;
  return counts;
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t behind = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++behind;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace rejig::classfile
