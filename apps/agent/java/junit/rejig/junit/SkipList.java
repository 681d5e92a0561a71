// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * Which tests are proven unaffected? The file that the system property or variable REJIG_SKIP_FILE names:
 * `rejig-skip 1`, then `suite TAB test id` a line, then `end N`. Anything else about it and nothing is skipped.
 * A folder instead: `rejig run` is asked through it.
 */
final class SkipList {
    private static final String NAME = "REJIG_SKIP_FILE";
    private static final Set<String> SKIPPED = read();

    private SkipList() {}

    static boolean isEmpty() {
        return SKIPPED.isEmpty();
    }

    static boolean contains(String testId) {
        return SKIPPED.contains(testId);
    }

    /** In a run inside a test nothing is skipped: that run is the test. */
    static boolean applies() {
        return !isEmpty() && !(Marks.present() && Marks.insideTest());
    }

    private static Set<String> read() {
        String file = null;
        Marks.quiet(true);
        try {
            file = System.getProperty(NAME, System.getenv(NAME));
            if (file != null && new File(file).isDirectory()) {
                file = SelectAtStart.skipFile(file, suite());
            }
            return file == null || file.isEmpty() ? Collections.<String>emptySet() : read(file, suite());
        } catch (Exception e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            System.err.println("rejig: nothing is skipped: " + file + ": " + (why.getMessage() == null ? why : why.getMessage()));
            return Collections.emptySet();
        } finally {
            Marks.quiet(false);
        }
    }

    private static String suite() {
        if (Marks.present()) {
            return Marks.suite();
        }
        String suite = System.getenv("REJIG_SUITE");
        return suite == null || suite.isEmpty() ? "default" : suite;
    }

    private static Set<String> read(String file, String suite) throws Exception {
        Set<String> out = new HashSet<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new FileInputStream(file),
                StandardCharsets.UTF_8.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)))) {
            if (!"rejig-skip 1".equals(in.readLine())) {
                throw new Exception("the first line is not `rejig-skip 1`");
            }
            long entries = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int tab = line.indexOf('\t');
                if (tab < 0) {
                    if (!line.equals("end " + entries)) {
                        throw new Exception("line " + (entries + 2) + " is neither an entry nor `end " + entries + "`");
                    }
                    if (in.readLine() != null) {
                        throw new Exception("there is something after the end");
                    }
                    return out;
                }
                entries++;
                String id = line.substring(tab + 1);
                if (tab == 0 || id.indexOf('#') <= 0 || id.indexOf('\t') >= 0) {
                    throw new Exception("line " + (entries + 1) + " is no entry");
                }
                if (line.substring(0, tab).equals(suite)) {
                    out.add(id);
                }
            }
        } catch (CharacterCodingException e) {
            throw new Exception("it is not UTF-8");
        }
        throw new Exception("the last line is missing");
    }
}
