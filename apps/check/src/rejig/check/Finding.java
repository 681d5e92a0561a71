// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.util.Set;

/** A rule that was violated: by which pair or program, by which tests, and what happened. */
record Finding(String rule, String pair, Set<String> tests, String what) {}
