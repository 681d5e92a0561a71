// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import sootup.callgraph.CallGraph;
import sootup.callgraph.ClassHierarchyAnalysisAlgorithm;
import sootup.core.signatures.MethodSignature;
import sootup.java.bytecode.frontend.inputlocation.JavaClassPathAnalysisInputLocation;
import sootup.java.core.JavaSootClass;
import sootup.java.core.views.JavaView;

/** SootUpCha JAR: the CHA call graph of one program, from every method of it. */
public final class SootUpCha {
  public static void main(String[] args) {
    JavaView view = new JavaView(new JavaClassPathAnalysisInputLocation(args[0]));
    List<MethodSignature> entries = new ArrayList<>();
    int[] classes = {0};
    for (JavaSootClass c : (Iterable<JavaSootClass>) view.getClasses()::iterator) {
      classes[0]++;
      c.getMethods().forEach(m -> entries.add(m.getSignature()));
    }
    CallGraph graph = new ClassHierarchyAnalysisAlgorithm(view).initialize(entries);
    System.out.println(classes[0] + " classes, " + entries.size() + " methods, " + graph.callCount() + " calls");
  }
}
