// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Probes at the control-flow edges of a method that something decides, named as coverage/FORMAT.md says by the pcs of the class file as it was read: both ways of a
 * conditional, every key of a switch, the entry of every handler, and leaving the method by an exception.
 */
final class EdgeProbes extends MethodVisitor {
  /** Knows the pc of the instruction that is being visited. */
  static final class Reader extends ClassReader {
    private int pc;

    Reader(byte[] bytes) {
      super(bytes);
    }

    @Override protected void readBytecodeInstructionOffset(int offset) {
      pc = offset;
    }
  }

  private final Reader reader;
  private final String prefix;
  private final boolean frames;
  private final boolean constructor;
  private final Set<Label> handlers = new HashSet<>();
  private final Label start = new Label();
  private boolean started;
  private String entered;

  EdgeProbes(MethodVisitor next, Reader reader, String method, int version) {
    super(Opcodes.ASM9, next);
    this.reader = reader;
    this.prefix = "e:" + method + "#";
    this.frames = (version & 0xffff) >= Opcodes.V1_6;
    this.constructor = method.contains(".<init>(");
  }

  private void hit(String edge) {
    super.visitLdcInsn(prefix + edge);
    super.visitMethodInsn(Opcodes.INVOKESTATIC, Probes.REC, "hit", "(Ljava/lang/String;)V", false);
  }

  /** A constructor may be left before its object is one, and no single handler is legal for all of it: it counts as left by an exception. */
  private void start() {
    if (started) return;
    started = true;
    if (constructor) {
      hit("x");
    } else {
      super.visitLabel(start);
    }
  }

  /** In front of every instruction: the handler that begins here was entered. */
  private void before() {
    start();
    if (entered == null) return;
    String edge = entered;
    entered = null;
    hit(edge);
  }

  private final Label end = new Label();
  private final Label handler = new Label();

  @Override public void visitTryCatchBlock(Label from, Label to, Label at, String type) {
    handlers.add(at);
    super.visitTryCatchBlock(from, to, at, type);
  }

  @Override public void visitLabel(Label label) {
    start();
    if (handlers.contains(label)) entered = "h" + reader.pc;
    super.visitLabel(label);
  }

  @Override public void visitMaxs(int stack, int locals) {
    if (!constructor && started) {
      super.visitTryCatchBlock(start, end, handler, null);
      super.visitLabel(end);
      super.visitLabel(handler);
      if (frames) super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
      hit("x");
      super.visitInsn(Opcodes.ATHROW);
    }
    super.visitMaxs(stack, locals);
  }

  private void call(String descriptor, int opcode) {
    super.visitLdcInsn(prefix + reader.pc);
    super.visitIntInsn(Opcodes.SIPUSH, opcode);
    super.visitMethodInsn(Opcodes.INVOKESTATIC, Probes.REC, "branch", descriptor, false);
  }

  @Override public void visitJumpInsn(int opcode, Label label) {
    before();
    if (opcode >= Opcodes.IFEQ && opcode <= Opcodes.IFLE) {
      super.visitInsn(Opcodes.DUP);
      call("(ILjava/lang/String;I)V", opcode);
    } else if (opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ICMPLE) {
      super.visitInsn(Opcodes.DUP2);
      call("(IILjava/lang/String;I)V", opcode);
    } else if (opcode == Opcodes.IF_ACMPEQ || opcode == Opcodes.IF_ACMPNE) {
      super.visitInsn(Opcodes.DUP2);
      call("(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/String;I)V", opcode);
    } else if (opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL) {
      super.visitInsn(Opcodes.DUP);
      call("(Ljava/lang/Object;Ljava/lang/String;I)V", opcode);
    }
    super.visitJumpInsn(opcode, label);
  }

  private void choose(int[] keys) {
    StringBuilder list = new StringBuilder(",");
    for (int key : keys) list.append(key).append(',');
    super.visitInsn(Opcodes.DUP);
    super.visitLdcInsn(prefix + reader.pc);
    super.visitLdcInsn(list.toString());
    super.visitMethodInsn(Opcodes.INVOKESTATIC, Probes.REC, "choose", "(ILjava/lang/String;Ljava/lang/String;)V", false);
  }

  @Override public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
    before();
    int[] keys = new int[labels.length];
    for (int i = 0; i < keys.length; i++) keys[i] = min + i;
    choose(keys);
    super.visitTableSwitchInsn(min, max, otherwise, labels);
  }

  @Override public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
    before();
    choose(keys);
    super.visitLookupSwitchInsn(otherwise, keys, labels);
  }

  @Override public void visitInsn(int opcode) {
    before();
    super.visitInsn(opcode);
  }

  @Override public void visitIntInsn(int opcode, int operand) {
    before();
    super.visitIntInsn(opcode, operand);
  }

  @Override public void visitVarInsn(int opcode, int slot) {
    before();
    super.visitVarInsn(opcode, slot);
  }

  @Override public void visitTypeInsn(int opcode, String type) {
    before();
    super.visitTypeInsn(opcode, type);
  }

  @Override public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    before();
    super.visitFieldInsn(opcode, owner, name, descriptor);
  }

  @Override public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean itf) {
    before();
    super.visitMethodInsn(opcode, owner, name, descriptor, itf);
  }

  @Override public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
    before();
    super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
  }

  @Override public void visitLdcInsn(Object value) {
    before();
    super.visitLdcInsn(value);
  }

  @Override public void visitIincInsn(int slot, int by) {
    before();
    super.visitIincInsn(slot, by);
  }

  @Override public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    before();
    super.visitMultiANewArrayInsn(descriptor, dimensions);
  }
}
