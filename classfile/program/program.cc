// SPDX-License-Identifier: Apache-2.0
// All files of all roots become one list of candidates, sorted by path and, of one
// path, in the order in which a class loader asks; the first is the file, the
// others are shadowed. The list is nearly sorted already (each root is), which the
// sorting uses. Names are views into the artefacts. The table of names is made once
// and never changed afterwards: look-ups take no lock.
#include "classfile/program/program.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>

#include "classfile/archive/archive_lookup.h"
#include "classfile/archive/mapped_file.h"
#include "classfile/base/string_order.h"
#include "classfile/program/program_roots.h"

namespace rejig::classfile {

namespace {

constexpr std::string_view kClassSuffix = ".class";
constexpr std::string_view kModuleInfo = "module-info.class";
constexpr std::string_view kMetaInf = "META-INF/";

struct Candidate {
  std::string_view path;  // of a class: without .class
  std::uint32_t root = 0;
  std::uint32_t rank = 0;
  EntryId entry;
};

bool is_class_path(std::string_view path) {
  if (!path.ends_with(kClassSuffix) || path.size() == kClassSuffix.size() ||
      path.starts_with(kMetaInf)) {
    return false;
  }
  if (!path.ends_with(kModuleInfo)) return true;
  return path.size() != kModuleInfo.size() &&
         path[path.size() - kModuleInfo.size() - 1] != '/';
}

// Of candidates with one path.
bool searched_before(const Candidate& a, const Candidate& b) {
  if (a.root != b.root) return a.root < b.root;
  if (a.rank != b.rank) return a.rank < b.rank;
  return a.entry < b.entry;
}

// True when few of them had to move: names without ".class" stand nearly in the
// order that they have with it.
bool insert_each(std::vector<Candidate>& candidates) {
  const auto before = [](const Candidate& a, const Candidate& b) {
    const int order = a.path.compare(b.path);
    return order != 0 ? order < 0 : searched_before(a, b);
  };
  std::size_t moves = 0;
  const std::size_t most = 4 * candidates.size();
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (!before(candidates[i], candidates[i - 1])) continue;
    const Candidate one = candidates[i];
    std::size_t to = i;
    for (; to > 0 && before(one, candidates[to - 1]); --to) {
      candidates[to] = candidates[to - 1];
    }
    candidates[to] = one;
    moves += i - to;
    if (moves > most) return false;
  }
  return true;
}

void sort_by_path(std::vector<Candidate>& candidates) {
  if (insert_each(candidates)) return;
  std::vector<std::string_view> paths;
  paths.reserve(candidates.size());
  for (const Candidate& one : candidates) paths.push_back(one.path);
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const std::uint32_t i : base::order_of(paths)) {
    sorted.push_back(candidates[i]);
  }
  for (auto at = sorted.begin(); at != sorted.end();) {
    auto next = at + 1;
    while (next != sorted.end() && next->path == at->path) ++next;
    if (next - at > 1) std::sort(at, next, searched_before);
    at = next;
  }
  candidates = std::move(sorted);
}

// Places in classes() by the hash of the name: a slot holds the upper half of
// the hash and the place plus one.
class PlaceTable {
 public:
  explicit PlaceTable(std::span<const ProgramFile> classes)
      : slots_(std::bit_ceil(classes.size() * 2 + 1), 0) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::uint64_t hash = base::hash64(classes[i].name);
      std::size_t at = hash & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = (hash & kUpperHalf) | (i + 1);
    }
  }

  std::uint32_t find(std::string_view name,
                     std::span<const ProgramFile> classes) const {
    const std::uint64_t hash = base::hash64(name);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if ((slots_[at] & kUpperHalf) != (hash & kUpperHalf)) continue;
      const auto place = static_cast<std::uint32_t>(slots_[at]) - 1;
      if (classes[place].name == name) return place;
    }
    return Program::kNoClass;
  }

 private:
  static constexpr std::uint64_t kUpperHalf = 0xffffffff00000000;
  std::vector<std::uint64_t> slots_;
};

}  // namespace

