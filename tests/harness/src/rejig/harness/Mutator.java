// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Every way in which one class of a program can be changed, and a fixed choice among them: bodies, and what no body shows. */
final class Mutator {
  record Mutant(String kind, String what, String name, byte[] bytes) {}

  private record Site(String kind, String what, String name, Consumer<ClassNode> change) {}

  private static final Map<Integer, Integer> JUMPS = new HashMap<>();
  private static final Map<Integer, Integer> ARITHMETIC = Map.of(Opcodes.IADD, Opcodes.ISUB, Opcodes.ISUB, Opcodes.IADD, Opcodes.LADD, Opcodes.LSUB, Opcodes.IMUL, Opcodes.IADD,
      Opcodes.IOR, Opcodes.IAND, Opcodes.IAND, Opcodes.IOR);

  static {
    int[][] pairs = {{Opcodes.IFEQ, Opcodes.IFNE}, {Opcodes.IFLT, Opcodes.IFGE}, {Opcodes.IFGT, Opcodes.IFLE}, {Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE},
        {Opcodes.IF_ICMPLT, Opcodes.IF_ICMPGE}, {Opcodes.IF_ICMPGT, Opcodes.IF_ICMPLE}, {Opcodes.IFNULL, Opcodes.IFNONNULL}, {Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE}};
    for (int[] p : pairs) {
      JUMPS.put(p[0], p[1]);
      JUMPS.put(p[1], p[0]);
    }
  }

  private final Map<String, ClassNode> classes = new TreeMap<>();
  private final List<Site> sites = new ArrayList<>();

  private Mutator(Map<String, byte[]> program) {
    for (var e : program.entrySet()) {
      ClassNode c = Mutants.tree(e.getValue());
      classes.put(c.name, c);
    }
    for (ClassNode c : classes.values()) {
      for (int m = 0; m < c.methods.size(); m++) body(c, m);
      shape(c);
    }
  }

  /** Up to {@code perKind} of each kind, the same for the same seed. */
  static List<Mutant> choose(Map<String, byte[]> program, int perKind, long seed) {
    Mutator all = new Mutator(program);
    Map<String, List<Site>> kinds = new LinkedHashMap<>();
    for (Site s : all.sites) kinds.computeIfAbsent(s.kind, k -> new ArrayList<>()).add(s);
    List<Mutant> out = new ArrayList<>();
    for (List<Site> of : new TreeMap<>(kinds).values()) {
      Collections.shuffle(of, new Random(seed));
      for (Site s : of.subList(0, Math.min(perKind, of.size()))) {
        ClassNode copy = Mutants.tree(program.get(s.name.replace('/', '.')));
        s.change.accept(copy);
        ClassWriter w = new ClassWriter(0);
        copy.accept(w);
        out.add(new Mutant(s.kind, s.what, s.name, w.toByteArray()));
      }
    }
    return out;
  }

  private void add(String kind, ClassNode c, String where, Consumer<ClassNode> change) {
    sites.add(new Site(kind, c.name + where, c.name, change));
  }

  private void body(ClassNode c, int m) {
    MethodNode method = c.methods.get(m);
    boolean initializer = method.name.equals("<clinit>");
    String at = "." + method.name + method.desc;
    for (int i = 0; i < method.instructions.size(); i++) {
      AbstractInsnNode ins = method.instructions.get(i);
      int index = i;
      AbstractInsnNode other = other(ins);
      if (other == null) continue;
      String kind = initializer ? "initializer" : ins instanceof JumpInsnNode ? "body: condition" : ins.getType() == AbstractInsnNode.INSN && ARITHMETIC.containsKey(ins.getOpcode())
          ? "body: arithmetic" : "body: constant";
      add(kind, c, at + " " + i, copy -> {
        MethodNode target = copy.methods.get(m);
        AbstractInsnNode old = target.instructions.get(index);
        target.instructions.set(old, other(old));
      });
    }
    returns(c, m, at);
    if (method.tryCatchBlocks.size() > 1) {
      add("handler order", c, at, copy -> Collections.reverse(copy.methods.get(m).tryCatchBlocks));
    }
    for (int t = 0; t < method.tryCatchBlocks.size(); t++) {
      int index = t;
      add("handler removed", c, at + " handler " + t, copy -> copy.methods.get(m).tryCatchBlocks.remove(index));
    }
  }

