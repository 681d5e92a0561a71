// SPDX-License-Identifier: Apache-2.0
package rejig.session;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the environment of a test JVM gets, beside what the build gives it. */
public final class Environment {
    private Environment() {}

    /** REJIG_OFF, or a build below `rejig run`, which sees to all JVMs itself. */
    public static boolean isNotOurs(Map<String, String> now) {
        String off = now.getOrDefault("REJIG_OFF", "");
        return !off.isEmpty() && !off.equals("0") || now.containsKey("REJIG_SKIP_FILE");
    }

    /**
     * @param session what `rejig session` said
     * @param inherited JAVA_TOOL_OPTIONS of the build, which the session put behind its own; null: none
     * @param own what the build sets for the JVM
     */
    public static Map<String, String> ofTestJvm(Map<String, String> session, String inherited, Map<String, String> own, String rows) {
        Map<String, String> out = new LinkedHashMap<>();
        for (Map.Entry<String, String> one : session.entrySet()) {
            if (!one.getValue().isEmpty() && !one.getKey().equals("GRADLE_OPTS")) {
                out.put(one.getKey(), one.getValue());
            }
        }
        String theirs = own.get("JAVA_TOOL_OPTIONS");
        String ours = out.get("JAVA_TOOL_OPTIONS");
        if (theirs != null && ours != null) {
            if (inherited != null && !inherited.isEmpty() && ours.endsWith(" " + inherited)) {
                ours = ours.substring(0, ours.length() - inherited.length() - 1);
            }
            out.put("JAVA_TOOL_OPTIONS", ours + " " + theirs);
        }
        out.put("REJIG_OUT", rows);
        return out;
    }
}
