// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import rejig.harness.boot.Rec;

/** The class path of one run of one test: internal roots, then external ones; failed lookups and opened resources are facts. */
final class CaseLoader extends URLClassLoader {
  final World world;
  private final Set<String> internalRoots = new HashSet<>();

  CaseLoader(List<Path> internal, List<Path> external, World world, ClassLoader parent) throws MalformedURLException {
    super("program", urls(internal, external), parent);
    this.world = world;
    for (Path p : internal) internalRoots.add(p.toUri().toURL().getPath());
    setDefaultAssertionStatus(true);
  }

  private static URL[] urls(List<Path> a, List<Path> b) throws MalformedURLException {
    List<URL> out = new ArrayList<>();
    for (Path p : a) out.add(p.toUri().toURL());
    for (Path p : b) out.add(p.toUri().toURL());
    return out.toArray(new URL[0]);
  }

  boolean internalLocation(URL url) {
    return internalRoots.contains(url.getPath());
  }

  Class<?> loaded(String name) {
    return findLoadedClass(name);
  }

  @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      return super.findClass(name);
    } catch (ClassNotFoundException e) {
      Rec.hit("miss:" + name);
      throw e;
    }
  }

  // Modules of a layer share this loader; their classes are found as those of the class path.
  @Override protected Class<?> findClass(String module, String name) {
    try {
      return findClass(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  @Override public URL findResource(String name) {
    URL u = super.findResource(name);
    Rec.hit((u != null ? "res:" : "resmiss:") + name);
    return u;
  }

  // An enumeration sees every later addition too, so it is both an opening and a failed look-up.
  @Override public Enumeration<URL> findResources(String name) throws IOException {
    Enumeration<URL> e = super.findResources(name);
    if (e.hasMoreElements()) Rec.hit("res:" + name);
    Rec.hit("resmiss:" + name);
    return e;
  }
}
