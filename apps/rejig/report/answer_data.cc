// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/answer_data.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "apps/rejig/report/report_format.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

using coverage::Answer;
using coverage::Edge;
using coverage::Hit;
using coverage::JsonReader;
using coverage::TestKey;

namespace {

// "name":[one,two,…]
template <class List, class F>
void list(std::string& out, std::string_view name, const List& items, F&& add) {
  out += '"';
  out += name;
  out += "\":[";
  for (bool first = true; const auto& item : items) {
    if (!first) out += ",\n";
    first = false;
    add(item);
  }
  out += "],\n";
}

void add_texts(std::string& out, std::initializer_list<std::string_view> texts) {
  out += '[';
  for (bool first = true; const auto text : texts) {
    if (!first) out += ',';
    first = false;
    add_json_string(out, text);
  }
  out += ']';
}

void add_items(std::string& out, const Edge& edge, std::size_t most) {
  const auto items = edge.all_items();
  out += ",\"items\":[";
  for (std::size_t i = 0; i < items.size() && i < most; ++i) {
    if (i != 0) out += ',';
    out += '[';
    for (std::size_t a = 0; a < items[i].size(); ++a) {
      if (a != 0) out += ',';
      add_json_string(out, classfile::to_string(items[i][a]));
    }
    out += ']';
  }
  out += ']';
}

void add_edge(std::string& out, const Edge& edge, std::size_t index,
              std::size_t most_items) {
  const auto& d = edge.delta;
  const auto text = [&](std::string_view name, std::string_view value) {
    out += name;
    add_json_string(out, value);
  };
  text("{\"id\":", coverage::edge_id(index));
  text(",\"rule\":", classfile::name_of(d.rule));
  text(",\"channel\":", classfile::name_of(d.channel));
  text(",\"entity\":", d.entity);
  text(",\"name\":", traversal::java_method(d.entity));
  if (!d.label.empty()) text(",\"label\":", d.label);
  if (!d.old_fact.empty()) text(",\"old\":", d.old_fact);
  if (!d.new_fact.empty()) text(",\"new\":", d.new_fact);
  if (!d.file.empty()) text(",\"file\":", d.file);
  if (d.line != 0) out += ",\"line\":" + std::to_string(d.line);
  text(",\"why\":", d.why);
  if (auto says = traversal::java_text(d.why); says != d.why) {
    text(",\"says\":", says);
  }
  add_items(out, edge, most_items);
  out += '}';
}

void add_hit(std::string& out, const Hit& hit) {
  out += '[' + std::to_string(hit.edge) + ',' + std::to_string(hit.item);
  if (hit.unknown) out += ",1";
  out += ']';
}

// "name":{"suite":["id",…],…}
void add_keys(std::string& out, std::string_view name,
              const std::vector<TestKey>& keys) {
  out += '"';
  out += name;
  out += "\":{";
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool same = i != 0 && keys[i].suite == keys[i - 1].suite;
    if (!same) {
      if (i != 0) out += "],\n";
      add_json_string(out, keys[i].suite);
      out += ":[";
    } else {
      out += ',';
    }
    add_json_string(out, keys[i].test);
  }
  out += keys.empty() ? "},\n" : "]},\n";
}

}  // namespace

std::string answer_data(const Answer& answer, std::size_t most_items) {
  std::string out = "{\"mode\":";
  add_json_string(out, coverage::name_of(answer.mode));
  out += ",\n\"reasons\":" + json_list(answer.reasons);
  out += ",\n\"assumptions\":" + json_list(answer.assumptions);
  const auto& c = answer.counts;
  const auto count = [](std::string_view name, std::size_t n) {
    return "\"" + std::string(name) + "\":" + std::to_string(n);
  };
  out += ",\n\"counts\":{" + count("known", c.known) + "," +
         count("selected", c.selected) + "," +
         count("unaffected", c.unaffected) + "," + count("new", c.fresh) + "," +
         count("gone", c.gone) + "," + count("classes", answer.classes) + "," +
         count("changed_classes", answer.changed_classes) + "},\n";
  list(out, "widened", answer.widened,
       [&](const auto& w) { add_texts(out, {w.what, w.where}); });
  std::size_t index = 0;
  list(out, "edges", answer.edges, [&](const Edge& edge) {
    add_edge(out, edge, index++, most_items);
  });
  list(out, "broad", answer.broad, [&](const Hit& hit) { add_hit(out, hit); });
  list(out, "selected", answer.selected, [&](const auto& test) {
    add_texts(out, {test.key.suite, test.key.test});
    out.back() = ',';
    out += '[';
    for (bool first = true; const auto& forced : test.forced) {
      if (!first) out += ',';
      first = false;
      add_texts(out, {coverage::name_of(forced.rule), forced.why});
    }
    out += "],[";
    for (bool first = true; const auto& hit : test.hits) {
      if (!first) out += ',';
      first = false;
      add_hit(out, hit);
    }
    out += "]]";
  });
  add_keys(out, "unaffected", answer.unaffected);
  add_keys(out, "gone", answer.gone);
  return out + "\"end\":true}";
}

namespace {

// Members that are not known are passed over.
class AnswerReader {
 public:
  AnswerReader(JsonReader& json, Answer& out) : json_(json), out_(out) {}

