// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Probes in the JDK, so that every caller is seen: reflection, look-ups, deserialization, stack traces, files. */
final class JdkHooks {
  private static final Set<String> NAMES = Set.of("getName", "getTypeName", "toString", "toGenericString");
  private static final Set<String> SKIP = Set.of("getClassLoader", "getClassLoader0", "desiredAssertionStatus", "getComponentType", "componentType", "isArray", "isPrimitive",
      "hashCode", "getModule", "getPackageName", "getPackage", "isHidden", "isHidden0", "elementType", "checkMemberAccess", "checkPackageAccess", "checkPackageAccessForPermittedSubclasses",
      "reflectionData", "newReflectionData", "getReflectionFactory", "initClassName", "descriptorString", "describeConstable", "arrayType", "cast", "asSubclass",
      "getEnumConstants", "getEnumConstantsShared", "enumConstantDirectory", "toClass", "resolveName", "getResource", "getResourceAsStream", "isOpenToCaller",
      "getProtectionDomain", "protectionDomain", "getSigners", "getNestHost", "isNestmateOf", "casAnnotationType", "getAnnotationType", "isInterface", "isUnnamedClass",
      "getConstantPool", "isTopLevelClass", "addSimpleEnumConstant", "wasReflectionDataInvalidated", "getClassData", "getClassFileVersion", "getClassAccessFlagsRaw");

  private JdkHooks() {}

  /** Internal name to hook kind. */
  static Map<String, String> targets() {
    Map<String, String> t = new LinkedHashMap<>();
    t.put("java/lang/Class", "class");
    t.put("java/lang/invoke/MethodHandles$Lookup", "lookup");
    t.put("java/io/ObjectStreamClass", "ser");
    t.put("sun/misc/Unsafe", "unsafe");
    t.put("java/lang/Throwable", "throwable");
    t.put("java/lang/NullPointerException", "npe");
    t.put("java/lang/StackWalker", "walker");
    t.put("java/lang/Thread", "thread");
    t.put("java/io/FileInputStream", "fis");
    t.put("java/lang/Package", "package");
    t.put("java/util/ServiceLoader", "service");
    t.put("java/lang/Runtime", "runtime");
    t.put("java/io/File", "file");
    return t;
  }

  static byte[] instrument(String name, byte[] bytes) {
    String kind = targets().get(name);
    ClassReader in = new ClassReader(bytes);
    ClassWriter out = new ClassWriter(in, ClassWriter.COMPUTE_MAXS);
    in.accept(new ClassVisitor(Opcodes.ASM9, out) {
      @Override public MethodVisitor visitMethod(int access, String m, String desc, String sig, String[] ex) {
        MethodVisitor mv = super.visitMethod(access, m, desc, sig, ex);
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        return m.startsWith("<") ? mv : hook(kind, m, desc, isStatic, mv);
      }
    }, 0);
    return out.toByteArray();
  }

  private static MethodVisitor hook(String kind, String m, String desc, boolean isStatic, MethodVisitor mv) {
    switch (kind) {
      case "class":
        if (isStatic || SKIP.contains(m) || m.startsWith("lambda$")) return mv;
        return prefix(mv, NAMES.contains(m) ? "name" : "refl", "(Ljava/lang/Class;)V", 0);
      case "lookup":
        boolean finder = m.startsWith("find") && !m.equals("findBoundCallerLookup") && desc.startsWith("(Ljava/lang/Class;");
        return isStatic || !finder ? mv : prefix(mv, "lookup", "(Ljava/lang/Class;)V", 1);
      case "ser":
        if (!m.equals("newInstance") || isStatic) return mv;
        return new MethodVisitor(Opcodes.ASM9, mv) {
          @Override public void visitCode() {
            super.visitCode();
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/io/ObjectStreamClass", "forClass", "()Ljava/lang/Class;", false);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, Probes.REC, "inst", "(Ljava/lang/Class;)V", false);
          }
        };
      case "unsafe":
        return m.equals("allocateInstance") ? prefix(mv, "inst", "(Ljava/lang/Class;)V", 1) : mv;
      case "throwable":
        return m.equals("getOurStackTrace") ? prefix(mv, "stack", "()V", -1) : mv;
      case "npe":
        return m.equals("getMessage") ? prefix(mv, "stack", "()V", -1) : mv;
      case "walker":
        return m.equals("walk") || m.equals("forEach") || m.equals("getCallerClass") ? prefix(mv, "stack", "()V", -1) : mv;
      case "thread":
        return m.equals("getStackTrace") || m.equals("getAllStackTraces") || m.equals("dumpStack") ? prefix(mv, "stack", "()V", -1) : mv;
      case "package":
        return m.startsWith("getImplementation") || m.startsWith("getSpecification") || m.equals("isSealed") || m.equals("isCompatibleWith")
            ? prefix(mv, "manifest", "()V", -1) : mv;
      case "service":
        return m.equals("iterator") || m.equals("stream") || m.equals("findFirst") ? service(mv) : mv;
      case "runtime":
        return m.equals("load0") ? touched(mv, 2) : mv;
      case "fis":
        return m.equals("open") ? touched(mv, 1) : mv;
      case "file":
        return m.equals("exists") || m.equals("isFile") || m.equals("isDirectory") || m.equals("length") || m.equals("lastModified") ? touched(mv, 0) : mv;
      default:
        return mv;
    }
  }

  // Whether the file is there is not asked here: the path counts both as opened and as looked for.
  private static MethodVisitor touched(MethodVisitor mv, int slot) {
    return new MethodVisitor(Opcodes.ASM9, mv) {
      @Override public void visitCode() {
        super.visitCode();
        super.visitVarInsn(Opcodes.ALOAD, slot);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Probes.REC, "file", "(Ljava/lang/Object;)V", false);
      }
    };
  }

  private static MethodVisitor service(MethodVisitor mv) {
    return new MethodVisitor(Opcodes.ASM9, mv) {
      @Override public void visitCode() {
        super.visitCode();
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitFieldInsn(Opcodes.GETFIELD, "java/util/ServiceLoader", "service", "Ljava/lang/Class;");
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Probes.REC, "service", "(Ljava/lang/Class;)V", false);
      }
    };
  }

  private static MethodVisitor prefix(MethodVisitor mv, String method, String desc, int slot) {
    if (mv == null) return null;
    return new MethodVisitor(Opcodes.ASM9, mv) {
      @Override public void visitCode() {
        super.visitCode();
        if (slot >= 0) super.visitVarInsn(Opcodes.ALOAD, slot);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Probes.REC, method, desc, false);
      }
    };
  }
}
