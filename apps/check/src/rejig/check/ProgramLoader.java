// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** A program in a class loader of its own, its library and its statics with it: as good as a JVM of its own for tests that share nothing else. */
final class ProgramLoader extends URLClassLoader {
  ProgramLoader(Path root, Path library, ClassLoader parent) throws MalformedURLException {
    super("program", new URL[] {root.toUri().toURL(), library.toUri().toURL()}, parent);
    setDefaultAssertionStatus(true);
  }

  Class<?> loaded(String name) {
    return findLoadedClass(name);
  }
}
