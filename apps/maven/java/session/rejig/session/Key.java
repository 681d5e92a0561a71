// SPDX-License-Identifier: Apache-2.0
package rejig.session;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The digest of all that decides how the test JVMs of a step are started and which test classes they find: who has the
 * same key starts JVMs that would ask the same. Too much in it costs a JVM, too little could cost a test: what is not
 * understood goes in as it stands. Other variables than those below are compared by rejig itself, as the tests saw them.
 */
public final class Key {
    private static final String[] VARIABLES = {"JAVA", "JDK_", "_JAVA", "LANG", "LC_", "TZ", "HOME", "USER", "LOGNAME", "CLASSPATH", "LD_"};
    private static final String[] PROPERTIES = {"java.", "os.", "user.", "file.", "path.", "line.", "native.", "sun.", "jdk."};

    private final TreeSet<String> lines = new TreeSet<>();

    /** Of a machine, a user and a JDK, as far as a JVM shows them to its children; of variables those that decide. */
    public Key(Map<String, ?> variables) {
        for (Map.Entry<String, ?> one : variables.entrySet()) {
            if (startsWithAny(one.getKey(), VARIABLES)) {
                put("variable " + one.getKey(), String.valueOf(one.getValue()));
            }
        }
        for (String name : System.getProperties().stringPropertyNames()) {
            if (startsWithAny(name, PROPERTIES) && !name.equals("sun.java.command") && !name.equals("java.class.path") && !name.equals("user.timezone")) {
                put("property " + name, System.getProperty(name));
            }
        }
        put("zone", TimeZone.getDefault().getID());
        put("locale", Locale.getDefault().toString());
        put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    }

    public Key put(String name, String value) {
        lines.add(escaped(name) + "=" + escaped(String.valueOf(value)));
        return this;
    }

    /** A value; of a file that it names, the content, too. */
    public Key putWithFiles(String name, String value) throws IOException {
        put(name, value);
        for (String word : value.split("[\\s,:=@]+")) {
            File file = new File(word);
            if (file.isAbsolute() && file.isFile()) {
                put(name + " " + word, digestOf(file.toPath()));
            }
        }
        return this;
    }

    /** All files below a folder, by name and content. */
    public Key putTree(String name, File folder) throws IOException {
        Map<String, String> all = new TreeMap<>();
        if (folder.isDirectory()) {
            Path root = folder.toPath();
            List<Path> files;
            try (Stream<Path> found = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
                files = found.filter(Files::isRegularFile).collect(Collectors.toList());
            }
            for (Path file : files) {
                all.put(root.relativize(file).toString(), digestOf(file));
            }
        }
        return put(name, all.toString());
    }

    /** What went in, a line each: for whoever asks why a JVM was started. */
    public String lines() {
        return String.join("\n", lines);
    }

    public String text() {
        return hex(sha256().digest(lines().getBytes(StandardCharsets.UTF_8)));
    }

    private static String digestOf(Path file) throws IOException {
        return hex(sha256().digest(Files.readAllBytes(file)));
    }

    private static boolean startsWithAny(String name, String[] heads) {
        for (String head : heads) {
            if (name.startsWith(head)) {
                return true;
            }
        }
        return false;
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("=", "\\=");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private static String hex(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (byte b : bytes) {
            out.append(String.format("%02x", b & 0xff));
        }
        return out.toString();
    }
}
