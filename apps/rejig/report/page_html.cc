// SPDX-License-Identifier: Apache-2.0
// The page holds its data as JSON, and a script of ours (page/report.js) that shows
// them. Without the script, where a server forbids it, the plain page that stands
// there is read. Nothing is loaded, no text of the data becomes markup.
#include <algorithm>
#include <cstdint>
#include <span>

#include "apps/rejig/report/page.h"
#include "apps/rejig/report/page_assets.h"
#include "apps/rejig/report/report_format.h"
#include "classfile/base/hash.h"

namespace rejig::app {

namespace {

std::string html(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string_view class_of_words(std::string_view words) {
  if (words.starts_with("+ ")) return " class=\"gained\"";
  if (words.starts_with("− ")) return " class=\"lost\"";
  return "";
}


// What the browser compares the text with before it runs or applies it.
std::string source_hash(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto digest =
      base::sha256(std::as_bytes(std::span(text.data(), text.size())));
  std::string out = "'sha256-";
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const auto byte : digest) {
    bits = bits << 8U | static_cast<std::uint32_t>(byte);
    held += 8;
    while (held >= 6) {
      held -= 6;
      out += kLetters[bits >> held & 63U];
    }
    bits &= (1U << held) - 1;
  }
  if (held != 0) out += kLetters[bits << (6 - held) & 63U];
  // 32 bytes leave one place.
  return out + "='";
}

// Inside a script element nothing may look like its end, or like a comment; in the
// log of a CI runner nothing like a command. Both only occur in strings.
void add_data(std::string& out, std::string_view json) {
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json.substr(i, 3) == "##[") {
      out += "\\u0023";
    } else {
      out += json[i];
    }
  }
}

std::string texts(const std::vector<std::string>& all) { return json_list(all); }

void add_lists(std::string& out, const Page& page) {
  out += "\"lists\":[";
  for (bool first = true; const auto& section : page.sections) {
    if (!first) out += ",\n";
    first = false;
    out += "{\"title\":" + json_string(section.title) +
           ",\"open\":" + (section.open ? "true" : "false") +
           ",\"left\":" + std::to_string(section.left_out) + ",\"items\":[";
    for (bool one = true; const auto& item : section.items) {
      if (!one) out += ",\n";
      one = false;
      out += "[" + json_string(item.title) + "," + json_string(item.place) +
             "," + json_string(item.id) + "," + texts(item.words) + "]";
    }
    out += "]}";
  }
  out += "]";
}

std::string data_of(const Page& page, const PageData& data) {
  std::string out = "{\"schema\":\"rejig.report/1\",\"kind\":" +
                    json_string(data.kind) +
                    ",\"rejig\":" + json_string(data.version) +
                    ",\"title\":" + json_string(page.title) +
                    ",\"verdict\":" + texts(page.verdict) +
                    ",\"footer\":" + texts(page.footer) + ",\n";
  if (!data.when.empty()) out += "\"when\":" + json_string(data.when) + ",\n";
  add_lists(out, page);
  for (const auto& [name, json] : data.members) {
    out += ",\n" + json_string(name) + ":";
    out += json;
  }
  return out + "}\n";
}

// For whom the script does not run.
void add_plain(std::string& out, const Page& page) {
  constexpr std::size_t kMost = 200;
  out += "<section class=\"answer\"><h1>" + html(page.title) + "</h1>\n";
  for (const auto& line : page.verdict) out += "<p>" + html(line) + "</p>\n";
  out += "</section>\n";
  for (const auto& section : page.sections) {
    out += std::string("<details") + (section.open ? " open" : "") +
           "><summary>" + html(section.title) + " (" +
           std::to_string(section.items.size() + section.left_out) +
           ")</summary>\n";
    std::size_t shown = 0;
    for (const auto& item : section.items) {
      if (shown++ == kMost) break;
      out += "<article>";
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
    const auto left =
        section.left_out + section.items.size() - std::min(section.items.size(), kMost);
    if (left != 0) out += "<p>… " + std::to_string(left) + " more</p>\n";
    out += "</details>\n";
  }
  out += "<footer>\n";
  for (const auto& line : page.footer) out += "<p>" + html(line) + "</p>\n";
  out += "</footer>\n";
}

}  // namespace

std::string page_html(const Page& page, const PageData& data) {
  const PageAssets assets = page_assets();
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src " +
      source_hash(assets.style) + "; script-src " + source_hash(assets.script) +
      "; base-uri 'none'\">\n<title>" + html(page.title) +
      "</title>\n<style>" + std::string(assets.style) +
      "</style>\n</head>\n<body>\n<main id=\"main\">\n";
  add_plain(out, page);
  out += "</main>\n<script type=\"application/json\" id=\"data\">";
  add_data(out, data_of(page, data));
  out += "</script>\n<script>" + std::string(assets.script) +
         "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace rejig::app
