// SPDX-License-Identifier: Apache-2.0
package rejig.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Provider;
import javax.inject.Singleton;
import org.apache.maven.eventspy.AbstractEventSpy;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.toolchain.ToolchainManager;
import org.eclipse.aether.RepositorySystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rejig.session.Environment;
import rejig.session.Key;
import rejig.session.Talk;

/**
 * Listens to a build. The first test step starts `rejig session` beside Maven; before each one it is asked what would
 * run. A step none of whose tests can be affected starts no JVM, the JVMs of the others get the recorder by their
 * environment. Whatever goes wrong is said once, and from then on the build is what it is without this extension.
 */
@Named
@Singleton
public final class RejigSpy extends AbstractEventSpy {
    private static final Logger LOG = LoggerFactory.getLogger("rejig");

    private final Provider<RepositorySystem> repositories;
    private final Provider<ToolchainManager> toolchains;
    /** By execution: the folder of its rows. */
    private final Map<Integer, String> running = new ConcurrentHashMap<>();
    private Talk talk;
    private boolean gaveUp;
    private long begun = System.currentTimeMillis();

    @Inject
    public RejigSpy(Provider<RepositorySystem> repositories, Provider<ToolchainManager> toolchains) {
        this.repositories = repositories;
        this.toolchains = toolchains;
    }

    @Override
    public void onEvent(Object happened) {
        if (!(happened instanceof ExecutionEvent)) {
            return;
        }
        ExecutionEvent event = (ExecutionEvent) happened;
        try {
            switch (event.getType()) {
                case SessionStarted:
                    begun = System.currentTimeMillis();
                    break;
                case MojoStarted:
                    begins(event);
                    break;
                case MojoSucceeded:
                    String rows = running.remove(System.identityHashCode(event.getMojoExecution()));
                    if (rows != null && talk != null) {
                        talk.good(rows);
                    }
                    break;
                case SessionEnded:
                    close();
                    break;
                default:
                    break;
            }
        } catch (Exception | LinkageError e) {
            giveUp(e);
        }
    }

    /** The build is over, or Maven is. */
    @Override
    public synchronized void close() {
        if (talk != null) {
            talk.close();
        }
        talk = null;
        gaveUp = false;
        running.clear();
    }

    private void begins(ExecutionEvent event) throws IOException {
        if (!TestStep.isOne(event.getMojoExecution()) || Environment.isNotOurs(System.getenv())) {
            return;
        }
        TestStep step = new TestStep(event.getSession(), event.getProject(), event.getMojoExecution());
        if (step.isSkipped()) {
            return;
        }
        if (step.hasNoFork()) {
            LOG.warn("rejig: {}: forkCount is 0: all tests run, nothing is recorded", step.name());
            return;
        }
        Talk with = talk(event.getSession());
        if (with == null) {
            return;
        }
        Map<String, String> own = step.ownVariables();
        Map<String, String> variables = Environment.ofTestJvm(with.variables(), System.getenv("JAVA_TOOL_OPTIONS"), own, "");
        if (variables.toString().contains("${")) {
            throw new IOException("Maven would read ${ in a variable of test JVMs as its own");
        }
        Map<String, String> all = new LinkedHashMap<>(own);
        all.putAll(variables);
        Key key = step.key(toolchains);
        if (key != null && LOG.isDebugEnabled()) {
            LOG.debug("rejig: what decides how the JVMs of {} start:\n{}", step.name(), key.lines());
        }
        Talk.Answer answer = with.begin(step.name(), key == null ? null : key.text(), all, step.withoutVariables());
        if (!answer.runs) {
            step.leaveOut(begun);
            LOG.info("rejig: no change can affect any of the {} tests of {}: no JVM is started", answer.leftOut, step.name());
            return;
        }
        variables.put("REJIG_OUT", answer.rows);
        step.setVariables(variables);
        running.put(System.identityHashCode(event.getMojoExecution()), answer.rows);
    }

    /** Null: it cannot be had, which was said. */
    private synchronized Talk talk(MavenSession session) throws IOException {
        if (talk == null && !gaveUp) {
            List<String> words = new ArrayList<>();
            if (session.getRequest().isOffline()) {
                words.add("--offline");
            }
            String more = Program.property(session, "rejig.args");
            if (more != null) {
                words.addAll(Arrays.asList(more.trim().split("\\s+")));
            }
            String program = Program.find(session, repositories);
            File folder = session.getRequest().getMultiModuleProjectDirectory();
            try {
                talk = new Talk(program, words, folder, RejigSpy::say);
            } catch (IOException e) {
                throw new IOException(program + ": " + e.getMessage(), e);
            }
        }
        return talk;
    }

    private static void say(String line) {
        if (line.startsWith("rejig: warning: ") || line.startsWith("rejig: error: ")) {
            LOG.warn(line);
        } else {
            LOG.info(line);
        }
    }

    private synchronized void giveUp(Throwable why) {
        if (!gaveUp) {
            LOG.warn("rejig: {}: all tests run, nothing is recorded", why.getMessage() == null ? why.toString() : why.getMessage());
            LOG.debug("rejig", why);
        }
        gaveUp = true;
        if (talk != null) {
            talk.close();
        }
        talk = null;
    }
}
