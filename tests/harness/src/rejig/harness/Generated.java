// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes that javac never emits, by internal name. */
interface Generated {
  Generated NONE = v -> Map.of();

  /** Of version v1 or v2. */
  Map<String, byte[]> classes(String version);

  /** {@code static int f()} is one call site bootstrapped by B.bsm. */
  static byte[] indy() {
    ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    w.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, "U", null, "java/lang/Object", null);
    MethodVisitor m = w.visitMethod(Opcodes.ACC_STATIC, "f", "()I", null, null);
    m.visitCode();
    m.visitInvokeDynamicInsn("x", "()I", new Handle(Opcodes.H_INVOKESTATIC, "B", "bsm",
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;", false));
    m.visitInsn(Opcodes.IRETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
    w.visitEnd();
    return w.toByteArray();
  }

  /** {@code static Object g()} loads a dynamic constant bootstrapped by B.cd with one argument. */
  static byte[] condy(String argument) {
    ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    w.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, "U", null, "java/lang/Object", null);
    MethodVisitor m = w.visitMethod(Opcodes.ACC_STATIC, "g", "()Ljava/lang/Object;", null, null);
    m.visitCode();
    m.visitLdcInsn(new ConstantDynamic("c", "Ljava/lang/Object;", new Handle(Opcodes.H_INVOKESTATIC, "B", "cd",
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Object;", false), argument));
    m.visitInsn(Opcodes.ARETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
    w.visitEnd();
    return w.toByteArray();
  }

  /** {@code final int f; int g() { this.f = 5; return this.f; }}. */
  static byte[] finalWriter(int version) {
    ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    w.visit(version, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, "A", null, "java/lang/Object", null);
    w.visitField(Opcodes.ACC_FINAL, "f", "I", null, null).visitEnd();
    MethodVisitor m = w.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    m.visitCode();
    m.visitVarInsn(Opcodes.ALOAD, 0);
    m.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    m.visitInsn(Opcodes.RETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
    m = w.visitMethod(0, "g", "()I", null, null);
    m.visitCode();
    m.visitVarInsn(Opcodes.ALOAD, 0);
    m.visitInsn(Opcodes.ICONST_5);
    m.visitFieldInsn(Opcodes.PUTFIELD, "A", "f", "I");
    m.visitVarInsn(Opcodes.ALOAD, 0);
    m.visitFieldInsn(Opcodes.GETFIELD, "A", "f", "I");
    m.visitInsn(Opcodes.IRETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
    w.visitEnd();
    return w.toByteArray();
  }
}
