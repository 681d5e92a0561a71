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

std::string html(std::string_view text) { return html_text(one_line(text)); }

std::string_view class_of_words(std::string_view words) {
  if (words.starts_with("+ ")) return " class=\"gained\"";
  if (words.starts_with("− ")) return " class=\"lost\"";
  return "";
}

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--dim:#57606a;--line:#d0d7de;--good:#116329;--bad:#a40e26}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#0d1117;--dim:#9198a1;--line:#3d444d;--good:#56d364;--bad:#ff7b72}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.2rem}h1+p{font-size:1.1rem;font-weight:600}
details{border-top:1px solid var(--line);padding:.5rem 0}summary{font-weight:600;cursor:pointer}
article{margin:.6rem 0 .6rem 1rem;overflow-wrap:anywhere}
code{font:14px ui-monospace,monospace}.place,footer{color:var(--dim)}.place{float:right}
ul{margin:.1rem 0;padding-left:1.2rem}.gained{color:var(--good)}.lost{color:var(--bad)}
@media print{details{display:block}}
)";

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

std::string page_html(const Page& page) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n<title>" +
      html(page.title) + "</title>\n<style>" + std::string(kStyle) +
      "</style>\n</head>\n<body>\n<h1>" + html(page.title) + "</h1>\n";
  for (const auto& line : page.verdict) out += "<p>" + html(line) + "</p>\n";
  for (const auto& section : page.sections) {
    out += std::string("<details") + (section.open ? " open" : "") +
           "><summary>" + html(section.title) + " (" +
           std::to_string(section.items.size() + section.left_out) +
           ")</summary>\n";
    for (const auto& item : section.items) {
      out += "<article";
      if (!item.id.empty()) out += " id=\"" + html(item.id) + "\"";
      out += ">";
      if (!item.place.empty() || !item.id.empty()) {
        out += "<span class=\"place\">" + html(item.place) + " " +
               html(item.id) + "</span>";
      }
      out += "<code>" + html(item.title) + "</code>";
      if (!item.words.empty()) out += "<ul>";
      for (const auto& words : item.words) {
        out += "<li" + std::string(class_of_words(words)) + ">" + html(words) +
               "</li>";
      }
      if (!item.words.empty()) out += "</ul>";
      out += "</article>\n";
    }
    if (section.left_out != 0) {
      out += "<p>… " + std::to_string(section.left_out) + " more</p>\n";
    }
    out += "</details>\n";
  }
  out += "<footer>\n";
  for (const auto& line : page.footer) out += "<p>" + html(line) + "</p>\n";
  return out + "</footer>\n</body>\n</html>\n";
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
