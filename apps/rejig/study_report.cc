// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "apps/rejig/study.h"

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

}  // namespace

std::string study_markdown(const std::vector<PairFigures>& pairs) {
  std::string out =
      "| program | versions | tests | view | tests selected | classes selected "
      "| hard misses | LR | ALR | analysis s | all s | recorded s | end to end "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  struct Sum {
    std::uint64_t pairs = 0;
    std::uint64_t hard = 0;
    std::uint64_t affected = 0;
    std::uint64_t missed = 0;
    std::uint64_t lossy = 0;
    double tests = 0;
    double classes = 0;
    double ratio = 0;
  };
  std::map<std::string, Sum> sums;
  for (const auto& p : pairs) {
    for (const auto& v : p.views) {
      const double tests = share(v.selected, p.tests);
      const double classes = share(v.selected_classes, p.classes);
      out += "| " + p.program + " | " + p.old_version + " to " + p.new_version +
             " | " + std::to_string(p.tests) + " | " + v.view + " | " +
             number(tests, 1) + " % | " + number(classes, 1) + " % | " +
             std::to_string(v.hard) + " | " + std::to_string(v.missed) +
             " of " + std::to_string(v.affected) + " | " +
             (v.missed != 0 ? "1" : "0") + " | " +
             number(static_cast<double>(p.analysis_ms) / 1000, 2) + " | " +
             seconds(p.all_ms) + " | " + seconds(p.recorded_ms) + " | " +
             number(p.ratio(v), 2) + " |\n";
      Sum& sum = sums[v.view];
      sum.pairs += 1;
      sum.hard += v.hard;
      sum.affected += v.affected;
      sum.missed += v.missed;
      sum.lossy += v.missed != 0 ? 1 : 0;
      sum.tests += tests;
      sum.classes += classes;
      sum.ratio += p.ratio(v);
    }
  }
  out +=
      "\n| view | pairs | mean tests selected | mean classes selected | hard "
      "misses | LR | ALR | mean end to end "
      "|\n|---|---|---|---|---|---|---|---|\n";
  for (const auto& [view, sum] : sums) {
    const auto n = static_cast<double>(sum.pairs);
    out += "| " + view + " | " + std::to_string(sum.pairs) + " | " +
           number(sum.tests / n, 1) + " % | " + number(sum.classes / n, 1) +
           " % | " + std::to_string(sum.hard) + " | " +
           std::to_string(sum.missed) + " of " + std::to_string(sum.affected) +
           " | " + std::to_string(sum.lossy) + " of " +
           std::to_string(sum.pairs) + " | " + number(sum.ratio / n, 2) +
           " |\n";
  }
  return out;
}

std::string study_csv(const std::vector<PairFigures>& pairs) {
  std::string out =
      "program,old,new,tests,classes,tests_ms,all_ms,recorded_ms,analysis_ms,"
      "view,selected,selected_classes,selected_ms,hard,affected,missed,ratio\n";
  for (const auto& p : pairs) {
    for (const auto& v : p.views) {
      out += p.program + ',' + p.old_version + ',' + p.new_version;
      for (const auto n : {p.tests, p.classes, p.tests_ms, p.all_ms,
                           p.recorded_ms, p.analysis_ms}) {
        out += ',' + std::to_string(n);
      }
      out += ',' + v.view;
      for (const auto n : {v.selected, v.selected_classes, v.selected_ms,
                           v.hard, v.affected, v.missed}) {
        out += ',' + std::to_string(n);
      }
      out += ',' + number(p.ratio(v), 3) + '\n';
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
