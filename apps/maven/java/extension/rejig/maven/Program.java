// SPDX-License-Identifier: Apache-2.0
package rejig.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.inject.Provider;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/** Where is rejig? The property rejig.exe says it, else it is on the PATH, else it is an artefact of a repository. */
final class Program {
    private Program() {}

    static String find(MavenSession session, Provider<RepositorySystem> system) throws IOException {
        String named = property(session, "rejig.exe");
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
        return resolved(session, system);
    }

    /** Of the command line, else of the project at the top. */
    static String property(MavenSession session, String name) {
        String value = session.getUserProperties().getProperty(name);
        if (value == null && session.getTopLevelProject() != null) {
            value = session.getTopLevelProject().getProperties().getProperty(name);
        }
        return value == null || value.isEmpty() ? null : value;
    }

    private static String resolved(MavenSession session, Provider<RepositorySystem> system) throws IOException {
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        String name = System.getProperty("os.name").toLowerCase() + "-" + machine;
        DefaultArtifact wanted = new DefaultArtifact("rejig", "rejig", name, "exe", version());
        ArtifactRequest request = new ArtifactRequest(wanted, repositories(session), "rejig");
        try {
            File file = system.get().resolveArtifact(session.getRepositorySession(), request).getArtifact().getFile();
            if (!file.canExecute() && !file.setExecutable(true)) {
                throw new IOException(file + " cannot be made to run");
            }
            return file.getAbsolutePath();
        } catch (ArtifactResolutionException e) {
            throw new IOException("there is no rejig: not as -Drejig.exe, not on the PATH, and not as " + wanted);
        }
    }

    private static List<RemoteRepository> repositories(MavenSession session) {
        Map<String, RemoteRepository> all = new LinkedHashMap<>();
        MavenProject top = session.getTopLevelProject();
        if (top == null) {
            return Collections.emptyList();
        }
        for (List<RemoteRepository> some : Arrays.asList(top.getRemotePluginRepositories(), top.getRemoteProjectRepositories())) {
            for (RemoteRepository one : some) {
                all.putIfAbsent(one.getId(), one);
            }
        }
        return new ArrayList<>(all.values());
    }

    private static String version() throws IOException {
        try (InputStream in = Program.class.getResourceAsStream("/rejig/maven/version")) {
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        }
    }
}
