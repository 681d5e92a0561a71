// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Which classes does a program have? Class files of a path list, first hit wins, with the few resolutions that the probes need. Names have slashes here. */
final class World {
  private final Map<String, ClassNode> nodes = new HashMap<>();
  private final Map<String, byte[]> internalBytes = new TreeMap<>();
  /** Instrumented classes by name and digest: every test loads them again. */
  final Map<String, byte[]> instrumented = new ConcurrentHashMap<>();

  World(List<Path> internal, List<Path> externalRoots) throws IOException {
    for (Path p : followed(internal)) read(p, true);
    for (Path p : externalRoots) read(p, false);
  }

  /** The roots with the Class-Path of their manifests. */
  static List<Path> followed(List<Path> roots) throws IOException {
    List<Path> out = new ArrayList<>();
    List<Path> todo = new ArrayList<>(roots);
    while (!todo.isEmpty()) {
      Path root = todo.remove(0);
      if (out.contains(root)) continue;
      out.add(root);
      if (!Files.isRegularFile(root)) continue;
      try (JarFile jar = new JarFile(root.toFile())) {
        String more = jar.getManifest() == null ? null : jar.getManifest().getMainAttributes().getValue("Class-Path");
        if (more != null) for (String s : more.split(" ")) todo.add(root.resolveSibling(s));
      }
    }
    return out;
  }

  private void read(Path root, boolean isInternal) throws IOException {
    if (Files.isDirectory(root)) {
      try (var walk = Files.walk(root)) {
        for (Path f : walk.filter(x -> x.toString().endsWith(".class")).sorted().toList()) {
          add(Files.readAllBytes(f), isInternal);
        }
      }
    } else if (Files.exists(root)) {
      try (JarFile jar = new JarFile(root.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
        for (var e : jar.versionedStream().filter(x -> x.getName().endsWith(".class")).toList()) {
          add(jar.getInputStream(e).readAllBytes(), isInternal);
        }
      }
    }
  }

  private void add(byte[] bytes, boolean isInternal) {
    ClassNode n = new ClassNode();
    try {
      new ClassReader(bytes).accept(n, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
    } catch (RuntimeException e) {
      return;
    }
    if ((n.access & Opcodes.ACC_MODULE) != 0) return;
    if (nodes.putIfAbsent(n.name, n) != null) return;
    if (isInternal) internalBytes.put(n.name.replace('/', '.'), bytes);
  }

  Map<String, byte[]> internalClasses() {
    return internalBytes;
  }

  boolean has(String name) {
    return nodes.containsKey(name);
  }

  ClassNode node(String name) {
    return nodes.get(name);
  }

  /** Classes whose initialization procedure is called when {@code name} is triggered (JVMS 5.5). */
  Set<String> initSequence(String name) {
    Set<String> out = new LinkedHashSet<>();
    collectInit(name, out, 0);
    return out;
  }

  private void collectInit(String name, Set<String> out, int depth) {
    ClassNode n = nodes.get(name);
    if (n == null || depth > 200 || out.contains(name)) return;
    if ((n.access & Opcodes.ACC_INTERFACE) == 0) {
      if (n.superName != null) collectInit(n.superName, out, depth + 1);
      for (String i : n.interfaces) collectDefaults(i, out, depth + 1);
    }
    out.add(name);
  }

  private void collectDefaults(String itf, Set<String> out, int depth) {
    ClassNode n = nodes.get(itf);
    if (n == null || depth > 200) return;
    for (String i : n.interfaces) collectDefaults(i, out, depth + 1);
    for (MethodNode m : n.methods) {
      if ((m.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0) {
        out.add(itf);
        return;
      }
    }
  }

  /** Declaring class of the field, or {@code owner} itself when the answer is outside this world. */
  String fieldOwner(String owner, String name, String desc) {
    String r = findField(owner, name, desc, 0);
    return r == null ? owner : r;
  }

  private String findField(String owner, String name, String desc, int depth) {
    ClassNode n = nodes.get(owner);
    if (n == null || depth > 200) return null;
    for (FieldNode f : n.fields) {
      if (f.name.equals(name) && f.desc.equals(desc)) return owner;
    }
    for (String i : n.interfaces) {
      String r = findField(i, name, desc, depth + 1);
      if (r != null) return r;
    }
    return n.superName == null ? null : findField(n.superName, name, desc, depth + 1);
  }

  String methodOwner(String owner, String name, String desc) {
    String c = owner;
    for (int i = 0; c != null && i < 200; i++) {
      ClassNode n = nodes.get(c);
      if (n == null) break;
      for (MethodNode m : n.methods) {
        if (m.name.equals(name) && m.desc.equals(desc)) return c;
      }
      c = n.superName;
    }
    return owner;
  }

  /** The class, its superclasses and all their interfaces, dotted. */
  Set<String> chain(String dotted) {
    Set<String> out = new HashSet<>();
    List<String> todo = new ArrayList<>(List.of(dotted.replace('.', '/')));
    while (!todo.isEmpty()) {
      String c = todo.remove(todo.size() - 1);
      ClassNode n = nodes.get(c);
      if (n == null || !out.add(c.replace('/', '.'))) continue;
      if (n.superName != null) todo.add(n.superName);
      todo.addAll(n.interfaces);
    }
    return out;
  }

  /** Concrete classes that JUnit 3 or 4 would run, dotted and sorted. */
  List<String> testClasses() {
    List<String> out = new ArrayList<>();
    for (String dotted : internalBytes.keySet()) {
      ClassNode n = nodes.get(dotted.replace('.', '/'));
      if ((n.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0) continue;
      if (isTest(n, 0)) out.add(dotted);
    }
    return out;
  }

  private boolean isTest(ClassNode n, int depth) {
    if (n == null || depth > 200) return false;
    if (n.visibleAnnotations != null && n.visibleAnnotations.stream().anyMatch(a -> a.desc.equals("Lorg/junit/runner/RunWith;"))) return true;
    for (MethodNode m : n.methods) {
      if (m.visibleAnnotations != null && m.visibleAnnotations.stream().anyMatch(a -> a.desc.equals("Lorg/junit/Test;"))) return true;
    }
    if ("junit/framework/TestCase".equals(n.superName)) return true;
    return isTest(nodes.get(n.superName), depth + 1);
  }
}
