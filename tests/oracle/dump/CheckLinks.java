// SPDX-License-Identifier: Apache-2.0
package dump;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Is this folder's own resolution and selection right? Compares it with what a JVM did (LinkOracle's answers.ndjson).
 * CheckLinks DIR. Differences that HotSpot is known for are counted apart; exit 1 on any other.
 */
final class CheckLinks {
  private static final Pattern LINE = Pattern.compile("\\{\"case\":(\\d+),\"jvm\":\\d+,\"dir\":\"([^\"]*)\",\"query\":"
      + "\\{\"op\":\"(\\w+)\",\"from\":(null|\"[^\"]*\"),\"owner\":\"([^\"]*)\",\"name\":(null|\"[^\"]*\"),"
      + "\"desc\":(null|\"[^\"]*\"),\"itf\":(\\w+),\"receiver\":(null|\"[^\"]*\")\\},\"answer\":\"([^\"]*)\".*");

  private static final Set<String> PLATFORM =
      Set.of("java/lang/Object", "java/lang/Exception", "java/lang/Throwable", "java/io/Serializable");

  /** specials: what an invokespecial of each constant ran, `from owner name desc answer`. */
  private record Case(World world, Map<String, Integer> majors, Set<String> unlinkable, Set<String> specials) { }

  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Case> cases = new HashMap<>();
  private int wrong;

  public static void main(String[] args) throws Exception {
    CheckLinks check = new CheckLinks();
    Path dir = Path.of(args[0]);
    for (String line : Files.readAllLines(dir.resolve("answers.ndjson"))) check.line(dir, line);
    check.counts.forEach((k, v) -> System.out.println(v + " " + k));
    if (check.counts.getOrDefault("agree", 0) == 0) throw new IllegalStateException("nothing was compared");
    System.exit(check.wrong == 0 ? 0 : 1);
  }

  private void line(Path dir, String line) throws Exception {
    Matcher m = LINE.matcher(line);
    if (!m.matches()) {
      count("crash of the JVM");
      return;
    }
    String op = m.group(3);
    String answer = m.group(10);
    Case c = cases.get(m.group(2));
    if (c == null) {
      cases.clear();
      cases.put(m.group(2), c = read(dir.resolve(m.group(2))));
    }
    if ((op.equals("link") || op.equals("verify")) && !answer.equals("ok")) c.unlinkable.add(m.group(5));
    if (!op.startsWith("invoke") && !op.endsWith("field") && !op.endsWith("static")) return;
    World.Shell receiver = m.group(9).equals("null") ? null : c.world.find(text(m.group(9)));
    if (c.unlinkable.contains(m.group(5)) || c.world.find(m.group(5)) == null) {
      count("not asked: owner does not link");
    } else if (answer.equals("!IllegalAccessError")) {
      count("not asked: access");
    } else {
      compare(c, line, op, text(m.group(4)), m.group(5), text(m.group(6)), text(m.group(7)), m.group(8).equals("true"), receiver, answer);
    }
  }

  private void compare(Case c, String line, String op, String from, String owner, String name, String desc, boolean itf,
      World.Shell receiver, String answer) {
    World.Outcome o = outcome(c, op, from, owner, name, desc, itf, receiver);
    String ran = String.join(" ", String.valueOf(from), owner, name, desc, answer);
    if (op.equals("invokespecial")) c.specials.add(ran);
    boolean selectionError = answer.matches("!(AbstractMethod|IncompatibleClassChange)Error") && o.error() != null
        && o.error().matches("(AbstractMethod|IncompatibleClassChange)Error");
    if (o.text().equals(answer) || selectionError) {
      count("agree");
    } else if (receiver != null && op.equals("invokevirtual") && oldInLine(c, receiver)) {
      count("HotSpot: no transitive overriding up to major 50");
    } else if (op.equals("invokeinterface") && answer.equals("!AbstractMethodError") && hiddenBelow(c, receiver, name + desc)) {
      count("HotSpot: private or static method hides an inherited default");
    } else if (op.equals("invokespecial") && answer.equals("!AbstractMethodError") && o.member() != null && o.member().is(World.PRIVATE)) {
      count("HotSpot: what throws for an inherited abstract method is found before a private one");
    } else if (op.equals("invokevirtual") && o.member() != null && o.member().is(World.PRIVATE) && c.specials.contains(ran)) {
      count("HotSpot: one entry of the cache for invokevirtual and invokespecial of a constant");
    } else {
      wrong++;
      count("DIFFERENT");
      if (wrong <= 20) System.out.println("here " + o.text() + ", JVM: " + line);
    }
  }

  private static World.Outcome outcome(Case c, String op, String from, String owner, String name, String desc,
      boolean itf, World.Shell receiver) {
    if (op.endsWith("field") || !op.startsWith("invoke")) {
      return c.world.resolveField(owner, name, desc, op.endsWith("static"));
    }
    World.Outcome r = c.world.resolveMethod(op, owner, name, desc, itf);
    if (r.member() == null || op.equals("invokestatic")) return r;
    if (op.equals("invokespecial")) return c.world.special(from, owner, r.member());
    return c.world.select(receiver, r.member(), op.equals("invokeinterface"));
  }

  private static boolean hiddenBelow(Case c, World.Shell receiver, String key) {
    for (World.Shell s = receiver; s != null; s = s.superName == null ? null : c.world.find(s.superName)) {
      if ((s.methods.getOrDefault(key, 0) & (World.PRIVATE | World.STATIC)) != 0) return true;
    }
    return false;
  }

  private static boolean oldInLine(Case c, World.Shell receiver) {
    for (World.Shell s = receiver; s != null; s = s.superName == null ? null : c.world.find(s.superName)) {
      if (c.majors.getOrDefault(s.name, 99) <= 50) return true;
    }
    return false;
  }

  private static String text(String json) {
    return json.equals("null") ? null : json.substring(1, json.length() - 1);
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  private static Case read(Path dir) throws Exception {
    World world = new World();
    Map<String, Integer> majors = new HashMap<>();
    for (Artifact.File f : new Artifact(dir, 17).byName.values()) {
      RawClass raw = new RawClass(f.source.read());
      world.add(new World.Shell(raw, true));
      majors.put(raw.name, raw.major);
    }
    for (String name : PLATFORM) {
      try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        if (in == null) throw new IOException("no " + name);
        world.add(new World.Shell(new RawClass(in.readAllBytes()), false));
      }
    }
    world.freeze();
    return new Case(world, majors, new HashSet<>(), new HashSet<>());
  }
}
