// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/page.h"

#include <algorithm>
#include <set>

#include "apps/rejig/report/report_format.h"
#include "classfile/base/hash.h"
#include "classfile/words/delta.h"

namespace rejig::app {

namespace {

// Nothing in it is Markdown, HTML or a mention.
std::string markdown(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_{}[]|#~";
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '@') {
      out += "&#64;";
    } else {
      if (kSpecial.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

// `text`, whatever backticks it has.
std::string code(std::string_view text) {
  const std::string line = one_line(text);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string_view blank = longest == 0 ? "" : " ";
  return fence + std::string(blank) + line + std::string(blank) + fence;
}

std::string_view name_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::kError: return "error";
    case Finding::Level::kWarning: return "warning";
    case Finding::Level::kNote: return "note";
  }
  return "none";
}

// A path as a URI reference: what is not plain is percent-encoded.
std::string uri(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  }
  return out;
}

}  // namespace

std::string page_markdown(const Page& page) {
  std::string out = "### " + markdown(page.title) + "\n\n";
  for (std::size_t i = 0; i < page.verdict.size(); ++i) {
    const std::string line = markdown(page.verdict[i]);
    out += (i == 0 ? "**" + line + "**" : line) + "  \n";
  }
  for (const auto& section : page.sections) {
    const std::string title =
        markdown(section.title) + " (" +
        std::to_string(section.items.size() + section.left_out) + ")";
    out += section.open ? "\n#### " + title + "\n\n"
                        : "\n<details><summary>" + title + "</summary>\n\n";
    for (const auto& item : section.items) {
      out += "- " + code(item.title);
      if (!item.place.empty()) out += " · " + code(item.place);
      if (!item.id.empty()) out += " · " + markdown(item.id);
      for (std::size_t i = 0; i < item.words.size(); ++i) {
        out += (i == 0 ? "  \n  " : "; ") + markdown(item.words[i]);
      }
      out += "\n";
    }
    if (section.left_out != 0) {
      out += "- … " + std::to_string(section.left_out) + " more\n";
    }
    if (!section.open) out += "\n</details>\n";
  }
  if (!page.footer.empty()) out += "\n";
  for (const auto& line : page.footer) {
    out += "<sub>" + markdown(line) + "</sub>  \n";
  }
  return out;
}

std::string findings_sarif(const std::vector<Finding>& findings,
                           std::string_view version) {
  std::string out =
      "{\n  \"$schema\": "
      "\"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": "
      "\"2.1.0\",\n  \"runs\": [ {\n    \"tool\": { \"driver\": { \"name\": "
      "\"rejig\", \"version\": " +
      json_string(version) + ", \"rules\": [";
  std::set<std::string> rules;
  for (const auto& one : findings) rules.insert(one.rule);
  bool first = true;
  for (const auto& id : rules) {
    const auto* row = classfile::find_rule(id);
    out += std::string(first ? "" : ",") + "\n      {\"id\":" + json_string(id);
    if (row != nullptr) {
      out += ",\"name\":" + json_string(row->name) +
             ",\"shortDescription\":{\"text\":" + json_string(row->sentence) +
             "}";
    }
    out += "}";
    first = false;
  }
  out += first ? "] } },\n    \"results\": ["
               : "\n    ] } },\n    \"results\": [";
  first = true;
  for (const auto& one : findings) {
    out += std::string(first ? "" : ",") + "\n      {\"ruleId\":" +
           json_string(one.rule) + ",\"level\":" +
           json_string(name_of(one.level)) + ",\"message\":{\"text\":" +
           json_string(one.message) + "}";
    if (!one.path.empty()) {
      out += ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":"
             "{\"uri\":" +
             json_string(uri(one.path)) + "}";
      if (one.line != 0) {
        out += ",\"region\":{\"startLine\":" + std::to_string(one.line) + "}";
      }
      out += "}}]";
    }
    const std::string key = one.rule + " " + one.subject;
    out += ",\"partialFingerprints\":{\"rejig/1\":" +
           json_string(base::to_hex(base::sha256(std::as_bytes(
               std::span(key.data(), key.size()))))) +
           "}}";
    first = false;
  }
  return out + (first ? "]\n  } ]\n}\n" : "\n    ]\n  } ]\n}\n");
}

}  // namespace rejig::app
