// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;

/**
 * What a JVM's class loader finds. Argument: a file of lines "path[:path…] TAB resource"; one line is printed for
 * each: all contents that the loader finds, joined with '|'; REFUSED when it refuses the first archive.
 */
public class JvmLoader {
  public static void main(String[] args) throws Exception {
    // Duplicate attributes are what some cases are about: no warnings.
    java.util.logging.LogManager.getLogManager().reset();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String[] parts = line.split("\t");
      System.out.println(look(parts[0].split(":"), parts[1]));
    }
  }

  /** True when the loader finds none of the entries that JarFile lists. */
  private static boolean isDropped(String path) throws Exception {
    if (!Files.isRegularFile(Path.of(path))) return false;
    URL[] alone = {Path.of(path).toUri().toURL()};
    try (JarFile jar = new JarFile(path); URLClassLoader loader = new URLClassLoader(alone, null)) {
      List<String> names = jar.stream().map(e -> e.getName()).toList();
      return !names.isEmpty() && names.stream().allMatch(name -> loader.findResource(name) == null);
    }
  }

  private static String look(String[] paths, String resource) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String path : paths) urls.add(Path.of(path).toUri().toURL());
    if (Files.isRegularFile(Path.of(paths[0]))) {
      try (JarFile jar = new JarFile(paths[0])) {
        jar.size();
      } catch (Exception refused) {
        return "REFUSED";
      }
    }
    List<String> found = new ArrayList<>();
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
      if (isDropped(paths[0])) return "REFUSED";
      for (URL url : Collections.list(loader.findResources(resource))) {
        try {
          var connection = url.openConnection();
          connection.setUseCaches(false);
          try (InputStream in = connection.getInputStream()) {
            found.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
          }
        } catch (Exception e) {
          found.add("ERROR");
        }
      }
    }
    return String.join("|", found);
  }
}
