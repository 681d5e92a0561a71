#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# engine.sh: a test engine that nobody has heard of. Tests that say which class they
# are from are skipped with it; tests that say nothing run always.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
command="java -jar $api -cp main:tests --scan-classpath tests --disable-banner --details=none"
program
mkdir -p test/META-INF/services
cat >test/p/OddEngine.java <<'JAVA'
package p;
import java.util.Optional;
import org.junit.platform.engine.*;
import org.junit.platform.engine.support.descriptor.*;
public class OddEngine implements TestEngine {
  static class Node extends AbstractTestDescriptor {
    final Type type;
    Node(UniqueId id, String name, TestSource from, Type type) { super(id, name, from); this.type = type; }
    @Override public Type getType() { return type; }
  }
  @Override public String getId() { return "odd"; }
  @Override public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
    TestDescriptor root = new EngineDescriptor(id, "odd");
    for (String name : new String[] {"add", "mul"}) {
      UniqueId below = id.append("class", name);
      TestSource from = name.equals("add") ? ClassSource.from("p.Add") : null;
      TestDescriptor group = new Node(below, name, from, TestDescriptor.Type.CONTAINER);
      root.addChild(group);
      group.addChild(new Node(below.append("test", "1"), name, null, TestDescriptor.Type.TEST));
    }
    return root;
  }
  @Override public void execute(ExecutionRequest request) {
    EngineExecutionListener out = request.getEngineExecutionListener();
    run(request.getRootTestDescriptor(), out);
  }
  static void run(TestDescriptor at, EngineExecutionListener out) {
    out.executionStarted(at);
    if (at.isTest()) {
      System.out.println("RAN:" + at.getDisplayName());
      Runnable r = at.getDisplayName().equals("add") ? new Add() : new Mul();
      r.run();
    }
    for (TestDescriptor below : at.getChildren()) run(below, out);
    out.executionFinished(at, TestExecutionResult.successful());
  }
}
JAVA
cat >test/p/Add.java <<'JAVA'
package p;
public class Add implements Runnable { public void run() { if (new Calc().add(2, 3) != 5) throw new AssertionError(); } }
JAVA
sed 's/Add/Mul/; s/add(2, 3) != 5/mul(2, 3) != 6/' test/p/Add.java >test/p/Mul.java
echo p.OddEngine >test/META-INF/services/org.junit.platform.engine.TestEngine
compile
compile_tests() { mkdir -p tests/META-INF && cp -r test/META-INF/services tests/META-INF/; }
compile_tests
expect 'first run' 0 add mul
expect 'no change' 0 mul
edit 's/return a \* b/return b * a + 0/' src/p/Calc.java
compile_tests
expect 'a change of the one that says nothing' 0 mul
edit 's/return a + b/return b + a + 0/' src/p/Calc.java
compile_tests
expect 'a change of the one that says its class' 0 add mul
expect 'no change after it' 0 mul
done_with
