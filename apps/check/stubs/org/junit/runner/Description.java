// SPDX-License-Identifier: Apache-2.0
package org.junit.runner;

/** As much of JUnit 4 as the checker is compiled against; it runs with the real one. */
public class Description {
  public static Description createSuiteDescription(String name, java.lang.annotation.Annotation... annotations) {
    throw new UnsupportedOperationException();
  }
}
