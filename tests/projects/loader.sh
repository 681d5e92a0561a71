#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A launcher that loads the program with a class loader of its own that is no
# URLClassLoader: nobody can say what its class path is, so everything runs.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-4.13.2.jar:$ARTIFACTS/hamcrest-core-1.3.jar
mkdir -p launcher boot
cat >launcher/Launch.java <<'JAVA'
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
public class Launch extends ClassLoader {
  Launch() { super(Launch.class.getClassLoader()); }
  private static Path file(String name) {
    for (String root : new String[] {"main", "tests"}) {
      Path path = Path.of(root, name);
      if (Files.exists(path)) return path;
    }
    return null;
  }
  @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      Path path = file(name.replace('.', '/') + ".class");
      if (path == null) throw new ClassNotFoundException(name);
      byte[] b = Files.readAllBytes(path);
      String root = path.getName(0).toAbsolutePath().toUri().toString();
      return defineClass(name, b, 0, b.length, new java.security.ProtectionDomain(
          new java.security.CodeSource(new java.net.URL(root), (java.security.cert.Certificate[]) null), null));
    } catch (java.io.IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
  @Override public java.net.URL findResource(String name) {
    try {
      Path path = file(name);
      return path == null ? null : path.toUri().toURL();
    } catch (java.io.IOException e) {
      return null;
    }
  }
  public static void main(String[] a) throws Exception {
    Launch loader = new Launch();
    CONTEXT
    org.junit.runner.Result done = new org.junit.runner.JUnitCore().run(loader.loadClass("p.CalcTest"));
    System.exit(done.wasSuccessful() ? 0 : 1);
  }
}
JAVA
if [ "$1" = context ]; then
  sed -i 's/CONTEXT/Thread.currentThread().setContextClassLoader(loader);/' launcher/Launch.java
else
  sed -i 's/CONTEXT//' launcher/Launch.java
fi
javac -cp "$api" -d boot launcher/Launch.java || exit 1
command="java -cp boot:$api Launch"
program
test_class 'import org.junit.Test;
import static org.junit.Assert.assertEquals;' 'public'
everything
done_with
