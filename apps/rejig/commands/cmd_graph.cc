// SPDX-License-Identifier: Apache-2.0
// rejig graph ARTIFACT [METHOD]: the Java Interclass Graph, whole or around a
// method.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "classfile/program/program.h"
#include "jig/graph/graph_builder.h"
#include "jig/graph/graph_write.h"

namespace rejig::app {

namespace {

struct GraphOptions {
  std::string artefact;
  std::string method;
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

int run_graph(const GraphOptions& o, Context& context) {
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
                  "jar, war, ear, jmod, class directory: the internal classes");
  line.positional("METHOD", o->method,
                  "only around a.b.C, a.b.C.m or a.b.C.m(I)V", false);
  line.formats({"text", "dot", "graphml", "ndjson"});
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
  line.footer("Exit codes: 0; 2 trouble.");
  return [o](Context& context) { return run_graph(*o, context); };
}

}  // namespace rejig::app
