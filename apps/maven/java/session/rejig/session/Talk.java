// SPDX-License-Identifier: Apache-2.0
package rejig.session;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The client's end of `rejig session` (cmd_session.cc has the words). One conversation for a build; steps of modules
 * that are built in parallel take turns. Whatever goes wrong is an IOException, and whoever gets one runs everything.
 */
public final class Talk implements Closeable {
    private static final long END_MINUTES = 30;

    private final Process process;
    private final BufferedReader in;
    private final OutputStream out;
    private final Thread messages;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private boolean over;

    /** What a step is told. */
    public static final class Answer {
        public final boolean runs;
        public final String rows;
        public final long leftOut;

        Answer(boolean runs, String rows, long leftOut) {
            this.runs = runs;
            this.rows = rows;
            this.leftOut = leftOut;
        }
    }

    /** Starts `PROGRAM session WORDS` in a folder; each line that it says goes to `listener`. */
    public Talk(String program, List<String> words, File folder, Consumer<String> listener) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(program);
        command.add("session");
        command.addAll(words);
        process = new ProcessBuilder(command).directory(folder).start();
        in = reader(process.getInputStream());
        out = process.getOutputStream();
        messages = new Thread(() -> listen(reader(process.getErrorStream()), listener), "rejig session");
        messages.setDaemon(true);
        messages.start();
        try {
            greet();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void greet() throws IOException {
        String first = in.readLine();
        if (!"rejig-session 1".equals(first)) {
            throw new IOException(first == null ? "it cannot record here" : "another version of it: " + first);
        }
        for (String line = in.readLine(); !"ready".equals(line); line = in.readLine()) {
            if (line == null || !line.startsWith("variable ")) {
                throw new IOException("it broke off");
            }
            String entry = unescaped(line.substring("variable ".length()));
            int equals = entry.indexOf('=');
            variables.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
    }

    /** What the environment of each test JVM must have. */
    public Map<String, String> variables() {
        return Collections.unmodifiableMap(variables);
    }

    /** Without a key nothing is foreseen. */
    public synchronized Answer begin(String step, String key, Map<String, String> set, Iterable<String> unset)
            throws IOException {
        StringBuilder text = new StringBuilder();
        word(text, "step", step);
        if (key != null) {
            word(text, "key", key);
        }
        for (Map.Entry<String, String> one : set.entrySet()) {
            word(text, "set", one.getKey() + "=" + one.getValue());
        }
        for (String name : unset) {
            word(text, "unset", name);
        }
        say(text.append("go\n").toString());
        String line = in.readLine();
        if (line != null && line.startsWith("run ")) {
            return new Answer(true, unescaped(line.substring("run ".length())), 0);
        }
        if (line != null && line.startsWith("none ")) {
            return new Answer(false, null, Long.parseLong(line.substring("none ".length())));
        }
        throw new IOException("it broke off");
    }

    public synchronized void good(String rows) throws IOException {
        StringBuilder text = new StringBuilder();
        word(text, "good", rows);
        say(text.toString());
    }

    /** The build is over: keeps what was recorded. */
    @Override
    public synchronized void close() {
        if (over) {
            return;
        }
        over = true;
        try {
            say("end\n");
            out.close();
        } catch (IOException e) {
            // It is gone already, and said why.
        }
        try {
            if (!process.waitFor(END_MINUTES, TimeUnit.MINUTES)) {
                process.destroy();
            }
            messages.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static BufferedReader reader(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    private static void listen(BufferedReader from, Consumer<String> listener) {
        try {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                listener.accept(line);
            }
        } catch (IOException e) {
            listener.accept("rejig: warning: " + e);
        }
    }

    private static void word(StringBuilder out, String word, String rest) {
        out.append(word).append(' ').append(rest.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
    }

    static String unescaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                c = text.charAt(++i);
                out.append(c == 'n' ? '\n' : c == 'r' ? '\r' : c == '0' ? '\0' : c);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
