// SPDX-License-Identifier: Apache-2.0
package org.junit.runner.manipulation;

public class NoTestsRemainException extends Exception {}
