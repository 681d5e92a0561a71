// SPDX-License-Identifier: Apache-2.0
// Prints how JaCoCo itself numbers the probes of every class of the given jars:
// "CLASS ID" and, for each method that has probes, "  METHOD FIRST END".
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.internal.flow.ClassProbesAdapter;
import org.jacoco.core.internal.flow.ClassProbesVisitor;
import org.jacoco.core.internal.flow.IFrame;
import org.jacoco.core.internal.flow.MethodProbesVisitor;
import org.jacoco.core.internal.instr.InstrSupport;
import org.objectweb.asm.Label;

public final class ProbeDump {
  static final class Counter extends MethodProbesVisitor {
    int first = Integer.MAX_VALUE;
    int end = 0;

    void id(int id) {
      if (id < 0) return;
      first = Math.min(first, id);
      end = Math.max(end, id + 1);
    }
    @Override public void visitProbe(int id) { id(id); }
    @Override public void visitInsnWithProbe(int opcode, int id) { id(id); }
    @Override public void visitJumpInsnWithProbe(int opcode, Label label, int id, IFrame frame) { id(id); }
    @Override public void visitTableSwitchInsnWithProbes(int min, int max, Label dflt, Label[] labels, IFrame frame) {
      ids(dflt, labels);
    }
    @Override public void visitLookupSwitchInsnWithProbes(Label dflt, int[] keys, Label[] labels, IFrame frame) {
      ids(dflt, labels);
    }
    private void ids(Label dflt, Label[] labels) {
      id(org.jacoco.core.internal.flow.LabelInfo.getProbeId(dflt));
      for (Label label : labels) id(org.jacoco.core.internal.flow.LabelInfo.getProbeId(label));
    }
  }

  static String dump(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    List<String> names = new ArrayList<>();
    List<Counter> counters = new ArrayList<>();
    var reader = InstrSupport.classReaderFor(bytes);
    reader.accept(new ClassProbesAdapter(new ClassProbesVisitor() {
      @Override public MethodProbesVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
        names.add(name + desc);
        counters.add(new Counter());
        return counters.get(counters.size() - 1);
      }
      @Override public void visitTotalProbeCount(int count) { }
    }, false), 0);
    out.append(reader.getClassName()).append(' ').append(Long.toHexString(CRC64.classId(bytes))).append('\n');
    for (int i = 0; i < names.size(); ++i) {
      Counter c = counters.get(i);
      if (c.end > 0) out.append("  ").append(names.get(i)).append(' ').append(c.first).append(' ').append(c.end).append('\n');
    }
    return out.toString();
  }

  public static void main(String[] jars) throws Exception {
    List<String> all = new ArrayList<>();
    for (String jar : jars) {
      try (JarFile file = new JarFile(jar)) {
        for (JarEntry entry : Collections.list(file.entries())) {
          String name = entry.getName();
          if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.endsWith("module-info.class")) continue;
          try (InputStream in = file.getInputStream(entry)) {
            all.add(dump(in.readAllBytes()));
          }
        }
      }
    }
    Collections.sort(all);
    all.forEach(System.out::print);
  }
}
