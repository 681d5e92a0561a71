// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "apps/rejig/study/study.h"

namespace rejig::app {

namespace {

std::string number(double value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string seconds(std::uint64_t ms) {
  return number(static_cast<double>(ms) / 1000.0, 1);
}

// What the plots show: program, then view, one value a pair.
struct Series {
  std::vector<std::string> programs;
  std::vector<std::string> views;
  std::map<std::pair<std::string, std::string>, std::vector<double>> values;

  template <typename Value>
  Series(const std::vector<PairFigures>& pairs, Value value) {
    for (const auto& pair : pairs) {
      add(programs, pair.program);
      for (const auto& view : pair.views) {
        add(views, view.view);
        values[{pair.program, view.view}].push_back(value(pair, view));
      }
    }
    for (auto& [key, list] : values) std::sort(list.begin(), list.end());
  }

 private:
  static void add(std::vector<std::string>& list, const std::string& one) {
    if (std::find(list.begin(), list.end(), one) == list.end()) {
      list.push_back(one);
    }
  }
};

constexpr std::array<const char*, 5> kColors = {"#3465a4", "#c17d11", "#4e9a06",
                                                "#75507b", "#888a85"};
constexpr double kTop = 40;
constexpr double kHeight = 240;
constexpr double kLeft = 60;
constexpr double kSlot = 26;

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const auto high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] +
         (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

class Plot {
 public:
  Plot(std::string title, double most)
      : title_(std::move(title)), most_(most) {}

  double y(double value) const {
    return kTop + kHeight * (1 - std::min(value, most_) / most_);
  }
  void line(double x1, double y1, double x2, double y2, const char* color) {
    body_ += "<line x1=\"" + number(x1, 1) + "\" y1=\"" + number(y1, 1) +
             "\" x2=\"" + number(x2, 1) + "\" y2=\"" + number(y2, 1) +
             "\" stroke=\"" + color + "\"/>\n";
  }
  void box(double x, double from, double to, const char* color, bool filled) {
    body_ += "<rect x=\"" + number(x, 1) + "\" y=\"" + number(y(to), 1) +
             "\" width=\"" + number(kSlot - 8, 1) + "\" height=\"" +
             number(std::max(1.0, y(from) - y(to)), 1) + "\" stroke=\"" +
             color + "\" fill=\"" + (filled ? color : "white") + "\"/>\n";
  }
  void text(double x, double at, const std::string& what, const char* anchor) {
    std::string safe;
    for (const char c : what) {
      safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    body_ += "<text x=\"" + number(x, 1) + "\" y=\"" + number(at, 1) +
             "\" text-anchor=\"" + anchor + "\">" + safe + "</text>\n";
  }

  // `draw(x, values, color)` for each program and view.
  template <typename Draw>
  std::string finish(const Series& series, Draw draw) {
    double x = kLeft + 10;
    for (const auto& program : series.programs) {
      const double from = x;
      for (std::size_t v = 0; v < series.views.size(); ++v) {
        const auto found = series.values.find({program, series.views[v]});
        if (found != series.values.end()) {
          draw(x, found->second, kColors[v % kColors.size()]);
        }
        x += kSlot;
      }
      x += kSlot;
      text((from + x - kSlot) / 2, kTop + kHeight + 18, program, "middle");
      x = std::max(x, from + 9.0 * static_cast<double>(program.size()));
    }
    for (int i = 0; i <= 4; ++i) {
      const double value = most_ * i / 4;
      line(kLeft, y(value), x, y(value), "#dddddd");
      text(kLeft - 6, y(value) + 4, number(value, most_ > 10 ? 0 : 2), "end");
    }
    for (std::size_t v = 0; v < series.views.size(); ++v) {
      const double at = kTop + kHeight + 44 + 18 * static_cast<double>(v);
      body_ += "<rect x=\"" + number(kLeft, 1) + "\" y=\"" +
               number(at - 10, 1) + "\" width=\"12\" height=\"12\" fill=\"" +
               kColors[v % kColors.size()] + "\"/>\n";
      text(kLeft + 18, at, series.views[v], "start");
    }
    text(kLeft, 22, title_, "start");
    const double bottom =
        kTop + kHeight + 50 + 18 * static_cast<double>(series.views.size());
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
           number(x + 20, 0) + "\" height=\"" + number(bottom, 0) +
           "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect "
           "width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
           body_ + "</svg>\n";
  }

 private:
  std::string title_;
  double most_;
  std::string body_;
};

// Sums of one view over pairs; shares are means over the pairs.
struct Sum {
  std::uint64_t pairs = 0;
  std::uint64_t changing = 0;  // pairs in which a test ends otherwise
  std::uint64_t ended = 0;     // not counted in anything else
  std::uint64_t hard = 0;
  std::uint64_t affected = 0;
  std::uint64_t missed = 0;
  std::uint64_t lossy = 0;
  std::uint64_t unobserved = 0;
  std::uint64_t analysis_ms = 0;
  double tests = 0;
  double classes = 0;
  double changed = 0;
  double ratio = 0;

  void add(const PairFigures& p, const ViewFigures& v) {
    pairs += 1;
    changing += p.changed != 0 ? 1 : 0;
    hard += v.hard;
    affected += v.affected;
    missed += v.missed;
    lossy += v.missed != 0 ? 1 : 0;
    unobserved += v.unobserved;
    analysis_ms += p.analysis_ms;
    tests += share(v.selected, p.tests);
    classes += share(v.selected_classes, p.classes);
    changed += share(p.changed, p.tests);
    ratio += p.ratio(v);
  }
  std::string mean(double sum, int digits) const {
    return number(pairs == 0 ? 0 : sum / static_cast<double>(pairs), digits);
  }
};

std::string of(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string releases_markdown(const std::vector<const PairFigures*>& pairs) {
  std::string out =
      "| program | versions | tests | ends otherwise | view | tests selected "
      "| classes selected | hard misses | LR | ALR | analysis s | all s "
      "| recorded s | end to end "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  std::map<std::string, Sum> sums;
  for (const auto* p : pairs) {
    for (const auto& v : p->views) {
      out += "| " + p->program + " | " + p->old_version + " to " +
             p->new_version + " | " + std::to_string(p->tests) + " | " +
             std::to_string(p->changed) + " | " + v.view + " | " +
             number(share(v.selected, p->tests), 1) + " % | " +
             number(share(v.selected_classes, p->classes), 1) + " % | " +
             std::to_string(v.hard) + " | " + of(v.missed, v.affected) +
             " | " + (v.missed != 0 ? "1" : "0") + " | " +
             number(static_cast<double>(p->analysis_ms) / 1000, 2) + " | " +
             seconds(p->all_ms) + " | " + seconds(p->recorded_ms) + " | " +
             number(p->ratio(v), 2) + " |\n";
      sums[v.view].add(*p, v);
    }
  }
  out +=
      "\n| view | pairs | mean tests selected | mean classes selected | hard "
      "misses | LR | ALR | mean end to end "
      "|\n|---|---|---|---|---|---|---|---|\n";
  for (const auto& [view, sum] : sums) {
    out += "| " + view + " | " + std::to_string(sum.pairs) + " | " +
           sum.mean(sum.tests, 1) + " % | " + sum.mean(sum.classes, 1) +
           " % | " + std::to_string(sum.hard) + " | " +
           of(sum.missed, sum.affected) + " | " + of(sum.lossy, sum.pairs) +
           " | " + sum.mean(sum.ratio, 2) + " |\n";
  }
  return out;
}

// One line for each program, or kind of change, and view.
std::string sums_table(
    const char* first,
    const std::map<std::pair<std::string, std::string>, Sum>& sums) {
  std::string out =
      std::string("| ") + first +
      " | view | variants | no result | with a change | tests selected | "
      "truth | classes selected | hard misses | not observed | LR | ALR | "
      "analysis ms | end to end "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [key, sum] : sums) {
    out += "| " + key.first + " | " + key.second + " | " +
           std::to_string(sum.pairs + sum.ended) + " | " +
           std::to_string(sum.ended) + " | " + std::to_string(sum.changing) +
           " | " + sum.mean(sum.tests, 1) + " % | " +
           sum.mean(sum.changed, 1) + " % | " + sum.mean(sum.classes, 1) +
           " % | " + std::to_string(sum.hard) + " | " +
           std::to_string(sum.unobserved) + " | " +
           of(sum.missed, sum.affected) + " | " + of(sum.lossy, sum.pairs) +
           " | " + sum.mean(static_cast<double>(sum.analysis_ms), 0) + " | " +
           sum.mean(sum.ratio, 2) + " |\n";
  }
  return out;
}

std::string variants_markdown(const std::vector<const PairFigures*>& pairs) {
  std::map<std::pair<std::string, std::string>, Sum> by_program;
  std::map<std::pair<std::string, std::string>, Sum> by_kind;
  std::vector<std::string> views;
  for (const auto* p : pairs) {
    for (const auto& v : p->views) {
      by_program[{p->program, v.view}].add(*p, v);
      by_program[{"~ all", v.view}].add(*p, v);
      if (!p->kind.empty()) by_kind[{p->kind, v.view}].add(*p, v);
      if (std::find(views.begin(), views.end(), v.view) == views.end()) {
        views.push_back(v.view);
      }
    }
  }
  for (const auto* p : pairs) {
    if (!p->ended) continue;
    for (const auto& view : views) {
      by_program[{p->program, view}].ended += 1;
      by_program[{"~ all", view}].ended += 1;
      if (!p->kind.empty()) by_kind[{p->kind, view}].ended += 1;
    }
  }
  std::string out = sums_table("program", by_program);
  if (!by_kind.empty()) out += '\n' + sums_table("change", by_kind);
  return out;
}

}  // namespace

std::string study_markdown(const std::vector<PairFigures>& pairs) {
  std::vector<const PairFigures*> releases;
  std::vector<const PairFigures*> variants;
  for (const auto& pair : pairs) {
    (pair.variant ? variants : releases).push_back(&pair);
  }
  std::string out;
  if (!releases.empty()) out += releases_markdown(releases);
  if (!variants.empty()) {
    if (!out.empty()) out += '\n';
    out += variants_markdown(variants);
  }
  return out;
}

std::string study_csv(const std::vector<PairFigures>& pairs) {
  std::string out =
      "program,old,new,kind,ended,changed,tests,classes,tests_ms,all_ms,"
      "recorded_ms,analysis_ms,view,selected,selected_classes,selected_ms,hard,"
      "affected,missed,unobserved,ratio\n";
  for (const auto& p : pairs) {
    for (const auto& v : p.views) {
      out += p.program + ',' + p.old_version + ',' + p.new_version + ',' +
             p.kind + ",0";
      for (const auto n : {p.changed, p.tests, p.classes, p.tests_ms, p.all_ms,
                           p.recorded_ms, p.analysis_ms}) {
        out += ',' + std::to_string(n);
      }
      out += ',' + v.view;
      for (const auto n : {v.selected, v.selected_classes, v.selected_ms,
                           v.hard, v.affected, v.missed, v.unobserved}) {
        out += ',' + std::to_string(n);
      }
      out += ',' + number(p.ratio(v), 3) + '\n';
    }
    if (p.ended) {
      out += p.program + ',' + p.old_version + ',' + p.new_version + ',' +
             p.kind + ",1,,,,,,,,,,,,,,,,\n";
    }
  }
  return out;
}

std::string study_boxes(const std::vector<PairFigures>& pairs) {
  const Series series(pairs, [](const PairFigures& p, const ViewFigures& v) {
    return share(v.selected, p.tests);
  });
  Plot plot("tests selected, % of all, over the pairs of each program", 100);
  return plot.finish(series, [&](double x, const std::vector<double>& sorted,
                                 const char* color) {
    const double middle = x + (kSlot - 8) / 2;
    plot.line(middle, plot.y(sorted.front()), middle, plot.y(sorted.back()),
              color);
    plot.box(x, quantile(sorted, 0.25), quantile(sorted, 0.75), color, false);
    const double half = plot.y(quantile(sorted, 0.5));
    plot.line(x, half, x + kSlot - 8, half, color);
  });
}

std::string study_bars(const std::vector<PairFigures>& pairs) {
  const Series series(pairs, [](const PairFigures& p, const ViewFigures& v) {
    return p.ratio(v);
  });
  double most = 1;
  for (const auto& [key, list] : series.values) {
    for (const double one : list) most = std::max(most, one);
  }
  Plot plot("end to end: analysis and selected tests, 1 = run all (estimated)",
            most);
  return plot.finish(series, [&](double x, const std::vector<double>& values,
                                 const char* color) {
    double sum = 0;
    for (const double one : values) sum += one;
    plot.box(x, 0, sum / static_cast<double>(values.size()), color, true);
  });
}

}  // namespace rejig::app