  private static AbstractInsnNode other(AbstractInsnNode ins) {
    int op = ins.getOpcode();
    if (ins instanceof JumpInsnNode jump && JUMPS.containsKey(op)) return new JumpInsnNode(JUMPS.get(op), jump.label);
    if (ins instanceof InsnNode && ARITHMETIC.containsKey(op)) return new InsnNode(ARITHMETIC.get(op));
    if (op >= Opcodes.ICONST_M1 && op < Opcodes.ICONST_5) return new InsnNode(op + 1);
    if (op == Opcodes.BIPUSH && ((IntInsnNode) ins).operand < 127) return new IntInsnNode(op, ((IntInsnNode) ins).operand + 1);
    if (ins instanceof LdcInsnNode ldc && ldc.cst instanceof String s) return new LdcInsnNode(s + "~");
    return null;
  }

  /** The method answers nothing: null, 0 or, for void, at once. */
  private void returns(ClassNode c, int m, String at) {
    MethodNode method = c.methods.get(m);
    if (method.instructions.size() == 0 || method.name.startsWith("<")) return;
    add("body: empty", c, at, copy -> empty(copy.methods.get(m)));
  }

  private static void empty(MethodNode method) {
    Type type = Type.getReturnType(method.desc);
    method.instructions.clear();
    method.tryCatchBlocks.clear();
    if (method.localVariables != null) method.localVariables.clear();
    method.visibleLocalVariableAnnotations = null;
    method.invisibleLocalVariableAnnotations = null;
    int push = switch (type.getSort()) {
      case Type.VOID -> Opcodes.NOP;
      case Type.LONG -> Opcodes.LCONST_0;
      case Type.FLOAT -> Opcodes.FCONST_0;
      case Type.DOUBLE -> Opcodes.DCONST_0;
      case Type.ARRAY, Type.OBJECT -> Opcodes.ACONST_NULL;
      default -> Opcodes.ICONST_0;
    };
    method.instructions.add(new InsnNode(push));
    method.instructions.add(new InsnNode(type.getOpcode(Opcodes.IRETURN)));
    method.maxStack = 2;
  }

  private static boolean is(int access, int flag) {
    return (access & flag) != 0;
  }

