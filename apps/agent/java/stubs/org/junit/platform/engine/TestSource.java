// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.engine;

import java.io.Serializable;

public interface TestSource extends Serializable {}
