// SPDX-License-Identifier: Apache-2.0
// Figure 5: an external class with two methods that can be overridden.
public class Panel {
  public void open() {}

  public void close() {}
}
