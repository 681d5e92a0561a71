// SPDX-License-Identifier: Apache-2.0
package org.testng;

public interface ISuite {
    String getName();
}