  bool read() {
    bool whole = false;
    json_.object([&](std::string_view key) {
      if (key == "mode") {
        read_mode();
      } else if (key == "reasons") {
        texts(out_.reasons);
      } else if (key == "assumptions") {
        texts(out_.assumptions);
      } else if (key == "counts") {
        read_counts();
      } else if (key == "widened") {
        json_.array([&] {
          std::vector<std::string> words;
          texts(words);
          words.resize(2);
          out_.widened.push_back({words[0], words[1]});
        });
      } else if (key == "edges") {
        json_.array([&] { read_edge(); });
      } else if (key == "broad") {
        hits(out_.broad);
      } else if (key == "selected") {
        json_.array([&] { read_selected(); });
      } else if (key == "unaffected") {
        read_keys(out_.unaffected);
      } else if (key == "gone") {
        read_keys(out_.gone);
      } else if (key == "end") {
        json_.boolean(whole);
      } else {
        json_.skip();
      }
    });
    if (!json_.failed() && !whole) json_.reject("an answer without end");
    if (!json_.failed() && !hits_exist()) {
      json_.reject("an edge that the answer does not have");
    }
    return !json_.failed();
  }

 private:
  void texts(std::vector<std::string>& to) {
    json_.array([&] { json_.text(to.emplace_back()); });
  }

  void read_mode() {
    std::string word;
    json_.text(word);
    for (const auto mode : {coverage::Mode::kNone, coverage::Mode::kSome,
                            coverage::Mode::kAll}) {
      if (word == coverage::name_of(mode)) {
        out_.mode = mode;
        return;
      }
    }
    json_.reject("an unknown mode");
  }

  void read_counts() {
    const std::map<std::string_view, std::size_t*> names = {
        {"known", &out_.counts.known},
        {"selected", &out_.counts.selected},
        {"unaffected", &out_.counts.unaffected},
        {"new", &out_.counts.fresh},
        {"gone", &out_.counts.gone},
        {"classes", &out_.classes},
        {"changed_classes", &out_.changed_classes}};
    json_.object([&](std::string_view key) {
      std::uint64_t n = 0;
      json_.integer(n);
      if (const auto at = names.find(key); at != names.end()) {
        *at->second = static_cast<std::size_t>(n);
      }
    });
  }

  void read_edge() {
    Edge edge;
    auto& d = edge.delta;
    const std::map<std::string_view, std::string*> names = {
        {"entity", &d.entity}, {"label", &d.label}, {"old", &d.old_fact},
        {"new", &d.new_fact},  {"file", &d.file},   {"why", &d.why}};
    json_.object([&](std::string_view key) {
      if (const auto at = names.find(key); at != names.end()) {
        json_.text(*at->second);
      } else if (key == "rule") {
        std::string word;
        json_.text(word);
        const auto* row = classfile::find_rule(word);
        if (row == nullptr) {
          json_.reject("an unknown rule");
        } else {
          d.rule = row->rule;
          d.channel = row->channel;
        }
      } else if (key == "line") {
        std::uint64_t n = 0;
        json_.integer(n);
        d.line = static_cast<unsigned>(n);
      } else if (key == "items") {
        json_.array([&] {
          auto& item = edge.items.emplace_back();
          json_.array([&] {
            std::string word;
            json_.text(word);
            const auto atom = classfile::parse_atom(word);
            if (!atom) {
              json_.reject("no atom: " + word);
            } else {
              item.push_back(*atom);
            }
          });
        });
      } else {
        json_.skip();
      }
    });
    out_.edges.push_back(std::move(edge));
  }

  void hits(std::vector<Hit>& to) {
    json_.array([&] {
      std::uint64_t parts[3] = {};
      std::size_t n = 0;
      json_.array([&] {
        std::uint64_t one = 0;
        json_.integer(one);
        if (n < 3) parts[n] = one;
        ++n;
      });
      to.push_back({static_cast<std::uint32_t>(parts[0]),
                    static_cast<std::uint32_t>(parts[1]), parts[2] != 0});
    });
  }

  void read_forced(std::vector<coverage::Forced>& to) {
    json_.array([&] {
      std::vector<std::string> words;
      texts(words);
      words.resize(2);
      unsigned number = 0;
      const auto& id = words[0];
      std::from_chars(id.data() + std::min<std::size_t>(1, id.size()),
                      id.data() + id.size(), number);
      const auto rule = static_cast<coverage::TestRule>(number);
      constexpr unsigned kLast =
          static_cast<unsigned>(coverage::TestRule::kProvider);
      if (number == 0 || number > kLast || coverage::name_of(rule) != id) {
        json_.reject("an unknown rule of tests");
        return;
      }
      to.push_back({rule, words[1]});
    });
  }

  void read_selected() {
    coverage::SelectedTest test;
    unsigned at = 0;
    json_.array([&] {
      switch (at++) {
        case 0:
          json_.text(test.key.suite);
          return;
        case 1:
          json_.text(test.key.test);
          return;
        case 2:
          return read_forced(test.forced);
        case 3:
          return hits(test.hits);
        default:
          json_.skip();
      }
    });
    out_.selected.push_back(std::move(test));
  }

  void read_keys(std::vector<TestKey>& to) {
    json_.object([&](std::string_view key) {
      const std::string suite(key);
      json_.array([&] {
        to.push_back({suite, {}});
        json_.text(to.back().test);
      });
    });
  }

  bool hits_exist() const {
    const auto known = [&](const Hit& hit) {
      return hit.edge < out_.edges.size();
    };
    return std::ranges::all_of(out_.broad, known) &&
           std::ranges::all_of(out_.selected, [&](const auto& test) {
             return std::ranges::all_of(test.hits, known);
           });
  }

  JsonReader& json_;
  Answer& out_;
};

}  // namespace

bool read_answer_data(JsonReader& json, Answer& out) {
  return AnswerReader(json, out).read();
}

base::Result<Answer> answer_of(std::string_view text,
                               const std::string& where) {
  JsonReader json(text);
  Answer out;
  if (!read_answer_data(json, out) || !json.end()) {
    return base::Error{base::Errc::kMalformed,
                       json.failed() ? json.what() : "more than an answer",
                       where + " @" + std::to_string(json.offset())};
  }
  return out;
}

}  // namespace rejig::app
