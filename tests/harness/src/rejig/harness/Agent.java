// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import rejig.harness.boot.Rec;

/** The reference recorder: every class that a program loader defines gets probes, and so do a few classes of the JDK. */
public final class Agent {
  static Instrumentation instrumentation;

  private Agent() {}

  public static void premain(String args, Instrumentation in) throws Exception {
    instrumentation = in;
    in.addTransformer(new Transformer(), true);
    List<Class<?>> jdk = new ArrayList<>();
    for (String n : JdkHooks.targets().keySet()) {
      try {
        jdk.add(Class.forName(n.replace('/', '.'), false, ClassLoader.getSystemClassLoader()));
      } catch (ClassNotFoundException e) {
        System.err.println("reference recorder: this JDK has no " + n);
      }
    }
    in.retransformClasses(jdk.toArray(new Class<?>[0]));
    if (Rec.failure() != null) throw new IllegalStateException(Rec.failure());
  }

  private static final class Transformer implements ClassFileTransformer {
    @Override public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
      try {
        if (old != null && JdkHooks.targets().containsKey(name)) return JdkHooks.instrument(name, bytes);
        if (old != null || !Rec.recording(loader)) return null;
        ClassLoader l = loader;
        while (l != null && !(l instanceof CaseLoader)) l = l.getParent();
        if (!(l instanceof CaseLoader program) || name == null) return null;
        CodeSource source = domain == null ? null : domain.getCodeSource();
        boolean generated = source == null || source.getLocation() == null;
        boolean internal = generated ? program.world.internalClasses().containsKey(name.replace('/', '.')) : program.internalLocation(source.getLocation());
        if (generated && !internal) return null;
        Rec.hit((internal ? "load:" : "ext:") + name.replace('/', '.'));
        String key = name + ' ' + internal + Matrix.sha256(bytes);
        byte[] probed = program.world.instrumented.get(key);
        if (probed == null) program.world.instrumented.put(key, probed = Probes.instrument(bytes, program.world, internal));
        return probed;
      } catch (Throwable t) {
        Rec.fail(t);
        t.printStackTrace();
        return null;
      }
    }
  }
}
