// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import rejig.gradle.ConfigurationCacheTest;
import rejig.session.Environment;
import rejig.session.Key;
import rejig.session.Talk;

/** What the plugins of build tools are made of, without a build tool. usage: BuildToolsTest REJIG */
public final class BuildToolsTest {
    private static int failures;

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "FAILED ") + name);
        failures += good ? 0 : 1;
    }

    private static Map<String, String> map(String... words) {
        Map<String, String> out = new TreeMap<>();
        for (int i = 0; i < words.length; i += 2) {
            out.put(words[i], words[i + 1]);
        }
        return out;
    }

    private static void environment() {
        check("switched off", Environment.isNotOurs(map("REJIG_OFF", "1")));
        check("0 is not off", !Environment.isNotOurs(map("REJIG_OFF", "0")) && !Environment.isNotOurs(map("REJIG_OFF", "")));
        check("below rejig run", Environment.isNotOurs(map("REJIG_SKIP_FILE", "x")));
        check("elsewhere", !Environment.isNotOurs(map("PATH", "x")));
        Map<String, String> session = map("JAVA_TOOL_OPTIONS", "-agentpath:a -Dfrom=outside", "REJIG_INTERNAL", "", "GRADLE_OPTS", "x", "REJIG_OUT", "all");
        Map<String, String> plain = Environment.ofTestJvm(session, "-Dfrom=outside", map(), "rows/1");
        check("what a JVM gets", plain.equals(map("JAVA_TOOL_OPTIONS", "-agentpath:a -Dfrom=outside", "REJIG_OUT", "rows/1")));
        Map<String, String> own = Environment.ofTestJvm(session, "-Dfrom=outside", map("JAVA_TOOL_OPTIONS", "-Downs=1"), "rows/1");
        check("a build that has options of its own", own.get("JAVA_TOOL_OPTIONS").equals("-agentpath:a -Downs=1"));
        check("and no others outside", Environment.ofTestJvm(map("JAVA_TOOL_OPTIONS", "-agentpath:a"), null, map("JAVA_TOOL_OPTIONS", "-Downs=1"), "r")
                .get("JAVA_TOOL_OPTIONS").equals("-agentpath:a -Downs=1"));
    }

    private static void keys(Path work) throws IOException {
        Path tests = Files.createDirectories(work.resolve("classes/p"));
        Path file = tests.resolve("A.class");
        Files.write(file, new byte[] {1});
        String first = key(work, map(), "value");
        check("the same twice", first.equals(key(work, map(), "value")));
        check("another value", !first.equals(key(work, map(), "other")));
        check("a variable that tests see is compared elsewhere", first.equals(key(work, map("BUILD_NUMBER", "7"), "value")));
        for (String name : new String[] {"LC_ALL", "TZ", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "HOME", "LD_PRELOAD"}) {
            check("a variable that a JVM reads: " + name, !first.equals(key(work, map(name, "x"), "value")));
        }
        Files.write(file, new byte[] {2});
        check("another test class", !first.equals(key(work, map(), "value")));
        Files.write(file, new byte[] {1});
        check("and back", first.equals(key(work, map(), "value")));
        Files.write(tests.resolve("new.txt"), new byte[0]);
        check("a file more beside the test classes", !first.equals(key(work, map(), "value")));
        Path options = work.resolve("options");
        Files.write(options, "a".getBytes(StandardCharsets.UTF_8));
        String named = key(work, map(), "-x @" + options);
        Files.write(options, "b".getBytes(StandardCharsets.UTF_8));
        check("the content of a file that a value names", !named.equals(key(work, map(), "-x @" + options)));
        check("names and values do not run together", !new Key(map()).put("a", "b=c").text().equals(new Key(map()).put("a=b", "c").text())
                && !new Key(map()).put("a", "b\nc=d").text().equals(new Key(map()).put("a", "b").put("c", "d").text()));
    }

    private static String key(Path work, Map<String, String> variables, String value) throws IOException {
        return new Key(variables).putWithFiles("option", value).putTree("test classes", work.resolve("classes").toFile()).text();
    }

    private static String program(Path work, String name, String text) throws IOException {
        Path out = work.resolve(name);
        Files.write(out, ("#!/bin/sh\n" + text).getBytes(StandardCharsets.UTF_8));
        out.toFile().setExecutable(true);
        return out.toString();
    }

    private static boolean refuses(String program, List<String> words, File folder) {
        try (Talk talk = new Talk(program, words, folder, line -> { })) {
            talk.begin("step", "key", map(), Collections.<String>emptyList());
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void talks(Path work, String rejig) throws IOException {
        File folder = work.resolve("project").toFile();
        check("a project", folder.mkdir());
        List<String> none = Collections.emptyList();
        check("a program that is not there", refuses(work + "/nothing", none, folder));
        check("one that says nothing", refuses("/bin/true", none, folder));
        check("one of another version", refuses(program(work, "other", "echo rejig-session 2; echo ready; cat >/dev/null\n"), none, folder));
        check("one that breaks off", refuses(program(work, "broken", "echo rejig-session 1; echo variable A=b\n"), none, folder));
        check("one that breaks off later", refuses(program(work, "later", "echo rejig-session 1; echo ready\n"), none, folder));
        check("one that answers something else", refuses(program(work, "odd", "echo rejig-session 1; echo ready; echo perhaps; cat >/dev/null\n"), none, folder));
        check("an option that rejig does not know", refuses(rejig, Arrays.asList("--no-such"), folder));

        List<String> said = new ArrayList<>();
        Talk talk = new Talk(rejig, none, folder, line -> { synchronized (said) { said.add(line); } });
        check("the recorder is among the variables", talk.variables().get("JAVA_TOOL_OPTIONS").contains("librejig-agent") && talk.variables().containsKey("REJIG_SKIP_FILE"));
        Talk.Answer answer = talk.begin("a step\nof two lines \\ and more", "key", map("A", "b\nc"), Arrays.asList("D"));
        check("what nobody knows runs", answer.runs && new File(answer.rows).isDirectory());
        Talk.Answer another = talk.begin("another", null, map(), none);
        check("each has a folder of its own", another.runs && !another.rows.equals(answer.rows));
        talk.good(answer.rows);
        talk.close();
        talk.close();
        check("it says that nothing was recorded", said.toString().contains("no tests were recorded"));
        check("and leaves no folder of the run", !new File(answer.rows).exists());
    }

    public static void main(String[] words) throws IOException {
        Path work = Files.createTempDirectory("build-tools");
        environment();
        keys(work);
        talks(work, words[0]);
        ConfigurationCacheTest.run(BuildToolsTest::check);
        System.exit(failures == 0 ? 0 : 1);
    }
}
