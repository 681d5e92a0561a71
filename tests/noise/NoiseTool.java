// SPDX-License-Identifier: Apache-2.0
// What the noise tests do to class files:
//   methods OLD NEW   the methods with code of OLD that NEW has too (lambda bodies always), as entities
//   shuffle IN OUT    the same classes with the methods in reverse order and every constant pool made anew
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

public final class NoiseTool {
  public static void main(String[] args) throws IOException {
    Path in = Path.of(args[1]);
    Path out = Path.of(args[2]);
    switch (args[0]) {
      case "methods" -> methods(in, out);
      case "shuffle" -> shuffle(in, out);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static List<Path> classes(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
  }

  private static ClassNode read(Path file) throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(Files.readAllBytes(file)).accept(node, 0);
    return node;
  }

  private static String entity(ClassNode cls, MethodNode method) {
    return cls.name.replace('/', '.') + "." + method.name + method.desc;
  }

  private static boolean hasCode(MethodNode method) {
    return (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
  }

  private static void methods(Path old, Path fresh) throws IOException {
    Set<String> known = new HashSet<>();
    for (Path file : classes(fresh)) {
      ClassNode cls = read(file);
      for (MethodNode method : cls.methods) known.add(entity(cls, method));
    }
    Set<String> both = new TreeSet<>();
    for (Path file : classes(old)) {
      ClassNode cls = read(file);
      for (MethodNode method : cls.methods) {
        String entity = entity(cls, method);
        if (hasCode(method) && (known.contains(entity) || method.name.startsWith("lambda$"))) both.add(entity);
      }
    }
    both.forEach(System.out::println);
  }

  private static void shuffle(Path in, Path out) throws IOException {
    for (Path file : classes(in)) {
      ClassNode cls = read(file);
      Collections.reverse(cls.methods);
      ClassWriter writer = new ClassWriter(0);
      for (int i = 0; i < 300; i++) writer.newConst("unused " + i);
      cls.accept(writer);
      Path to = out.resolve(in.relativize(file));
      Files.createDirectories(to.getParent());
      Files.write(to, writer.toByteArray());
    }
  }
}
