// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/listing_page.h"

#include <charconv>
#include <ctime>
#include <set>

namespace rejig::coverage {

namespace {

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 3], value, 16).ptr ==
            &text[i + 3]) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string without_entities(std::string_view text) {
  std::string out(text);
  for (const auto& [entity, plain] :
       {std::pair<std::string_view, char>{"&lt;", '<'},
        {"&gt;", '>'},
        {"&quot;", '"'},
        {"&#34;", '"'},
        {"&amp;", '&'}}) {
    for (std::size_t at = 0;
         (at = out.find(entity, at)) != std::string::npos; ++at) {
      out.replace(at, entity.size(), 1, plain);
    }
  }
  return out;
}

// Between <name> and </name>, from `at` on; `at` moves behind it.
std::string_view inside(std::string_view xml, std::string_view name,
                        std::size_t& at) {
  const std::string open = "<" + std::string(name) + ">";
  const std::string close = "</" + std::string(name) + ">";
  const auto begin = xml.find(open, at);
  if (begin == std::string_view::npos) return {};
  const auto end = xml.find(close, begin);
  if (end == std::string_view::npos) return {};
  at = end + close.size();
  return xml.substr(begin + open.size(), end - begin - open.size());
}

std::string_view only(std::string_view xml, std::string_view name) {
  std::size_t at = 0;
  return inside(xml, name, at);
}

}  // namespace

std::vector<std::string> links_of_page(std::string_view html) {
  constexpr std::string_view kLink = "href=\"";
  std::set<std::string> out;
  for (std::size_t at = 0;
       (at = html.find(kLink, at)) != std::string_view::npos;) {
    at += kLink.size();
    const auto end = html.find('"', at);
    if (end == std::string_view::npos) break;
    std::string name = unescaped(html.substr(at, end - at));
    if (name.starts_with("./")) name = name.substr(2);
    const auto slash = name.find('/');
    if (!name.empty() && name.front() != '.' && name.front() != '?' &&
        name.find(':') == std::string::npos &&
        (slash == std::string::npos || (slash != 0 && slash + 1 == name.size()))) {
      out.insert(name);
    }
    at = end;
  }
  return {out.begin(), out.end()};
}

ObjectsPage objects_of_page(std::string_view xml) {
  ObjectsPage out;
  for (std::size_t at = 0;;) {
    const auto one = inside(xml, "Contents", at);
    if (one.empty()) break;
    Listed object;
    object.key = without_entities(only(one, "Key"));
    const auto size = only(one, "Size");
    std::from_chars(size.data(), size.data() + size.size(), object.size);
    std::tm parts{};
    const std::string time(only(one, "LastModified"));
    if (::strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) != nullptr) {
      object.modified = ::timegm(&parts);
    }
    if (!object.key.empty()) out.objects.push_back(std::move(object));
  }
  if (only(xml, "IsTruncated") == "true") {
    out.next = without_entities(only(xml, "NextContinuationToken"));
  }
  return out;
}

}  // namespace rejig::coverage
