// SPDX-License-Identifier: Apache-2.0
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Does this JVM verify these classes? Arguments: a path list, a file of names. One line for each: "ok NAME", "verify NAME: first line", "other NAME: why"
 * (it does not load, or what it stands below was refused).
 */
public class Link {
  /** Its own classes first, whatever the application's loader has. */
  static final class Loader extends URLClassLoader {
    Loader(URL[] roots) { super(roots, ClassLoader.getPlatformClassLoader()); }
  }

  public static void main(String[] args) throws Exception {
    List<URL> roots = new ArrayList<>();
    for (String root : args[0].split(":")) roots.add(Path.of(root).toUri().toURL());
    Loader loader = new Loader(roots.toArray(URL[]::new));
    for (String name : Files.readAllLines(Path.of(args[1]))) {
      String says;
      try {
        // Listing members links, and runs nothing.
        Class.forName(name.replace('/', '.'), false, loader).getDeclaredMethods();
        says = "ok " + name;
      } catch (VerifyError e) {
        String text = String.valueOf(e.getMessage());
        // Without a place it is what the class may not override or extend.
        boolean its = text.contains("Location:") ? text.contains("\n    " + name + ".") : text.contains("class: " + name + ",");
        says = (its ? "verify " : "other ") + name + ": " + text.split("\n")[0];
      } catch (Throwable e) {
        says = "other " + name + ": " + String.valueOf(e).split("\n")[0];
      }
      System.out.println(says);
    }
  }
}