  private void shape(ClassNode c) {
    boolean isInterface = is(c.access, Opcodes.ACC_INTERFACE);
    if (!isInterface) {
      for (String[] o : new String[][] {{"toString", "()Ljava/lang/String;"}, {"hashCode", "()I"}, {"equals", "(Ljava/lang/Object;)Z"}}) overriding(c, o[0], o[1]);
      inherited(c);
    }
    for (int m = 0; m < c.methods.size(); m++) member(c, m);
    for (int i = 0; i < c.interfaces.size(); i++) {
      int index = i;
      add("interface dropped", c, " " + c.interfaces.get(i), copy -> copy.interfaces.remove(index));
    }
    for (int f = 0; f < c.fields.size(); f++) field(c, f);
    add("class flags", c, " final", copy -> copy.access ^= Opcodes.ACC_FINAL);
    if (!isInterface) add("class flags", c, " abstract", copy -> copy.access = (copy.access ^ Opcodes.ACC_ABSTRACT) & ~Opcodes.ACC_FINAL);
    add("annotation", c, " @Deprecated", copy -> toggle(copy));
    if (c.methods.stream().noneMatch(m -> m.name.equals("<clinit>"))) {
      add("initializer added", c, "", copy -> {
        MethodNode m = new MethodNode(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        m.instructions.add(new InsnNode(Opcodes.ACONST_NULL));
        m.instructions.add(new InsnNode(Opcodes.ATHROW));
        m.maxStack = 1;
        copy.methods.add(m);
      });
    }
  }

  private static void toggle(ClassNode c) {
    List<AnnotationNode> all = c.visibleAnnotations == null ? new ArrayList<>() : new ArrayList<>(c.visibleAnnotations);
    if (!all.removeIf(a -> a.desc.equals("Ljava/lang/Deprecated;"))) all.add(new AnnotationNode("Ljava/lang/Deprecated;"));
    c.visibleAnnotations = all;
  }

  /** An override of an external method. */
  private void overriding(ClassNode c, String name, String desc) {
    if (c.methods.stream().anyMatch(m -> m.name.equals(name) && m.desc.equals(desc))) return;
    add("override added", c, "." + name, copy -> copy.methods.add(stub(copy, name, desc, Opcodes.ACC_PUBLIC)));
  }

  private static MethodNode stub(ClassNode c, String name, String desc, int access) {
    MethodNode m = new MethodNode(access, name, desc, null, null);
    m.maxLocals = 1 + (Type.getArgumentsAndReturnSizes(desc) >> 2);
    m.instructions.add(new InsnNode(Opcodes.NOP));
    empty(m);
    return m;
  }

  /** What an internal superclass declares: overridden here, or no more. */
  private void inherited(ClassNode c) {
    for (ClassNode up = classes.get(c.superName); up != null; up = classes.get(up.superName)) {
      for (MethodNode m : up.methods) {
        if (m.name.startsWith("<") || is(m.access, Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_ABSTRACT)) continue;
        boolean here = c.methods.stream().anyMatch(own -> own.name.equals(m.name) && own.desc.equals(m.desc));
        if (here) {
          add("override removed", c, "." + m.name + m.desc, copy -> copy.methods.removeIf(own -> own.name.equals(m.name) && own.desc.equals(m.desc)));
        } else {
          add("override added", c, "." + m.name + m.desc, copy -> copy.methods.add(stub(copy, m.name, m.desc, m.access & ~Opcodes.ACC_SYNCHRONIZED & ~Opcodes.ACC_NATIVE)));
        }
      }
      for (FieldNode f : up.fields) {
        if (is(f.access, Opcodes.ACC_PRIVATE) || c.fields.stream().anyMatch(own -> own.name.equals(f.name))) continue;
        add("field hidden", c, "." + f.name, copy -> copy.fields.add(new FieldNode(f.access & ~Opcodes.ACC_FINAL, f.name, f.desc, null, null)));
      }
    }
  }

  private void member(ClassNode c, int m) {
    MethodNode method = c.methods.get(m);
    String at = "." + method.name + method.desc;
    if (method.name.equals("<clinit>")) {
      add("initializer", c, " removed", copy -> copy.methods.remove(m));
      return;
    }
    if (is(c.access, Opcodes.ACC_INTERFACE)) return;
    add("method removed", c, at, copy -> copy.methods.remove(m));
    if (is(method.access, Opcodes.ACC_PUBLIC)) {
      add("method flags", c, at + " private", copy -> copy.methods.get(m).access = copy.methods.get(m).access & ~Opcodes.ACC_PUBLIC | Opcodes.ACC_PRIVATE);
    }
    if (!is(method.access, Opcodes.ACC_ABSTRACT)) add("method flags", c, at + " final", copy -> copy.methods.get(m).access ^= Opcodes.ACC_FINAL);
    if (!method.name.startsWith("<") && !is(method.access, Opcodes.ACC_ABSTRACT)) {
      add("method flags", c, at + " synchronized", copy -> copy.methods.get(m).access ^= Opcodes.ACC_SYNCHRONIZED);
    }
  }

  private void field(ClassNode c, int f) {
    FieldNode field = c.fields.get(f);
    if (field.value instanceof Integer i) {
      add("constant", c, "." + field.name, copy -> copy.fields.get(f).value = i + 1);
    } else if (field.value instanceof String s) {
      add("constant", c, "." + field.name, copy -> copy.fields.get(f).value = s + "~");
    }
    add("field removed", c, "." + field.name, copy -> copy.fields.remove(f));
    add("field flags", c, "." + field.name + " final", copy -> copy.fields.get(f).access ^= Opcodes.ACC_FINAL);
  }
}