struct Program::State {
  std::vector<std::unique_ptr<Artefact>> roots;
  std::vector<const Artefact*> lent;
  std::vector<ProgramFile> classes;
  std::vector<ProgramFile> shadowed;
  std::vector<ProgramFile> resources;
  // Few questions are answered from the sorted names; then there is a table.
  static constexpr unsigned kFewQuestions = 256;
  std::atomic<unsigned> questions{0};
  std::once_flag placed;
  std::optional<PlaceTable> places;

  void index(unsigned release);
};

void Program::State::index(unsigned release) {
  std::vector<Candidate> found_classes;
  std::vector<Candidate> found_resources;
  for (std::uint32_t r = 0; r < roots.size(); ++r) {
    found_classes.reserve(found_classes.size() + roots[r]->entries().size());
    each_loader_path(
        *roots[r], release, LookupRules::kLoader, [&](const LoaderPath& path) {
          std::string_view name = path.path;
          const bool is_class = is_class_path(name);
          if (is_class) name.remove_suffix(kClassSuffix.size());
          (is_class ? found_classes : found_resources)
              .push_back({name, r, path.rank, path.entry});
        });
  }
  sort_by_path(found_classes);
  sort_by_path(found_resources);
  classes.reserve(found_classes.size());
  for (std::size_t i = 0; i < found_classes.size(); ++i) {
    const Candidate& one = found_classes[i];
    const bool first = i == 0 || found_classes[i - 1].path != one.path;
    (first ? classes : shadowed).push_back({one.path, one.root, one.entry});
  }
  resources.reserve(found_resources.size());
  for (std::size_t i = 0; i < found_resources.size(); ++i) {
    const Candidate& one = found_resources[i];
    // A version folder replaces the file itself, in its own archive only.
    const Candidate* last = i == 0 ? nullptr : &found_resources[i - 1];
    if (last != nullptr && last->path == one.path && last->root == one.root &&
        same_loader_root(last->rank, one.rank)) {
      continue;
    }
    resources.push_back({one.path, one.root, one.entry});
  }
}

Program::Program() : state_(std::make_unique<State>()) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

std::vector<std::string> Program::split_path_list(std::string_view list) {
  std::vector<std::string> out;
  if (list.empty()) return out;
  while (true) {
    const std::size_t end = std::min(list.find(':'), list.size());
    const std::string_view item = list.substr(0, end);
    expand_wildcard(item.empty() ? "." : item, out);
    if (end == list.size()) return out;
    list.remove_prefix(end + 1);
  }
}

base::Result<Program> Program::load(const std::vector<std::string>& roots,
                                    const ProgramOptions& options,
                                    base::Diagnostics& diagnostics) {
  Program out;
  REJIG_TRY(out.state_->roots,
            open_roots(roots, options.follow_class_path, diagnostics));
  out.state_->index(options.release);
  return out;
}

Program Program::of(std::vector<std::unique_ptr<Artefact>> roots,
                    std::vector<ProgramFile> classes,
                    std::vector<ProgramFile> resources,
                    std::vector<const Artefact*> lent) {
  Program out;
  out.state_->roots = std::move(roots);
  out.state_->lent = std::move(lent);
  out.state_->classes = std::move(classes);
  out.state_->resources = std::move(resources);
  return out;
}

void Program::keep_classes(
    const std::function<bool(const ProgramFile&)>& keeps) {
  REJIG_CHECK(state_->questions == 0);  // nobody has asked for a place yet
  std::erase_if(state_->classes, [&](const auto& file) { return !keeps(file); });
  std::erase_if(state_->shadowed,
                [&](const auto& file) { return !keeps(file); });
}

void Program::keep_resources(
    const std::function<bool(const ProgramFile&)>& keeps) {
  std::erase_if(state_->resources,
                [&](const auto& file) { return !keeps(file); });
}

std::span<const std::unique_ptr<Artefact>> Program::roots() const {
  return state_->roots;
}
const Artefact& Program::artefact_of(const ProgramFile& file) const {
  const std::size_t own = state_->roots.size();
  return file.root < own ? *state_->roots[file.root]
                         : *state_->lent[file.root - own];
}
std::span<const ProgramFile> Program::classes() const {
  return state_->classes;
}
std::span<const ProgramFile> Program::resources() const {
  return state_->resources;
}
std::span<const ProgramFile> Program::shadowed() const {
  return state_->shadowed;
}

