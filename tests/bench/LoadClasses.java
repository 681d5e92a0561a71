// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Files;
import java.nio.file.Path;

/** Links the first COUNT classes of a list that can be linked: LoadClasses LIST COUNT. */
public final class LoadClasses {
    public static void main(String[] args) throws Exception {
        int wanted = Integer.parseInt(args[1]);
        int linked = 0;
        for (String name : Files.readAllLines(Path.of(args[0]))) {
            if (linked == wanted) {
                break;
            }
            try {
                Class.forName(name, false, ClassLoader.getSystemClassLoader()).getMethods();
                linked++;
            } catch (LinkageError e) {
                continue; // needs a library that is not there
            }
        }
        System.out.println(linked + " linked");
        System.exit(linked == wanted ? 0 : 1);
    }
}
