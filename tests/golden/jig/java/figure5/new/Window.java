// SPDX-License-Identifier: Apache-2.0
// The upper one overrides both.
public class Window extends Panel {
  @Override public void open() {}

  @Override public void close() {}
}
