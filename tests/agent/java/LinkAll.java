// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Links, and so verifies, the JDK class of every class file below the given directories. */
public final class LinkAll {
    public static void main(String[] roots) throws IOException {
        int linked = 0;
        int broken = 0;
        for (String dir : roots) {
            Path root = Path.of(dir);
            List<Path> files;
            try (Stream<Path> all = Files.walk(root)) {
                files = all.filter(p -> p.toString().endsWith(".class")).sorted().collect(Collectors.toList());
            }
            for (Path file : files) {
                String name = root.relativize(file).toString().replace('/', '.');
                name = name.substring(0, name.length() - ".class".length());
                try {
                    Class.forName(name, false, ClassLoader.getSystemClassLoader()).getDeclaredMethods();
                    linked++;
                } catch (Throwable e) {
                    broken++;
                    System.out.println(name + ": " + e);
                }
            }
        }
        System.out.println("linked " + linked);
        System.exit(broken == 0 ? 0 : 1);
    }
}
