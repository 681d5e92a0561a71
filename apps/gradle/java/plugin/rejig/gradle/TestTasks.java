// SPDX-License-Identifier: Apache-2.0
package rejig.gradle;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.logging.Logger;
import org.gradle.api.logging.Logging;
import org.gradle.api.tasks.testing.Test;
import rejig.session.Environment;
import rejig.session.Key;
import rejig.session.Talk;

/** The test tasks of one build, and their session. Whatever goes wrong is said once, and from then on all tests run. */
final class TestTasks {
    private static final Logger LOG = Logging.getLogger("rejig");

    private final Gradle gradle;
    /** By task: the folder of its rows. */
    private final Map<String, String> running = new ConcurrentHashMap<>();
    private Talk talk;
    private boolean gaveUp;

    TestTasks(Gradle gradle) {
        this.gradle = gradle;
    }

    /** Asked before the task looks whether it is up to date; what it depends on is there. */
    boolean runs(Test test) {
        try {
            Talk with = talk();
            if (with == null) {
                return true;
            }
            Map<String, String> own = own(test);
            Map<String, String> all = new LinkedHashMap<>(own);
            all.putAll(Environment.ofTestJvm(with.variables(), System.getenv("JAVA_TOOL_OPTIONS"), set(own), ""));
            Key key = key(test, own);
            Talk.Answer answer = with.begin("gradle " + test.getPath(), key == null ? null : key.text(), all, Collections.<String>emptyList());
            if (answer.runs) {
                running.put(test.getPath(), answer.rows);
            } else {
                LOG.lifecycle("rejig: no change can affect any of the " + answer.leftOut + " tests of " + test.getPath() + ": no JVM is started");
            }
            return answer.runs;
        } catch (Exception | LinkageError e) {
            giveUp(e);
            return true;
        }
    }

    void begins(Test test) {
        String rows = running.get(test.getPath());
        Talk with = talk;
        if (rows != null && with != null) {
            test.environment(Environment.ofTestJvm(with.variables(), System.getenv("JAVA_TOOL_OPTIONS"), set(own(test)), rows));
        }
    }

    void wentWell(Test test) {
        String rows = running.remove(test.getPath());
        try {
            if (rows != null && talk != null) {
                talk.good(rows);
            }
        } catch (IOException e) {
            giveUp(e);
        }
    }

    synchronized void close() {
        if (talk != null) {
            talk.close();
        }
        talk = null;
    }

    private static Map<String, String> own(Test test) {
        Map<String, String> out = new TreeMap<>();
        for (Map.Entry<String, Object> one : test.getEnvironment().entrySet()) {
            out.put(one.getKey(), String.valueOf(one.getValue()));
        }
        return out;
    }

    /** A task begins with all variables of the build: one that is as there was set by nobody. */
    private static Map<String, String> set(Map<String, String> own) {
        Map<String, String> out = new TreeMap<>(own);
        out.entrySet().removeIf(one -> one.getValue().equals(System.getenv(one.getKey())));
        return out;
    }

    /** What Gradle itself takes for the task's inputs, and what it hands to JVMs besides. Null: nothing is foreseen. */
    private static Key key(Test test, Map<String, String> own) throws IOException {
        Key key = new Key(own);
        for (Map.Entry<String, Object> one : new TreeMap<>(test.getInputs().getProperties()).entrySet()) {
            Object value = one.getValue();
            // Who names tests must be told when there are none.
            if (one.getKey().endsWith("commandLineIncludePatterns") && value instanceof Collection && !((Collection<?>) value).isEmpty()) {
                return null;
            }
            key.putWithFiles("input " + one.getKey(), String.valueOf(value));
        }
        if (test.getDebug()) {
            return null;
        }
        key.put("executable", test.getExecutable());
        key.put("folder", test.getWorkingDir().getPath());
        int at = 0;
        for (String argument : test.getAllJvmArgs()) {
            key.putWithFiles("argument " + at++, argument);
        }
        at = 0;
        for (File entry : test.getClasspath()) {
            key.put("class path " + at++, entry.getPath());
        }
        // Which of them it looks into, by its includes and excludes: no inputs by themselves.
        for (File file : test.getCandidateClassFiles()) {
            key.put("candidate " + file, "");
        }
        for (File folder : test.getTestClassesDirs()) {
            key.putTree("test classes " + folder, folder);
        }
        return key;
    }

    /** Null: it cannot be had, which was said. */
    private synchronized Talk talk() throws IOException {
        if (talk == null && !gaveUp) {
            List<String> words = new ArrayList<>();
            if (gradle.getStartParameter().isOffline()) {
                words.add("--offline");
            }
            String more = property("rejig.args");
            if (more != null) {
                words.addAll(Arrays.asList(more.trim().split("\\s+")));
            }
            String program = program();
            try {
                talk = new Talk(program, words, gradle.getRootProject().getProjectDir(), LOG::lifecycle);
            } catch (IOException e) {
                throw new IOException(program + ": " + e.getMessage(), e);
            }
        }
        return talk;
    }

    private String program() throws IOException {
        String named = property("rejig.exe");
        if (named != null) {
            if (!new File(named).canExecute()) {
                throw new IOException("rejig.exe is " + named + ", which cannot be run");
            }
            return new File(named).getAbsolutePath();
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            File file = new File(folder, "rejig");
            if (!folder.isEmpty() && file.isFile() && file.canExecute()) {
                return file.getAbsolutePath();
            }
        }
        throw new IOException("there is no rejig: not as -Prejig.exe, and not on the PATH");
    }

    private String property(String name) {
        return gradle.getStartParameter().getProjectProperties().get(name);
    }

    private synchronized void giveUp(Throwable why) {
        if (!gaveUp) {
            LOG.warn("rejig: " + (why.getMessage() == null ? why.toString() : why.getMessage()) + ": all tests run, nothing is recorded");
            LOG.info("rejig", why);
        }
        gaveUp = true;
        running.clear();
        close();
    }
}
