// SPDX-License-Identifier: Apache-2.0
package org.junit.runner;

public class Result {}
