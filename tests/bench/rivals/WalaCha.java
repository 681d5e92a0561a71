// SPDX-License-Identifier: Apache-2.0
import com.ibm.wala.core.util.config.AnalysisScopeReader;
import com.ibm.wala.ipa.callgraph.AnalysisScope;
import com.ibm.wala.ipa.callgraph.Entrypoint;
import com.ibm.wala.ipa.callgraph.cha.CHACallGraph;
import com.ibm.wala.ipa.callgraph.impl.DefaultEntrypoint;
import com.ibm.wala.ipa.cha.ClassHierarchyFactory;
import com.ibm.wala.ipa.cha.IClassHierarchy;
import com.ibm.wala.classLoader.IClass;
import com.ibm.wala.classLoader.IMethod;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** WalaCha JAR: the CHA call graph of one program, from every method of it. */
public final class WalaCha {
  public static void main(String[] args) throws Exception {
    AnalysisScope scope = AnalysisScopeReader.instance.makeJavaBinaryAnalysisScope(args[0], (File) null);
    IClassHierarchy cha = ClassHierarchyFactory.makeWithRoot(scope);
    List<Entrypoint> entries = new ArrayList<>();
    for (IClass c : cha) {
      if (!scope.isApplicationLoader(c.getClassLoader())) continue;
      for (IMethod m : c.getDeclaredMethods()) entries.add(new DefaultEntrypoint(m, cha));
    }
    CHACallGraph graph = new CHACallGraph(cha, true);
    graph.init(entries);
    System.out.println(cha.getNumberOfClasses() + " classes, " + entries.size() + " methods, " + graph.getNumberOfNodes() + " nodes");
  }
}
