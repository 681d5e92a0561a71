// SPDX-License-Identifier: Apache-2.0
// How does a digest look on a screen? Verdict first, then the parts by weight, one
// screen of them unless all is asked for, artefacts and facets folded at the end.
// Java names, each place once, lines as wide as the screen. The same bytes for
// the same digest, width and height.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/report/digest.h"

namespace rejig::app {

struct Screen {
  unsigned width = 80;
  unsigned rows = 40;  // 0: all
  bool color = false;
  bool verbose = false;  // rules and numbers of all edges
};

// Where "a/b/C.java" is; what has no source comes back as it is.
using PlaceOf = std::string (*)(const std::string& file, const void* context);

struct DigestView {
  const Digest& digest;
  std::span<const coverage::Edge> edges;
  const traversal::Versions* versions = nullptr;
  PlaceOf place = nullptr;  // nullptr: the file, without what all have in front
  const void* place_context = nullptr;
};

std::string digest_text(const DigestView& view, const Screen& screen);

// The folder that all these files are below: "org/apache/"; may be empty.
std::string common_folder(std::span<const DigestItem> items);

}  // namespace rejig::app
