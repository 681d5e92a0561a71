// SPDX-License-Identifier: Apache-2.0
package junit.framework;

public class TestSuite {}
