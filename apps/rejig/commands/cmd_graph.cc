// SPDX-License-Identifier: Apache-2.0
// rejig graph ARTIFACT [METHOD]: the Java Interclass Graph, whole or around a
// method. rejig graph OLD NEW METHOD: those of both versions beside each other,
// with the dangerous edges.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/heap.h"
#include "apps/rejig/picture/picture_of.h"
#include "apps/session/inputs.h"
#include "coverage/select/answer.h"
#include "classfile/program/program.h"
#include "jig/graph/graph_builder.h"
#include "jig/graph/graph_write.h"

namespace rejig::app {

namespace {

struct GraphOptions {
  std::string artefact;
  std::string method;
  std::string of_both;  // METHOD behind OLD and NEW
  std::string lib;
  std::string jdk;
  unsigned max_nodes = 2000;
  unsigned release = 17;
  bool stats = false;
};

void write_stats(const jig::Jig& graph, Output& out) {
  const auto figures = jig::figures_of(graph);
  std::string text;
  auto line = [&](std::string_view name, std::size_t value) {
    text += std::string(name) + " " + std::to_string(value) + "\n";
  };
  line("nodes", graph.nodes());
  for (const auto& [name, count] : figures.nodes) {
    if (count != 0) line("  " + name, count);
  }
  line("edges", graph.edges());
  for (const auto& [name, count] : figures.edges) {
    if (count != 0) line("  " + name, count);
  }
  line("methods", graph.methods().size());
  line("reached from outside", figures.reached_from_outside);
  line("strong components", figures.strong_components);
  line("largest strong component", figures.largest_component);
  line("bytes", graph.bytes());
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.2f",
                graph.edges() == 0 ? 0.0
                                   : static_cast<double>(graph.bytes()) /
                                         static_cast<double>(graph.edges()));
  text += std::string("bytes an edge ") + ratio + "\n";
  out.write(text);
}

std::string file_name(const std::string& path) {
  const auto name = std::filesystem::path(path).filename().string();
  return name.empty() ? path : name;
}

bool is_picture(const std::string& format) {
  return format == "svg" || format == "html";
}

void write_picture(const Picture& picture, const std::string& format,
                   Output& out) {
  if (format == "svg") {
    out.write(picture_svg(picture));
  } else if (format == "html") {
    out.write(picture_html(picture));
  } else if (format == "dot") {
    out.write(picture_dot(picture));
  } else {
    out.write(picture_text(picture));
  }
}

// One version of the program, and its graph.
struct OneGraph {
  std::unique_ptr<jig::Names> names;
  std::unique_ptr<jig::World> world;
  jig::Jig graph;
};

OneGraph graph_of(const classfile::Program& internal,
                  const std::vector<const classfile::Program*>& external,
                  Context& context, base::Diagnostics& diagnostics) {
  OneGraph out;
  out.names = std::make_unique<jig::Names>();
  out.world = std::make_unique<jig::World>(*out.names, internal, external);
  const auto phase = context.phases.scope("graph");
  out.graph = jig::build_graph(*out.world, context.pool(), diagnostics);
  return out;
}

// What the picture calls dangerous is what `rejig diff OLD NEW` does, with the
// numbers that it has there.
int run_both(const GraphOptions& o, Context& context) {
  const std::string& format = context.format;
  if (format != "text" && format != "dot" && !is_picture(format)) {
    return context.trouble({base::Errc::kUsage,
                            "two versions are drawn as text, dot, svg or html",
                            format});
  }
  const auto config = load_config(context);
  if (!config.ok()) return context.trouble(config.error());
  InputOptions inputs;
  inputs.old_path = o.artefact;
  inputs.new_path = o.method;
  inputs.lib = o.lib;
  inputs.jdk = o.jdk;
  inputs.discover_tests = false;
  inputs.facets_for_rows = false;
  complete_inputs(inputs, *config);
  prepare_heap(context.jobs);
  auto compared = compare_inputs(inputs, context);
  if (!compared.ok()) return context.trouble(compared.error());
  Compared& all = context.keep(std::move(compared).value());
  const auto edges =
      coverage::numbered(std::move(all.comparison.edges), std::nullopt);
  std::vector<NamedDelta> named;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    named.push_back({coverage::edge_id(i), &edges[i].delta});
  }
  base::Diagnostics diagnostics;
  const OneGraph before =
      graph_of(*all.old_program, all.old_external, context, diagnostics);
  const OneGraph after =
      graph_of(*all.new_program, all.new_external, context, diagnostics);
  PictureAsks asks;
  asks.method = o.of_both;
  asks.most_nodes = o.max_nodes;
  const auto has = [&](const OneGraph& one) {
    return !methods_meant(one.graph, o.of_both).empty();
  };
  if (!has(before) && !has(after)) {
    return context.trouble({base::Errc::kNotFound,
                            "no such class or method: " + o.of_both,
                            o.artefact});
  }
  const Picture picture = picture_of(
      {before.world.get(), &before.graph, file_name(o.artefact)},
      {after.world.get(), &after.graph, file_name(o.method)}, named, asks);
  if (picture.left_out != 0) {
    context.messages->warning(std::to_string(picture.left_out) +
                              " methods are not drawn (--max-nodes 0 draws all)");
  }
  write_picture(picture, format, *context.out);
  return kExitOk;
}

