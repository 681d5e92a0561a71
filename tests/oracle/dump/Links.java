// SPDX-License-Identifier: Apache-2.0
package dump;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The `hierarchy` and `link` lines. */
final class Links {
  private final World world;
  /** Class name to the internal classes that are neither abstract nor interface and known subtypes of it. */
  private final Map<String, List<World.Shell>> receivers = new HashMap<>();

  Links(World world) {
    this.world = world;
  }

  StringBuilder hierarchy(World.Shell s) {
    Set<String> supers = world.supers(s);
    StringBuilder line = new StringBuilder();
    Set<String> sorted = sorted(supers);
    new Json("hierarchy").text("class", s.name).texts("supers", sorted).flag("open", world.open(s, supers))
        .endInto(line);
    return line;
  }

  void index(Collection<World.Shell> internal) {
    for (World.Shell s : internal) {
      if ((s.access & (World.ABSTRACT | World.INTERFACE)) != 0) continue;
      Set<String> types = new TreeSet<>(world.supers(s));
      types.add(s.name);
      for (String t : types) receivers.computeIfAbsent(t, k -> new ArrayList<>()).add(s);
    }
  }

  StringBuilder link(ClassLines.Ref r) {
    World.Outcome resolved;
    boolean field = r.op().startsWith("get") || r.op().startsWith("put");
    if (field) resolved = world.resolveField(r.owner(), r.name(), r.desc(), r.op().endsWith("static"));
    else resolved = world.resolveMethod(r.op(), r.owner(), r.name(), r.desc(), r.itf());
    int known = 0;
    int outside = 0;
    int errors = 0;
    Set<String> targets = new TreeSet<>(Json::compareModifiedUtf8);
    if (!field && resolved.member() != null) {
      World.Member m = resolved.member();
      if (r.op().equals("invokestatic")) {
        if (m.in().internal) targets.add(m.text());
      } else if (r.op().equals("invokespecial")) {
        World.Outcome o = world.special(r.from(), r.owner(), m);
        if (o.member() != null && o.member().in().internal) targets.add(o.member().text());
      } else {
        for (World.Shell s : receivers.getOrDefault(r.owner(), List.of())) {
          World.Outcome o = world.select(s, m, r.op().equals("invokeinterface"));
          known++;
          if (o.error() != null) errors++;
          else if (o.member() != null && o.member().in().internal) targets.add(o.member().text());
          else outside++;
        }
      }
    }
    StringBuilder line = new StringBuilder();
    new Json("link").text("op", r.op()).text("from", r.from()).text("owner", r.owner()).text("name", r.name())
        .text("desc", r.desc()).flag("itf", r.itf()).text("resolved", resolved.text()).number("receivers", known)
        .texts("targets", targets).number("outside", outside).number("errors", errors).endInto(line);
    return line;
  }

  private static Set<String> sorted(Set<String> names) {
    Set<String> t = new TreeSet<>(Json::compareModifiedUtf8);
    t.addAll(names);
    return t;
  }
}
