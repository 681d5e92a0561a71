// SPDX-License-Identifier: Apache-2.0
// In the place of a test framework.
package org.junit;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface Test {}
