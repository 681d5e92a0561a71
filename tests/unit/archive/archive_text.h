// SPDX-License-Identifier: Apache-2.0
// An artefact as a test sees it: names and contents as text.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/archive/archive.h"
#include "tests/unit/archive/zip_builder.h"

namespace rejig::test {

inline std::string text_of(base::Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string lines_of(const base::Diagnostics& diagnostics) {
  std::string out;
  for (const auto& item : diagnostics.items()) {
    out += item.where + ": " + item.what + "\n";
  }
  return out;
}

// Home of the JDK of that feature release: the variable's, else one of those
// that lie where Debian puts them; empty when there is none.
inline std::string jdk_home(const std::string& feature, const char* variable) {
  std::vector<std::filesystem::path> homes;
  if (const char* const given = std::getenv(variable)) homes.push_back(given);
  const std::filesystem::path all = "/usr/lib/jvm";
  if (std::filesystem::is_directory(all)) {
    for (const auto& item : std::filesystem::directory_iterator(all)) {
      homes.push_back(item.path());
    }
  }
  for (const auto& home : homes) {
    std::ifstream release(home / "release");
    const std::string text{std::istreambuf_iterator<char>(release), {}};
    if (text.find("JAVA_VERSION=\"" + feature) != std::string::npos) {
      return home.string();
    }
  }
  return "";
}

class ArchiveText {
 public:
  explicit ArchiveText(std::string_view bytes)
      : ArchiveText(std::make_unique<TempFolder>(), bytes, "x.zip") {}
  static ArchiveText at(const std::string& path) {
    return ArchiveText(path, 0);
  }

  // The message of opening these bytes; empty when they are an artefact.
  static std::string failure(std::string_view bytes) {
    const TempFolder folder;
    base::Diagnostics ignored;
    const auto opened =
        classfile::Artefact::open(folder.write("x.zip", bytes), ignored);
    return opened.ok() ? "" : opened.error().message();
  }

  const classfile::Artefact& artefact() const { return *artefact_; }
  std::string diagnostics() const { return lines_of(diagnostics_); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : artefact_->entries()) out.emplace_back(entry.name);
    return out;
  }
  bool reads(const std::string& name) const { return read(name).first; }
  std::string text(const std::string& name) const {
    const auto [ok, text] = read(name);
    EXPECT_TRUE(ok) << name << ": " << text;
    return text;
  }
  std::string error(const std::string& name) const {
    const auto [ok, text] = read(name);
    EXPECT_FALSE(ok) << name << " can be read";
    return text;
  }
  classfile::EntryId id(const std::string& name) const {
    const auto entries = artefact_->entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].name == name && !entries[i].hidden) {
        return classfile::EntryId::of(i);
      }
    }
    ADD_FAILURE() << "no entry " << name;
    return classfile::EntryId(0);
  }

 private:
  ArchiveText(std::unique_ptr<TempFolder> folder, std::string_view bytes,
              const std::string& name)
      : folder_(std::move(folder)) {
    open(folder_->write(name, bytes));
  }
  ArchiveText(const std::string& path, int) { open(path); }

  void open(const std::string& path) {
    auto opened = classfile::Artefact::open(path, diagnostics_);
    if (!opened.ok()) {
      throw std::runtime_error(opened.error().message());
    }
    artefact_ = std::move(opened).value();
  }
  std::pair<bool, std::string> read(const std::string& name) const {
    base::Buffer buffer;
    const auto bytes = artefact_->read(id(name), buffer);
    if (!bytes.ok()) return {false, bytes.error().message()};
    return {true, text_of(*bytes)};
  }

  std::unique_ptr<TempFolder> folder_;
  base::Diagnostics diagnostics_;
  std::unique_ptr<classfile::Artefact> artefact_;
};

}  // namespace rejig::test
