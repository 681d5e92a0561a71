// SPDX-License-Identifier: Apache-2.0
package rejig.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.inject.Provider;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import rejig.session.Key;

/**
 * One execution of Surefire or Failsafe, before it begins: what its parameters come to, and what of them is changed. Only
 * `environmentVariables` and `skipTests` are, in the configuration that Maven has merged for this execution.
 */
final class TestStep {
    private static final Pattern LATE = Pattern.compile("@\\{([^}]+)\\}");

    /** Their content is the program, which rejig compares, or what the step says at its end. */
    private static final List<String> COMPARED_OR_WRITTEN = Arrays.asList("classesDirectory", "summaryFile");

    private final MavenSession session;
    private final MavenProject project;
    private final MojoExecution execution;
    private final PluginParameterExpressionEvaluator evaluator;
    private final Xpp3Dom configuration;

    TestStep(MavenSession session, MavenProject project, MojoExecution execution) {
        this.session = session;
        this.project = project;
        this.execution = execution;
        this.evaluator = new PluginParameterExpressionEvaluator(session, execution);
        Xpp3Dom there = execution.getConfiguration();
        this.configuration = there != null ? there : new Xpp3Dom("configuration");
    }

    static boolean isOne(MojoExecution execution) {
        String plugin = execution.getArtifactId();
        return execution.getGroupId().equals("org.apache.maven.plugins")
                && (plugin.equals("maven-surefire-plugin") && execution.getGoal().equals("test")
                        || plugin.equals("maven-failsafe-plugin") && execution.getGoal().equals("integration-test"));
    }

    String name() {
        return project.getGroupId() + ":" + project.getArtifactId() + " " + execution.getArtifactId() + ":" + execution.getGoal() + " " + execution.getExecutionId();
    }

    /** The step does nothing by itself. */
    boolean isSkipped() throws IOException {
        for (String name : new String[] {"skip", "skipTests", "skipExec", "skipITs"}) {
            if ("true".equals(value(name))) {
                return true;
            }
        }
        Xpp3Dom elsewhere = configuration.getChild("dependenciesToScan");
        return (elsewhere == null || elsewhere.getChildCount() == 0)
                && !new File(value("testClassesDirectory", project.getBuild().getTestOutputDirectory())).isDirectory();
    }

    /** Tests run in Maven's own JVM. */
    boolean hasNoFork() throws IOException {
        return "0".equals(value("forkCount")) || "never".equals(value("forkMode"));
    }

    /** Null: nothing can be foreseen. Who names tests must be told when there are none; who debugs waits for a JVM. */
    Key key(Provider<ToolchainManager> toolchains) throws IOException {
        for (String name : new String[] {"test", "dependenciesToScan", "debugForkedProcess"}) {
            Xpp3Dom child = configuration.getChild(name);
            if (child != null && (child.getChildCount() != 0 || !value(name, "").isEmpty() && !"false".equals(value(name)))) {
                return null;
            }
        }
        if (session.getUserProperties().getProperty("test") != null || session.getUserProperties().getProperty("it.test") != null) {
            return null;
        }
        Key key = new Key(System.getenv());
        key.put("plugin", execution.getGroupId() + ":" + execution.getArtifactId() + ":" + execution.getVersion());
        key.put("step", name());
        key.put("folder", project.getBasedir().getPath());
        if (execution.getPlugin() != null) {
            for (Dependency one : execution.getPlugin().getDependencies()) {
                key.put("plugin dependency " + one.getManagementKey(), one.getVersion());
            }
        }
        try {
            int at = 0;
            for (String entry : project.getTestClasspathElements()) {
                key.put("class path " + at++, entry);
            }
        } catch (Exception e) {
            throw new IOException("no class path is known: " + e);
        }
        for (String name : session.getUserProperties().stringPropertyNames()) {
            if (!name.startsWith("rejig.")) {
                key.putWithFiles("user property " + name, session.getUserProperties().getProperty(name));
            }
        }
        key.put("repository", String.valueOf(session.getRequest().getLocalRepositoryPath()));
        String toolchain = toolchain(toolchains);
        if (toolchain == null) {
            return null;
        }
        key.put("toolchain", toolchain);
        key.putWithFiles("toolchains", session.getRequest().getUserToolchainsFile() + " " + session.getRequest().getGlobalToolchainsFile());
        add(key, "parameter", configuration);
        key.putTree("test classes", new File(value("testClassesDirectory", project.getBuild().getTestOutputDirectory())));
        return key;
    }

