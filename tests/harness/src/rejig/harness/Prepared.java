// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A case on disk: the class path of each version, and the JDK each one runs on. */
final class Prepared {
  final Path dir;
  final List<Path> oldRoots = new ArrayList<>();
  final List<Path> newRoots = new ArrayList<>();
  final List<Path> oldLib = new ArrayList<>();
  final List<Path> newLib = new ArrayList<>();
  Jdks.Jdk oldJdk;
  Jdks.Jdk newJdk;
  /** Run in a module layer of these modules instead of on the class path. */
  boolean modular;

  Prepared(Path dir) {
    this.dir = dir;
  }
}
