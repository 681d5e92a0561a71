// SPDX-License-Identifier: Apache-2.0
package link;

import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Class files of a hierarchy. A method returns its own name, a field holds its own, a constructor and an initializer
 * log theirs; so what an instruction reached can be read off.
 */
final class Bytes implements Opcodes {
  /** The constructor that every class has, for the chain to Object and for making receivers. */
  static final String PLAIN = "(Ljava/lang/Void;)V";
  static final String QUERY_DESC = "(Ljava/lang/Object;)Ljava/lang/Object;";
  static final String WRITTEN = "written";

  private Bytes() { }

  static Map<String, byte[]> of(Hierarchy h) {
    Map<String, byte[]> result = new LinkedHashMap<>();
    for (Hierarchy.Type t : h.types) result.put(t.name, type(t));
    return result;
  }

  private static byte[] type(Hierarchy.Type t) {
    ClassWriter w = new ClassWriter(0);
    w.visit(t.major, t.access, t.name, null, t.superName, t.interfaces.toArray(new String[0]));
    if (t.nestHost != null) w.visitNestHost(t.nestHost);
    t.nestMembers.forEach(w::visitNestMember);
    if (t.permits != null) t.permits.forEach(w::visitPermittedSubclass);
    for (Hierarchy.Member f : t.fields) {
      String id = t.name + "." + f.name() + ":" + f.desc();
      w.visitField(f.access(), f.name(), f.desc(), null, (f.access() & ACC_STATIC) != 0 ? id : null).visitEnd();
    }
    if (t.clinit) {
      MethodVisitor m = w.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
      m.visitCode();
      m.visitLdcInsn(t.name);
      m.visitMethodInsn(INVOKESTATIC, "link/Log", "init", "(Ljava/lang/String;)V", false);
      end(m, RETURN);
    }
    if (!t.itf && !t.caller) constructors(w, t);
    for (Hierarchy.Member d : t.methods) {
      MethodVisitor m = w.visitMethod(d.access(), d.name(), d.desc(), null, null);
      if ((d.access() & ACC_ABSTRACT) == 0) {
        m.visitCode();
        m.visitLdcInsn(t.name + "." + d.name() + d.desc());
        end(m, ARETURN);
      } else {
        m.visitEnd();
      }
    }
    for (int i = 0; i < t.baits.size(); i++) bait(w, t.major, "v" + i, t.baits.get(i));
    for (Hierarchy.Query q : t.queries) query(w, q);
    w.visitEnd();
    return w.toByteArray();
  }

  private static void constructors(ClassWriter w, Hierarchy.Type t) {
    MethodVisitor m = w.visitMethod(ACC_PUBLIC, "<init>", PLAIN, null, null);
    m.visitCode();
    chain(m, t);
    for (Hierarchy.Member f : t.fields) {
      if ((f.access() & ACC_STATIC) != 0) continue;
      m.visitVarInsn(ALOAD, 0);
      m.visitLdcInsn(t.name + "." + f.name() + ":" + f.desc());
      m.visitFieldInsn(PUTFIELD, t.name, f.name(), f.desc());
    }
    end(m, RETURN);
    for (Hierarchy.Member c : t.constructors) {
      m = w.visitMethod(c.access(), c.name(), c.desc(), null, null);
      m.visitCode();
      chain(m, t);
      m.visitLdcInsn(t.name + "." + c.name() + c.desc());
      m.visitMethodInsn(INVOKESTATIC, "link/Log", "construct", "(Ljava/lang/String;)V", false);
      end(m, RETURN);
    }
  }

  private static void chain(MethodVisitor m, Hierarchy.Type t) {
    boolean root = t.superName.startsWith("java/");
    m.visitVarInsn(ALOAD, 0);
    if (!root) m.visitInsn(ACONST_NULL);
    m.visitMethodInsn(INVOKESPECIAL, t.superName, "<init>", root ? "()V" : PLAIN, false);
  }

  private static void bait(ClassWriter w, int major, String name, Hierarchy.Bait b) {
    MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, name, "()V", null, null);
    m.visitCode();
    if (b.from() != null) {
      m.visitInsn(ACONST_NULL);
      m.visitTypeInsn(CHECKCAST, b.from());
      m.visitMethodInsn(INVOKESTATIC, "p/Call", "sink", "(L" + b.to() + ";)V", false);
      end(m, RETURN);
      return;
    }
    Label start = new Label();
    Label after = new Label();
    Label handler = new Label();
    m.visitTryCatchBlock(start, after, handler, b.to());
    m.visitLabel(start);
    m.visitInsn(NOP);
    m.visitLabel(after);
    m.visitInsn(RETURN);
    m.visitLabel(handler);
    if (major >= V1_6) m.visitFrame(F_FULL, 0, new Object[0], 1, new Object[] {b.to()});
    m.visitInsn(POP);
    end(m, RETURN);
  }

  private static void query(ClassWriter w, Hierarchy.Query q) {
    MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "q" + q.number(), QUERY_DESC, null, null);
    m.visitCode();
    if (q.cast() != null) {
      m.visitVarInsn(ALOAD, 0);
      m.visitTypeInsn(CHECKCAST, q.cast());
    }
    switch (q.op()) {
      case "invokevirtual" -> m.visitMethodInsn(INVOKEVIRTUAL, q.owner(), q.name(), q.desc(), false);
      case "invokeinterface" -> m.visitMethodInsn(INVOKEINTERFACE, q.owner(), q.name(), q.desc(), true);
      case "invokestatic" -> m.visitMethodInsn(INVOKESTATIC, q.owner(), q.name(), q.desc(), q.itf());
      case "invokespecial" -> m.visitMethodInsn(INVOKESPECIAL, q.owner(), q.name(), q.desc(), q.itf());
      case "getfield" -> m.visitFieldInsn(GETFIELD, q.owner(), q.name(), q.desc());
      case "getstatic" -> m.visitFieldInsn(GETSTATIC, q.owner(), q.name(), q.desc());
      case "putfield", "putstatic" -> {
        m.visitLdcInsn(WRITTEN);
        m.visitFieldInsn(q.op().equals("putfield") ? PUTFIELD : PUTSTATIC, q.owner(), q.name(), q.desc());
        m.visitInsn(ACONST_NULL);
      }
      case "new" -> {
        m.visitTypeInsn(NEW, q.owner());
        m.visitInsn(POP);
        m.visitInsn(ACONST_NULL);
      }
      case "construct" -> {
        m.visitTypeInsn(NEW, q.owner());
        if (q.desc().equals("(I)V")) {
          m.visitInsn(DUP);
          m.visitInsn(ICONST_1);
        } else {
          m.visitInsn(DUP);
        }
        m.visitMethodInsn(INVOKESPECIAL, q.owner(), "<init>", q.desc(), false);
      }
      case "instanceof" -> {
        m.visitVarInsn(ALOAD, 0);
        m.visitTypeInsn(INSTANCEOF, q.owner());
        m.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "toString", "(I)Ljava/lang/String;", false);
      }
      case "checkcast" -> {
        m.visitVarInsn(ALOAD, 0);
        m.visitTypeInsn(CHECKCAST, q.owner());
      }
      default -> throw new IllegalStateException(q.op());
    }
    end(m, ARETURN);
  }

  private static void end(MethodVisitor m, int opcode) {
    m.visitInsn(opcode);
    m.visitMaxs(4, 4);
    m.visitEnd();
  }
}
