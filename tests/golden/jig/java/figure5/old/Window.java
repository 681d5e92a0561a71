// SPDX-License-Identifier: Apache-2.0
// Each of two classes overrides one of the methods.
public class Window extends Panel {
  @Override public void open() {}
}
