// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/archive_lookup.h"

#include <algorithm>

#include "classfile/base/hash_map.h"

namespace rejig::classfile {

namespace {

constexpr std::string_view kVersions = "META-INF/versions/";
constexpr std::string_view kClassSuffix = ".class";
constexpr std::string_view kModuleInfo = "module-info.class";
constexpr unsigned kFirstVersion = 9;
constexpr unsigned kFirstVersionOfLoaders = 8;
constexpr unsigned kLastVersion = 4000;

// Where a loader looks first inside one container: the highest version folder
// in force, then these.
enum Tier : std::uint32_t {
  kRootTier = kLastVersion + 1,
  kClassesTier,
  kBootTier,
  kWebTier,
  kTiers = 4096,
};

// The version that "17/x/Y.class" begins with; 0 for anything else ("09/": a
// class loader asks for no such folder). `rest` is what follows.
unsigned version_folder(std::string_view name, std::string_view& rest) {
  unsigned version = 0;
  std::size_t i = 0;
  for (; i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i) {
    if (i == 0 && name[i] == '0') return 0;
    version = version * 10 + static_cast<unsigned>(name[i] - '0');
    if (version > kLastVersion) return 0;
  }
  if (i == 0 || i == name.size() || name[i] != '/') return 0;
  rest = name.substr(i + 1);
  return version;
}

void place(std::string_view name, const Container& container, unsigned first,
           unsigned release, LoaderPath& out) {
  std::uint32_t tier = kRootTier;
  std::string_view path = name;
  std::string_view rest;
  const auto below = [&](std::string_view folder, Tier where) {
    if (!name.starts_with(folder)) return false;
    path = name.substr(folder.size());
    tier = where;
    return true;
  };
  if (container.multi_release && name.starts_with(kVersions)) {
    const unsigned version =
        version_folder(name.substr(kVersions.size()), rest);
    if (version >= first && version <= release &&
        !rest.starts_with("META-INF/")) {
      path = rest;
      tier = kLastVersion - version;
    }
  } else if (container.kind == ArtefactKind::kJimage) {
    path = name.substr(name.find('/') + 1);
  } else if (container.kind == ArtefactKind::kJmod) {
    below("classes/", kClassesTier);
  } else if (!below("BOOT-INF/classes/", kBootTier)) {
    below("WEB-INF/classes/", kWebTier);
  }
  out.path = path;
  out.rank = tier;
}

std::string_view unquoted(std::string_view line) {
  const std::size_t from = line.find('"');
  const std::size_t to = line.rfind('"');
  return from == to ? std::string_view() : line.substr(from + 1, to - from - 1);
}

// The order of containers; they are numbered depth first.
std::vector<std::uint32_t> container_order(const Artefact& artefact,
                                           LookupRules rules) {
  const auto containers = artefact.containers();
  std::vector<std::uint32_t> order(containers.size());
  for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
  if (rules == LookupRules::kDump || order.size() < 3) return order;
  const auto entries = artefact.entries();
  base::Buffer buffer;
  std::string_view index;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name == "BOOT-INF/classpath.idx" && !entries[i].hidden) {
      const auto bytes = artefact.read(EntryId::of(i), buffer);
      if (!bytes.ok()) return order;
      index = {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
    }
  }
  base::HashMap<std::string_view, std::uint32_t> listed;
  while (!index.empty()) {
    const std::size_t end = std::min(index.find('\n'), index.size());
    const std::string_view name = unquoted(index.substr(0, end));
    if (!name.empty()) {
      listed.try_emplace(name, static_cast<std::uint32_t>(listed.size()) + 1);
    }
    index.remove_prefix(std::min(end + 1, index.size()));
  }
  // What is not listed comes last, in directory order; archives inside a nested
  // one stay behind it.
  std::vector<std::uint32_t> key(order.size(), 0);
  for (std::uint32_t c = 1; c < order.size(); ++c) {
    if (containers[c].depth > 1) {
      key[c] = key[c - 1];
      continue;
    }
    const std::uint32_t* at =
        listed.find(entries[containers[c].entry.index()].name);
    key[c] = at != nullptr ? *at : static_cast<std::uint32_t>(-1);
  }
  std::vector<std::uint32_t> sorted = order;
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  for (std::uint32_t i = 0; i < sorted.size(); ++i) order[sorted[i]] = i;
  return order;
}

}  // namespace

void each_loader_path(const Artefact& artefact, unsigned release,
                      LookupRules rules,
                      const std::function<void(const LoaderPath&)>& found) {
  const auto entries = artefact.entries();
  const auto containers = artefact.containers();
  const auto order = container_order(artefact, rules);
  const unsigned first =
      rules == LookupRules::kDump ? kFirstVersion : kFirstVersionOfLoaders;
  const auto by_name = artefact.name_order();
  const bool sorted = rules == LookupRules::kLoader && !by_name.empty();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const std::size_t i = sorted ? by_name[k] : k;
    const Entry& entry = entries[i];
    if (entry.hidden) continue;
    const Container& container = containers[entry.container];
    LoaderPath path;
    path.entry = EntryId::of(i);
    place(entry.name.substr(container.prefix.size()), container, first, release,
          path);
    path.rank += order[entry.container] * kTiers;
    found(path);
  }
}

bool same_loader_root(std::uint32_t rank, std::uint32_t other) {
  return rank / kTiers == other / kTiers && rank % kTiers <= kRootTier &&
         other % kTiers <= kRootTier && rank != other;
}

std::vector<std::string_view> loader_class_names(const Artefact& artefact,
                                                 unsigned release) {
  const bool modules = artefact.kind() == ArtefactKind::kJimage;
  std::vector<LoaderPath> paths;
  paths.reserve(artefact.entries().size());
  each_loader_path(artefact, release, LookupRules::kDump,
                   [&](const LoaderPath& path) { paths.push_back(path); });
  base::HashMap<std::string_view, std::uint32_t> first;
  first.reserve(paths.size());
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    const auto [at, added] = first.try_emplace(paths[i].path, i);
    if (!added && paths[i].rank < paths[*at].rank) *at = i;
  }
  std::vector<std::string_view> names(artefact.entries().size());
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    const std::string_view path = paths[i].path;
    // Each module of a jimage is a root of its own.
    const bool found =
        *first.find(path) == i || (modules && path == kModuleInfo);
    if (found && path.ends_with(kClassSuffix)) {
      names[paths[i].entry.index()] =
          path.substr(0, path.size() - kClassSuffix.size());
    }
  }
  return names;
}

}  // namespace rejig::classfile