std::uint32_t Program::class_place(std::string_view name) const {
  State& state = *state_;
  if (state.questions.load(std::memory_order_relaxed) < State::kFewQuestions) {
    state.questions.fetch_add(1, std::memory_order_relaxed);
    const auto at = std::ranges::lower_bound(state.classes, name, {},
                                             &ProgramFile::name);
    return at != state.classes.end() && at->name == name
               ? static_cast<std::uint32_t>(at - state.classes.begin())
               : kNoClass;
  }
  std::call_once(state.placed, [&] { state.places.emplace(state.classes); });
  return state.places->find(name, state.classes);
}

base::Result<base::Bytes> Program::read(const ProgramFile& file,
                                        base::Buffer& buffer) const {
  return artefact_of(file).read(file.entry, buffer);
}

std::string Program::where(const ProgramFile& file) const {
  return artefact_of(file).where(file.entry);
}

void Program::report(base::Diagnostics& diagnostics) const {
  for (const auto& root : state_->roots) {
    for (const EntryId id : root->wrong_checksums()) {
      diagnostics.note(
          "the CRC-32 in the directory is wrong; the bytes are used, as a JVM "
          "does",
          root->where(id));
    }
  }
}

base::Result<void> Program::check_unchanged() const {
  for (const auto& root : state_->roots) {
    REJIG_TRY_VOID(root->check_unchanged());
  }
  return {};
}

namespace {

bool damaged(const Artefact& artefact) {
  return artefact.file() != nullptr && artefact.file()->damaged();
}

// Does `file` hold what is known of `known`?
std::optional<bool> holds(const KnownContent& content, const Entry& known,
                          const Artefact& artefact, EntryId file) {
  const Entry& entry = artefact.entries()[file.index()];
  if (content.stored && entry.method == known.method &&
      entry.size == known.size && entry.stored_size == known.stored_size &&
      entry.crc == known.crc) {
    const auto stored = artefact.stored_bytes(file);
    if (stored && base::digest256(*stored) == *content.stored &&
        !damaged(artefact)) {
      return true;
    }
  }
  base::Buffer buffer;
  const auto bytes = artefact.read(file, buffer);
  if (!bytes.ok()) return std::nullopt;
  const base::Digest256 found = base::digest256(*bytes);
  if (damaged(artefact)) return std::nullopt;
  artefact.note_content(file, found);
  return found == content.content;
}

}  // namespace

std::optional<bool> equal_by_digest(const Program& a, const ProgramFile& in_a,
                                    const Program& b, const ProgramFile& in_b) {
  const Artefact& one = a.artefact_of(in_a);
  const Artefact& two = b.artefact_of(in_b);
  const KnownContent* const x = one.known_content(in_a.entry);
  const KnownContent* const y = two.known_content(in_b.entry);
  if (x != nullptr && y != nullptr) return x->content == y->content;
  if (x != nullptr) {
    return holds(*x, one.entries()[in_a.entry.index()], two, in_b.entry);
  }
  if (y != nullptr) {
    return holds(*y, two.entries()[in_b.entry.index()], one, in_a.entry);
  }
  return std::nullopt;
}

bool known_equal(const Program& a, const ProgramFile& in_a, const Program& b,
                 const ProgramFile& in_b) {
  const Artefact& one = a.artefact_of(in_a);
  const Artefact& two = b.artefact_of(in_b);
  if (one.kind() == ArtefactKind::kDirectory &&
      two.kind() == ArtefactKind::kDirectory && one.path() == two.path()) {
    return one.entries()[in_a.entry.index()].name ==
           two.entries()[in_b.entry.index()].name;
  }
  const Entry& x = one.entries()[in_a.entry.index()];
  const Entry& y = two.entries()[in_b.entry.index()];
  if (x.method != y.method || x.size != y.size ||
      x.stored_size != y.stored_size || x.crc != y.crc) {
    return false;
  }
  const auto stored_x = one.stored_bytes(in_a.entry);
  const auto stored_y = two.stored_bytes(in_b.entry);
  if (!stored_x || !stored_y || stored_x->size() != stored_y->size()) {
    return false;
  }
  const bool equal =
      stored_x->data() == stored_y->data() || stored_x->empty() ||
      std::memcmp(stored_x->data(), stored_y->data(), stored_x->size()) == 0;
  return equal && !damaged(one) && !damaged(two);
}

}  // namespace rejig::classfile
