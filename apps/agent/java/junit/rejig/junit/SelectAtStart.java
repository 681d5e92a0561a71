// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which tests may this JVM skip? `rejig run` put a folder into the place of the skip list: the class path of this JVM
 * goes there as a file, and a skip list comes back. No answer in time and nothing is skipped.
 */
final class SelectAtStart {
    private static final long SEEN_MILLIS = 10_000;
    private static final long ANSWER_MILLIS = 300_000;
    private static final long PAUSE_MILLIS = 5;

    private SelectAtStart() {}

    /** The path of the skip list. */
    static String skipFile(String folder, String suite) throws Exception {
        File draft = File.createTempFile("jvm", ".draft", new File(folder));
        String name = draft.getPath().substring(0, draft.getPath().length() - ".draft".length());
        try (OutputStream out = new FileOutputStream(draft)) {
            out.write(question(suite).getBytes(StandardCharsets.UTF_8));
        }
        try (OutputStream out = new FileOutputStream(name + ".environ")) {
            out.write(bytes("/proc/self/environ"));
        }
        if (!draft.renameTo(new File(name + ".ask"))) {
            throw new Exception("cannot ask");
        }
        if (!appears(new File(name + ".seen"), SEEN_MILLIS) || !appears(new File(name + ".answer"), ANSWER_MILLIS)) {
            throw new Exception("rejig does not answer");
        }
        return name + ".answer";
    }

    private static boolean appears(File file, long millis) throws InterruptedException {
        // Pauses, not time: a machine that stands still, or is very busy, is no answer.
        for (long pauses = millis / PAUSE_MILLIS; !file.exists(); pauses--) {
            if (pauses == 0) {
                return false;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return true;
    }

    private static String question(String suite) throws Exception {
        StringBuilder out = new StringBuilder("rejig-ask 2\n");
        line(out, "suite", suite);
        line(out, "directory", System.getProperty("user.dir"));
        line(out, "cwd", new File("/proc/self/cwd").getCanonicalPath());
        line(out, "home", System.getProperty("java.home"));
        line(out, "pid", new File("/proc/self").getCanonicalFile().getName());
        line(out, "runner", runner());
        line(out, "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        for (String entry : classPath()) {
            line(out, "path", entry);
        }
        String[] arguments = Marks.present() ? Marks.arguments() : null;
        if (arguments == null) {
            line(out, "unknown", "what it was started with");
        } else {
            for (String argument : arguments) {
                line(out, "argument", argument);
            }
            for (ClassLoader at : new ClassLoader[] {Thread.currentThread().getContextClassLoader(), ClassLoader.getSystemClassLoader()}) {
                line(out, "assertions", at == null ? "none" : Marks.asserts(at));
            }
        }
        for (String word : mainWords()) {
            line(out, "main", word);
        }
        for (String name : new TreeSet<>(System.getProperties().stringPropertyNames())) {
            line(out, "property", name + "=" + System.getProperty(name, ""));
        }
        return out.append("end\n").toString();
    }

    /** The main class or archive, and what it was told. */
    private static List<String> mainWords() throws Exception {
        String command = System.getProperty("sun.java.command", "");
        // As the kernel has them words keep their blanks, but argument files stay what they are.
        String[] words = new String(bytes("/proc/self/cmdline"), "UTF-8").split("\0", -1);
        StringBuilder tail = new StringBuilder();
        for (int i = words.length - 2; i > 0; i--) {
            tail.insert(0, words[i]);
            if (tail.toString().equals(command)) {
                return Arrays.asList(words).subList(i, words.length - 1);
            }
            tail.insert(0, ' ');
        }
        return Arrays.asList(command.split(" "));
    }

    private static byte[] bytes(String file) throws Exception {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (InputStream in = new FileInputStream(file)) {
            byte[] piece = new byte[8192];
            for (int n = in.read(piece); n > 0; n = in.read(piece)) {
                read.write(piece, 0, n);
            }
        }
        return read.toByteArray();
    }

    /** The build tool whose worker this JVM is; empty on a command line. */
    private static String runner() {
        if (System.getProperty("surefire.test.class.path") != null || System.getProperty("surefire.real.class.path") != null) {
            return "surefire";
        }
        return System.getProperty("org.gradle.test.worker") != null ? "gradle" : "";
    }

    private static void line(StringBuilder out, String key, String value) throws Exception {
        if (value == null) {
            throw new Exception("no usable " + key);
        }
        out.append(key).append(' ');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\') {
                out.append("\\\\");
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c == '\r') {
                out.append("\\r");
            } else if (c == '\0') {
                out.append("\\0");
            } else if (Character.isHighSurrogate(c) && i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))) {
                out.append(c).append(value.charAt(++i));
            } else if (Character.isSurrogate(c)) { // has no UTF-8
                out.append("\\u").append(Integer.toHexString(c));
            } else {
                out.append(c);
            }
        }
        out.append('\n');
    }

    /** As classes are looked for: the JVM's own, then those of the loaders that the runner made. */
    private static Set<String> classPath() throws Exception {
        Set<String> out = new LinkedHashSet<>();
        for (String key : new String[] {"java.class.path", "surefire.test.class.path", "jdk.module.path"}) {
            for (String entry : System.getProperty(key, "").split(File.pathSeparator)) {
                if (!entry.isEmpty()) {
                    out.add(new File(entry).getAbsolutePath());
                }
            }
        }
        List<ClassLoader> loaders = new ArrayList<>();
        for (ClassLoader at = Thread.currentThread().getContextClassLoader(); at != null; at = at.getParent()) {
            loaders.add(0, at);
        }
        for (ClassLoader loader : loaders) {
            if (!(loader instanceof URLClassLoader)) {
                continue;
            }
            for (URL url : ((URLClassLoader) loader).getURLs()) {
                if (!url.getProtocol().equals("file")) {
                    throw new Exception("a class path with " + url.getProtocol() + " URLs");
                }
                out.add(new File(url.toURI()).getAbsolutePath());
            }
        }
        return out;
    }
}
