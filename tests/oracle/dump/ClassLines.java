// SPDX-License-Identifier: Apache-2.0
package dump;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.TypePath;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.util.Printer;

/** The lines of one class file, but for `entry`, and its references. */
final class ClassLines {
  /** A symbolic reference of an instruction or a handle. */
  record Ref(String op, String from, String owner, String name, String desc, boolean itf) { }

  final StringBuilder out = new StringBuilder();
  final Set<Ref> refs = new HashSet<>();

  private final String in;
  private final RawClass raw;
  private final Predicate<String> wanted;
  private final Reader reader;
  private int memberIndex;

  /** An ASM reader that tells offsets and leaves condys in the pool. */
  private static final class Reader extends ClassReader {
    int pc;

    Reader(byte[] b) {
      super(b);
    }

    @Override
    protected void readBytecodeInstructionOffset(int offset) {
      pc = offset;
    }

    @Override
    protected Label readLabel(int offset, Label[] labels) {
      if (labels[offset] == null) {
        labels[offset] = new Label();
        labels[offset].info = offset;
      }
      return labels[offset];
    }

    @Override
    public Object readConst(int index, char[] buffer) {
      if (readByte(getItem(index) - 1) == 17) return new Condy(index);
      return super.readConst(index, buffer);
    }
  }

  private record Condy(int index) { }

  ClassLines(String in, RawClass raw, boolean used, Predicate<String> wanted) throws RawClass.Bad {
    this.in = in;
    this.raw = raw;
    this.wanted = wanted;
    reader = new Reader(raw.b);
    ClassNode node = new ClassNode(Opcodes.ASM9) {
      @Override
      public MethodVisitor visitMethod(int access, String name, String desc, String sig, String[] thrown) {
        CodeLines m = new CodeLines(raw.methods.get(memberIndex++), access, name, desc, sig, thrown);
        methods.add(m);
        return m;
      }
    };
    reader.accept(node, ClassReader.SKIP_FRAMES);
    if (wanted.test("class")) {
      line("class").text("name", raw.name).text("super", raw.superName).texts("interfaces", raw.interfaces)
          .number("access", raw.access).number("major", raw.major).number("minor", raw.minor)
          .text("source", node.sourceFile).flag("used", used).endInto(out);
    }
    for (int i = 0; i < node.fields.size(); i++) {
      RawClass.Member f = raw.fields.get(i);
      if (!wanted.test("field")) break;
      Object value = node.fields.get(i).value;
      line("field").text("name", f.name).text("desc", f.desc).number("access", f.access)
          .raw("value", value == null ? "null" : constant(value, new int[1])).endInto(out);
    }
    if (wanted.test("shell")) new ShellLines(in, raw, node, out).all();
  }

  private Json line(String type) {
    return new Json(type).text("in", in);
  }

  /** Instructions as ASM visits them; annotations and the rest stay in the node. */
  private final class CodeLines extends MethodNode {
    private final RawClass.Member member;
    private final String method;
    private int instructions;
    private int jumps;
    private int targets;
    private final List<Runnable> later = new ArrayList<>();

    CodeLines(RawClass.Member member, int access, String name, String desc, String sig, String[] thrown) {
      super(Opcodes.ASM9, access, name, desc, sig, thrown);
      this.member = member;
      method = name + desc;
    }

    private Json at(String type) {
      return line(type).text("method", method).number("pc", reader.pc);
    }

    private void insn(int opcode, Object... args) {
      instructions++;
      if (!wanted.test("insn")) return;
      at("insn").text("op", mnemonic(opcode)).raw("args", Arrays.toString(args).replace(" ", "")).endInto(out);
    }

    private void use(int opcode, String of, int dims) {
      instructions++;
      if (!wanted.test("use")) return;
      at("use").text("op", mnemonic(opcode)).text("of", of).number("dims", dims).endInto(out);
    }