int run_graph(const GraphOptions& o, Context& context) {
  if (!o.of_both.empty()) return run_both(o, context);
  base::Diagnostics diagnostics;
  classfile::ProgramOptions options;
  options.release = o.release;
  options.follow_class_path = false;
  auto internal = classfile::Program::load({o.artefact}, options, diagnostics);
  if (!internal.ok()) return context.trouble(internal.error());
  std::vector<classfile::Program> programs;
  for (const std::string& list : {o.lib, o.jdk}) {
    if (list.empty()) continue;
    auto loaded = classfile::Program::load(
        classfile::Program::split_path_list(list), options, diagnostics);
    if (!loaded.ok()) return context.trouble(loaded.error());
    programs.push_back(std::move(loaded).value());
  }
  std::vector<const classfile::Program*> external;
  for (const auto& program : programs) external.push_back(&program);
  jig::Names names;
  const jig::World world(names, *internal, external);
  jig::Jig graph;
  {
    const auto phase = context.phases.scope("graph");
    graph = jig::build_graph(world, context.pool(), diagnostics);
  }
  internal->report(diagnostics);
  context.report(diagnostics);
  if (o.stats || context.stats) {
    write_stats(graph, *context.out);
    return kExitOk;
  }
  if (is_picture(context.format)) {
    PictureAsks asks;
    asks.method = o.method;
    asks.most_nodes = o.max_nodes;
    if (methods_meant(graph, o.method).empty()) {
      return context.trouble({base::Errc::kNotFound,
                              "no such class or method: " + o.method,
                              o.artefact});
    }
    const Picture picture =
        picture_of({&world, &graph, file_name(o.artefact)}, asks);
    if (picture.left_out != 0) {
      context.messages->warning(
          std::to_string(picture.left_out) +
          " methods are not drawn (--max-nodes 0 draws all)");
    }
    write_picture(picture, context.format, *context.out);
    return kExitOk;
  }
  if (!o.method.empty()) {
    graph.index_in_edges();
    const auto slice = jig::slice_around(graph, o.method);
    if (slice.empty()) {
      return context.trouble({base::Errc::kNotFound,
                              "no such class or method: " + o.method,
                              o.artefact});
    }
    graph = graph.induced(slice);
  }
  if (o.max_nodes != 0 && graph.nodes() > o.max_nodes) {
    context.messages->warning(
        "the graph has " + std::to_string(graph.nodes()) +
        " nodes; shown are the first " + std::to_string(o.max_nodes) +
        " (--max-nodes 0 shows all)");
    std::vector<jig::NodeId> first(o.max_nodes);
    for (unsigned i = 0; i < o.max_nodes; ++i) first[i] = i;
    graph = graph.induced(first);
  }
  if (!o.method.empty()) graph.index_in_edges();
  const jig::GraphWriter writer(world, graph);
  const auto write = [&](std::string_view text) { context.out->write(text); };
  if (context.format == "dot") {
    writer.dot(write);
  } else if (context.format == "graphml") {
    writer.graphml(write);
  } else if (context.format == "ndjson") {
    writer.ndjson(write);
  } else {
    writer.text(write);
  }
  return kExitOk;
}

}  // namespace

Run declare_graph(CommandLine& line) {
  auto o = std::make_shared<GraphOptions>();
  if (const char* home = std::getenv("JAVA_HOME")) o->jdk = home;
  line.positional("ARTIFACT", o->artefact,
                  "jar, war, ear, jmod, class directory: the internal classes; "
                  "with METHOD behind it the old version");
  line.positional("METHOD|NEW", o->method,
                  "only around a.b.C, a.b.C.m or a.b.C.m(I)V; or the new "
                  "version",
                  false);
  line.positional("METHOD", o->of_both,
                  "of OLD and NEW: this method (or class) of both, side by "
                  "side, with its dangerous edges; also 'C.m(int)'",
                  false);
  line.formats({"text", "dot", "graphml", "ndjson", "svg", "html"});
  line.option("--lib", o->lib, "external classes, asked for their shells",
              "LIST");
  line.option("--jdk", o->jdk, "the platform (default $JAVA_HOME)", "HOME");
  line.option("--release", o->release,
              "feature release for multi-release archives (default 17)");
  line.option("--max-nodes", o->max_nodes,
              "show at most so many (default 2000; 0: all)");
  line.flag("--figures", o->stats,
            "counts by kind, reachability, components and memory only; --stats "
            "gives them too");
  line.footer(
      "svg and html are pictures, made by rejig itself.\n"
      "Exit codes: 0; 2 trouble.\n");
  return [o](Context& context) { return run_graph(*o, context); };
}

}  // namespace rejig::app
