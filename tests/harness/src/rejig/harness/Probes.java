// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Puts the reference recorder's probes into a class of the program: straight-line calls only, no member added, no frame changed. */
final class Probes extends ClassVisitor {
  static final String REC = "rejig/harness/boot/Rec";
  private static final Set<String> CLASS_NATIVES = Set.of("getModifiers", "isInterface", "getSuperclass", "getInterfaces", "isEnum", "isRecord", "isAnnotation", "isSealed");

  /** Also record control-flow edges. */
  static volatile boolean edges;

  private final World world;
  private final boolean internal;
  private final EdgeProbes.Reader reader;
  private String owner;
  private int version;

  private Probes(ClassVisitor next, EdgeProbes.Reader reader, World world, boolean internal) {
    super(Opcodes.ASM9, next);
    this.reader = reader;
    this.world = world;
    this.internal = internal;
  }

  static byte[] instrument(byte[] bytes, World world, boolean internal) {
    EdgeProbes.Reader in = new EdgeProbes.Reader(bytes);
    ClassWriter out = new ClassWriter(in, ClassWriter.COMPUTE_MAXS);
    in.accept(new Probes(out, in, world, internal), 0);
    return out.toByteArray();
  }

  @Override public void visit(int classVersion, int access, String name, String signature, String superName, String[] interfaces) {
    owner = name;
    version = classVersion;
    super.visit(classVersion, access, name, signature, superName, interfaces);
  }

  @Override public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
    MethodVisitor mv = super.visitMethod(access, name, desc, signature, exceptions);
    if (mv == null) return null;
    String id = owner.replace('/', '.') + "." + name + desc;
    MethodVisitor probes = methodProbes(mv, access, name, id);
    return internal && edges ? new EdgeProbes(probes, reader, id, version) : probes;
  }

  private MethodVisitor methodProbes(MethodVisitor mv, int access, String name, String id) {
    return new MethodVisitor(Opcodes.ASM9, mv) {
      @Override public void visitCode() {
        super.visitCode();
        if (!internal) return;
        boolean instance = (access & Opcodes.ACC_STATIC) == 0;
        if (instance && !name.equals("<init>")) {
          super.visitVarInsn(Opcodes.ALOAD, 0);
          super.visitLdcInsn(id);
          call("recv", "(Ljava/lang/Object;Ljava/lang/String;)V");
        } else {
          hit("m:" + id);
        }
        if (name.equals("<init>")) {
          super.visitLdcInsn(owner.replace('/', '.'));
          call("ctor", "(Ljava/lang/String;)V");
        }
      }

      private void call(String method, String d) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, REC, method, d, false);
      }

      private void hit(String atom) {
        super.visitLdcInsn(atom);
        call("hit", "(Ljava/lang/String;)V");
      }

      private void trigger(String cls) {
        for (String c : world.initSequence(cls)) hit("init:" + c.replace('/', '.'));
      }

      // Frames name an uninitialized object by the label of its NEW; the probe in front of it must not take that label over.
      private final Map<Label, Label> moved = new HashMap<>();
      private final List<Label> pending = new ArrayList<>();

      @Override public void visitLabel(Label label) {
        pending.add(label);
        super.visitLabel(label);
      }

      @Override public void visitFrame(int type, int numLocal, Object[] local, int numStack, Object[] stack) {
        super.visitFrame(type, numLocal, relabel(local), numStack, relabel(stack));
      }

      private Object[] relabel(Object[] types) {
        if (types == null) return null;
        Object[] out = types.clone();
        for (int i = 0; i < out.length; i++) if (out[i] instanceof Label l && moved.containsKey(l)) out[i] = moved.get(l);
        return out;
      }

      @Override public void visitTypeInsn(int opcode, String type) {
        if (opcode != Opcodes.NEW || !world.has(type)) {
          if (opcode == Opcodes.NEW) pending.clear();
          super.visitTypeInsn(opcode, type);
          return;
        }
        trigger(type);
        Label now = new Label();
        super.visitLabel(now);
        for (Label l : pending) moved.put(l, now);
        pending.clear();
        super.visitTypeInsn(opcode, type);
        hit("inst:" + type.replace('/', '.'));
      }

      @Override public void visitFieldInsn(int opcode, String o, String n, String d) {
        if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) trigger(world.fieldOwner(o, n, d));
        super.visitFieldInsn(opcode, o, n, d);
      }

      @Override public void visitMethodInsn(int opcode, String o, String n, String d, boolean itf) {
        if (opcode == Opcodes.INVOKESTATIC) trigger(world.methodOwner(o, n, d));
        if (o.equals("java/lang/Class") && opcode == Opcodes.INVOKEVIRTUAL) {
          if (CLASS_NATIVES.contains(n)) {
            super.visitInsn(Opcodes.DUP);
            call("reflSite", "(Ljava/lang/Class;)V");
          } else if (n.equals("isInstance") || n.equals("isAssignableFrom") || n.equals("cast")) {
            super.visitInsn(Opcodes.DUP2);
            call("reflSite2", "(Ljava/lang/Class;Ljava/lang/Object;)V");
          }
        }
        super.visitMethodInsn(opcode, o, n, d, itf);
        if (n.equals("clone") && d.equals("()Ljava/lang/Object;")) {
          super.visitInsn(Opcodes.DUP);
          call("instObject", "(Ljava/lang/Object;)V");
        }
      }
    };
  }
}