    @Override
    public void visitInsn(int opcode) {
      insn(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) use(opcode, String.valueOf("ZCFDBSIJ".charAt(operand - 4)), 1);
      else insn(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
      insn(opcode, slot);
    }

    @Override
    public void visitIincInsn(int slot, int delta) {
      insn(Opcodes.IINC, slot, delta);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      use(opcode, type, opcode == Opcodes.ANEWARRAY ? 1 : 0);
    }

    @Override
    public void visitMultiANewArrayInsn(String type, int dims) {
      use(Opcodes.MULTIANEWARRAY, type, dims);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String desc) {
      instructions++;
      refs.add(new Ref(mnemonic(opcode), null, owner, name, desc, false));
      if (!wanted.test("access")) return;
      at("access").text("op", mnemonic(opcode)).text("owner", owner).text("name", name).text("desc", desc)
          .endInto(out);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean itf) {
      instructions++;
      String from = opcode == Opcodes.INVOKESPECIAL ? raw.name : null;
      refs.add(new Ref(mnemonic(opcode), from, owner, name, desc, itf));
      if (!wanted.test("call")) return;
      at("call").text("op", mnemonic(opcode)).text("owner", owner).text("name", name).text("desc", desc)
          .flag("itf", itf).endInto(out);
    }

    @Override
    public void visitLdcInsn(Object value) {
      instructions++;
      String json = constant(value, new int[1]);
      if (wanted.test("const")) at("const").raw("value", json).endInto(out);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String desc, Handle bsm, Object... args) {
      instructions++;
      int[] condys = new int[1];
      String handle = handle(bsm);
      String list = constants(args, condys);
      if (!wanted.test("indy")) return;
      at("indy").text("name", name).text("desc", desc).raw("bsm", handle).raw("args", list).endInto(out);
    }

    @Override
    public void visitJumpInsn(int opcode, Label target) {
      jumps++;
      targets++;
      insn(opcode, target.info);
    }

    @Override
    public void visitTableSwitchInsn(int low, int high, Label other, Label... labels) {
      List<Object> args = new ArrayList<>(List.of(low, high, other.info));
      for (Label l : labels) args.add(l.info);
      jumps++;
      targets += labels.length + 1;
      insn(Opcodes.TABLESWITCH, args.toArray());
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
      List<Object> args = new ArrayList<>(List.of(other.info));
      for (int i = 0; i < keys.length; i++) {
        args.add(keys[i]);
        args.add(labels[i].info);
      }
      jumps++;
      targets += labels.length + 1;
      insn(Opcodes.LOOKUPSWITCH, args.toArray());
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      int n = later.size();
      later.add(() -> line("handler").text("method", method).number("n", n).number("from", start.info)
          .number("to", end.info).number("at", handler.info).text("catch", type).endInto(out));
    }

    @Override
    public void visitLabel(Label label) { }

    @Override
    public AnnotationVisitor visitInsnAnnotation(int ref, TypePath path, String desc, boolean visible) {
      return null; // type annotations are no lines
    }

    @Override
    public AnnotationVisitor visitTryCatchAnnotation(int ref, TypePath path, String desc, boolean visible) {
      return null;
    }

    @Override
    public AnnotationVisitor visitLocalVariableAnnotation(int ref, TypePath path, Label[] from, Label[] to, int[] slot,
        String desc, boolean visible) {
      return null;
    }

    @Override
    public void visitLineNumber(int line, Label start) { }

    @Override
    public void visitLocalVariable(String n, String d, String s, Label from, Label to, int slot) { }

    @Override
    public void visitEnd() {
      if (later.size() != member.handlers.size()) throw new IllegalStateException("handlers of " + method);
      if (wanted.test("handler")) later.forEach(Runnable::run);
      if (!wanted.test("method")) return;
      boolean code = member.codeLength >= 0;
      boolean lines = member.firstLine >= 0;
      line("method").text("name", member.name).text("desc", member.desc).number("access", member.access)
          .number("insns", code ? instructions : null).number("jumps", code ? jumps : null)
          .number("targets", code ? targets : null).number("handlers", code ? later.size() : null)
          .number("first", lines ? member.firstLine : null).number("last", lines ? member.lastLine : null)
          .endInto(out);
    }
  }

  private static String mnemonic(int opcode) {
    return Printer.OPCODES[opcode].toLowerCase(Locale.ROOT);
  }

  private String constants(Object[] values, int[] condys) {
    StringBuilder b = new StringBuilder("[");
    for (Object v : values) b.append(b.length() > 1 ? "," : "").append(constant(v, condys));
    return b.append(']').toString();
  }

  /** CONST; condys counts those expanded on this line. */
  private String constant(Object v, int[] condys) {
    if (v instanceof Integer i) return "{\"int\":" + i + "}";
    if (v instanceof Long l) return "{\"long\":\"" + l + "\"}";
    if (v instanceof Float f) return String.format("{\"float\":\"%08x\"}", Float.floatToRawIntBits(f));
    if (v instanceof Double d) return String.format("{\"double\":\"%016x\"}", Double.doubleToRawLongBits(d));
    if (v instanceof String s) return "{\"string\":" + Json.quoted(s) + "}";
    if (v instanceof Handle h) return "{\"handle\":" + handle(h) + "}";
    if (v instanceof Condy c) return condy(c.index, condys);
    if (v instanceof Type t) {
      if (t.getSort() == Type.METHOD) return "{\"mtype\":" + Json.quoted(t.getDescriptor()) + "}";
      return "{\"class\":" + Json.quoted(t.getInternalName()) + "}";
    }
    if (v instanceof ConstantDynamic) throw new IllegalStateException("ASM resolved a condy");
    throw new IllegalStateException("constant " + v);
  }

  private String condy(int index, int[] condys) {
    char[] buffer = new char[reader.getMaxStringLength()];
    int nameAndType = reader.getItem(raw.item(index, 3));
    String name = reader.readUTF8(nameAndType, buffer);
    String desc = reader.readUTF8(nameAndType + 2, buffer);
    String head = "{\"condy\":{\"name\":" + Json.quoted(name) + ",\"desc\":" + Json.quoted(desc);
    if (++condys[0] > 4096) return head + "}}";
    int row = raw.bootstraps[raw.item(index, 1)];
    String bsm = handle((Handle) reader.readConst(raw.u2At(row), buffer));
    Object[] args = new Object[raw.u2At(row + 2)];
    for (int i = 0; i < args.length; i++) args[i] = reader.readConst(raw.u2At(row + 4 + 2 * i), buffer);
    return head + ",\"bsm\":" + bsm + ",\"args\":" + constants(args, condys) + "}}";
  }

  private static final String[] HANDLE_OPS = {null, "getfield", "getstatic", "putfield", "putstatic", "invokevirtual",
      "invokestatic", "invokespecial", "invokespecial", "invokeinterface"};

  private String handle(Handle h) {
    String from = h.getTag() == Opcodes.H_INVOKESPECIAL ? raw.name : null;
    refs.add(new Ref(HANDLE_OPS[h.getTag()], from, h.getOwner(), h.getName(), h.getDesc(), h.isInterface()));
    return "{\"kind\":" + h.getTag() + ",\"owner\":" + Json.quoted(h.getOwner()) + ",\"name\":"
        + Json.quoted(h.getName()) + ",\"desc\":" + Json.quoted(h.getDesc()) + ",\"itf\":" + h.isInterface() + "}";
  }
}
