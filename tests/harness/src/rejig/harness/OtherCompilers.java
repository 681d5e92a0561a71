// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** What compilers that are not here wrote, made from what javac 17 writes. */
final class OtherCompilers {
  private OtherCompilers() {}

  /** Enums without $values(), as javac up to 14 wrote them: the array is made in the initializer. */
  static void inlineValues(Path root) throws IOException {
    each(root, cls -> {
      MethodNode helper = method(cls, "$values");
      if (helper == null) return;
      MethodNode clinit = method(cls, "<clinit>");
      for (AbstractInsnNode i : clinit.instructions.toArray()) {
        if (!(i instanceof MethodInsnNode call) || !call.name.equals("$values")) continue;
        InsnList body = new InsnList();
        for (AbstractInsnNode k : helper.instructions.toArray()) {
          if (k.getOpcode() >= 0 && k.getOpcode() != Opcodes.ARETURN) body.add(k.clone(null));
        }
        clinit.instructions.insertBefore(i, body);
        clinit.instructions.remove(i);
      }
      cls.methods.remove(helper);
    });
  }

  /** Concatenations that convert objects at the call site, as javac wrote them before JDK-8273914. */
  static void convertLate(Path root) throws IOException {
    each(root, cls -> {
      for (MethodNode m : cls.methods) {
        for (AbstractInsnNode i : m.instructions.toArray()) {
          if (i instanceof MethodInsnNode call && call.owner.equals("java/lang/String") && call.name.equals("valueOf") && call.desc.startsWith("(Ljava/lang/Object;)")) {
            m.instructions.remove(i);
          } else if (i instanceof InvokeDynamicInsnNode site && site.name.startsWith("makeConcat")) {
            site.desc = site.desc.replace("Ljava/lang/String;", "Ljava/lang/Object;").replace(")Ljava/lang/Object;", ")Ljava/lang/String;");
          }
        }
      }
    });
  }

  private interface Change {
    void of(ClassNode cls);
  }

  private static MethodNode method(ClassNode cls, String name) {
    return cls.methods.stream().filter(m -> m.name.equals(name)).findFirst().orElse(null);
  }

  private static void each(Path root, Change change) throws IOException {
    List<Path> files = new ArrayList<>();
    try (var walk = Files.walk(root)) {
      walk.filter(f -> f.toString().endsWith(".class")).forEach(files::add);
    }
    for (Path f : files) {
      ClassNode cls = new ClassNode();
      new ClassReader(Files.readAllBytes(f)).accept(cls, 0);
      change.of(cls);
      ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      cls.accept(out);
      Files.write(f, out.toByteArray());
    }
  }
}
