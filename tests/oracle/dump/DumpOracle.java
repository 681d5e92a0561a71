// SPDX-License-Identifier: Apache-2.0
package dump;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.CRC32;

/**
 * A second, independent `rejig dump ARTIFACT --format ndjson`: Java and ASM, no code of rejig. Lines come in any order.
 * DumpOracle ARTIFACT [--release N] [--classpath LIST] [--only TYPE,...] [--insns]
 */
public final class DumpOracle {
  private final OutputStream stdout = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 20);
  private final AtomicBoolean trouble = new AtomicBoolean();
  private Predicate<String> wanted;
  private int release = 17;

  public static void main(String[] args) throws Exception {
    System.exit(new DumpOracle().run(args));
  }

  private int run(String[] args) throws Exception {
    Path artifact = null;
    String classPath = "";
    Set<String> only = null;
    boolean insns = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--release" -> release = Integer.parseInt(args[++i]);
        case "--classpath" -> classPath = args[++i];
        case "--only" -> only = Set.of(args[++i].split(","));
        case "--insns" -> insns = true;
        default -> artifact = Path.of(args[i]);
      }
    }
    Set<String> types = only;
    boolean withInsns = insns;
    wanted = t -> types != null ? types.contains(t) : withInsns || !t.equals("insn");
    try {
      dump(new Artifact(artifact, release), classPath);
    } catch (IOException | RuntimeException e) {
      System.err.println(artifact + ": " + e);
      error("");
    }
    stdout.flush();
    return trouble.get() ? 2 : 0;
  }

  private void dump(Artifact artifact, String classPath) throws Exception {
    artifact.unreadable.forEach(this::error);
    World world = new World();
    Set<ClassLines.Ref> refs = ConcurrentHashMap.newKeySet();
    parallel(artifact.files, f -> file(f, artifact, world, refs));
    if (!wanted.test("hierarchy") && !wanted.test("link")) return;
    for (String root : classPath.split(":")) {
      if (!root.isEmpty()) external(Path.of(root), world);
    }
    world.freeze();
    Links links = new Links(world);
    List<World.Shell> internal = world.all().stream().filter(s -> s.internal).toList();
    if (wanted.test("hierarchy")) parallel(internal, s -> write(links.hierarchy(s)));
    if (wanted.test("link")) {
      links.index(internal);
      parallel(refs, r -> write(links.link(r)));
    }
  }

  private void file(Artifact.File f, Artifact artifact, World world, Set<ClassLines.Ref> refs) {
    byte[] bytes;
    try {
      bytes = f.source.read();
    } catch (IOException | RuntimeException e) {
      System.err.println(f.in + ": " + e);
      error(f.in);
      return;
    }
    if (wanted.test("entry")) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      StringBuilder line = new StringBuilder();
      new Json("entry").text("in", f.in).number("size", bytes.length)
          .text("crc", String.format("%08x", crc.getValue())).flag("found", f.found).endInto(line);
      write(line);
    }
    if (!f.in.endsWith(".class")) return;
    try {
      RawClass raw = new RawClass(bytes);
      boolean used = artifact.uses(f, raw.name);
      ClassLines lines = new ClassLines(f.in, raw, used, wanted);
      write(lines.out);
      if (!used || raw.name.equals("module-info")) return;
      refs.addAll(lines.refs);
      synchronized (world) {
        world.add(new World.Shell(raw, true));
      }
    } catch (RawClass.Bad | RuntimeException | Error e) {
      System.err.println(f.in + ": " + e);
      error(f.in);
    }
  }

  private void external(Path root, World world) throws Exception {
    Path image = root.resolve("lib/modules");
    Artifact a = new Artifact(Files.exists(image) ? image : root, release);
    World found = new World();
    parallel(a.byName.values(), f -> {
      try {
        RawClass raw = new RawClass(f.source.read());
        if (!a.uses(f, raw.name) || raw.name.equals("module-info")) return;
        synchronized (found) {
          found.add(new World.Shell(raw, false));
        }
      } catch (IOException | RawClass.Bad e) {
        System.err.println(root + ": " + f.in + ": " + e);
      }
    });
    found.all().forEach(world::add);
  }

  private void error(String in) {
    trouble.set(true);
    if (!wanted.test("error")) return;
    StringBuilder line = new StringBuilder();
    new Json("error").text("in", in).endInto(line);
    write(line);
  }

  private void write(CharSequence lines) {
    byte[] b = lines.toString().getBytes(StandardCharsets.UTF_8);
    synchronized (stdout) {
      try {
        stdout.write(b);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  /** Runs the body for every item on all processors, on deep stacks. */
  private static <T> void parallel(Collection<T> items, Consumer<T> body) throws InterruptedException {
    List<T> list = new ArrayList<>(items);
    AtomicInteger next = new AtomicInteger();
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = Runtime.getRuntime().availableProcessors(); t > 0; t--) {
      Thread thread = new Thread(null, () -> {
        try {
          for (int i = next.getAndIncrement(); i < list.size(); i = next.getAndIncrement()) body.accept(list.get(i));
        } catch (Throwable e) {
          synchronized (failures) {
            failures.add(e);
          }
        }
      }, "worker", 1L << 28);
      thread.start();
      threads.add(thread);
    }
    for (Thread t : threads) t.join();
    if (!failures.isEmpty()) throw new IllegalStateException(failures.get(0));
  }
}