    /** Maven 4 does not say it before a step has begun: then nobody may have chosen one. Null: it is not known. */
    private String toolchain(Provider<ToolchainManager> toolchains) {
        try {
            Toolchain chosen = toolchains.get().getToolchainFromBuildContext("jdk", session);
            return chosen == null ? "none" : chosen + " " + chosen.findTool("java");
        } catch (RuntimeException | LinkageError e) {
            for (Plugin plugin : project.getBuildPlugins()) {
                if (plugin.getArtifactId().contains("toolchain")) {
                    return null;
                }
            }
            return "none";
        }
    }

    private void add(Key key, String name, Xpp3Dom dom) throws IOException {
        String path = name + "/" + dom.getName();
        String text = valueOf(dom);
        if (text != null && COMPARED_OR_WRITTEN.contains(dom.getName())) {
            key.put(path, text);
        } else if (text != null) {
            key.putWithFiles(path, text);
        }
        int at = 0;
        for (Xpp3Dom child : dom.getChildren()) {
            add(key, path + "[" + at++ + "]", child);
        }
    }

    /** By the variables that the build gives to the JVM. */
    Map<String, String> ownVariables() throws IOException {
        Map<String, String> out = new LinkedHashMap<>();
        Xpp3Dom all = configuration.getChild("environmentVariables");
        if (all != null) {
            for (Xpp3Dom one : all.getChildren()) {
                out.put(one.getName(), valueOf(one) == null ? "" : valueOf(one));
            }
        }
        return out;
    }

    List<String> withoutVariables() throws IOException {
        List<String> out = new ArrayList<>();
        Xpp3Dom all = configuration.getChild("excludedEnvironmentVariables");
        if (all != null) {
            for (Xpp3Dom one : all.getChildren()) {
                out.add(valueOf(one));
            }
            if (all.getChildCount() == 0) {
                out.addAll(Arrays.asList(String.valueOf(valueOf(all)).split(",")));
            }
        }
        return out;
    }

    void setVariables(Map<String, String> variables) {
        Xpp3Dom all = configuration.getChild("environmentVariables");
        if (all == null) {
            configuration.addChild(new Xpp3Dom("environmentVariables"));
            all = configuration.getChild("environmentVariables");
        }
        for (Map.Entry<String, String> one : variables.entrySet()) {
            put(all, one.getKey(), one.getValue());
        }
        execution.setConfiguration(configuration);
    }

    /**
     * No JVM is started. What Failsafe said of another build would be read as the outcome of this one: it goes, as if
     * tests had been run and there were none.
     */
    void leaveOut(long begun) throws IOException {
        put(configuration, "skipTests", "true");
        execution.setConfiguration(configuration);
        String summary = value("summaryFile");
        if (summary != null) {
            File file = new File(summary);
            if (file.isFile() && file.lastModified() < begun) {
                file.delete();
            }
        }
    }

    private static void put(Xpp3Dom where, String name, String value) {
        Xpp3Dom child = where.getChild(name);
        if (child == null) {
            where.addChild(new Xpp3Dom(name));
            child = where.getChild(name);
        }
        child.setValue(value);
    }

    private String value(String name) throws IOException {
        Xpp3Dom child = configuration.getChild(name);
        return child == null ? null : valueOf(child);
    }

    private String value(String name, String otherwise) throws IOException {
        String value = value(name);
        return value == null ? otherwise : value;
    }

    private String valueOf(Xpp3Dom dom) throws IOException {
        Object value = evaluated(dom.getValue());
        return text(value == null ? evaluated(dom.getAttribute("default-value")) : value);
    }

    private Object evaluated(String expression) throws IOException {
        if (expression == null) {
            return null;
        }
        try {
            return evaluator.evaluate(expression);
        } catch (Exception e) {
            throw new IOException("what is " + expression + "? " + e);
        }
    }

    private String text(Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof Collection) {
            StringBuilder out = new StringBuilder();
            for (Object one : (Collection<?>) value) {
                out.append(text(one)).append(',');
            }
            return out.toString();
        }
        if (value instanceof Map) {
            Map<String, String> out = new TreeMap<>();
            for (Map.Entry<?, ?> one : ((Map<?, ?>) value).entrySet()) {
                out.put(String.valueOf(one.getKey()), text(one.getValue()));
            }
            return out.toString();
        }
        if (value instanceof File || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        return value instanceof String ? late((String) value) : value.getClass().getName();
    }

    /** `@{argLine}`: Surefire reads it when its time has come, from the project or from the command line. */
    private String late(String text) {
        Matcher at = LATE.matcher(text);
        StringBuffer out = new StringBuffer();
        while (at.find()) {
            String value = session.getUserProperties().getProperty(at.group(1));
            if (value == null) {
                value = project.getProperties().getProperty(at.group(1));
            }
            at.appendReplacement(out, Matcher.quoteReplacement(value == null ? at.group() : value));
        }
        return at.appendTail(out).toString();
    }
}
