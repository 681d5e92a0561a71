// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.tasks.testing;

import java.io.File;
import java.util.List;
import java.util.Map;
import org.gradle.api.Task;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.FileTree;

public abstract class Test implements Task {
    public abstract File getWorkingDir();

    public abstract String getExecutable();

    public abstract boolean getDebug();

    public abstract List<String> getAllJvmArgs();

    public abstract Map<String, Object> getEnvironment();

    public abstract Test environment(Map<String, ?> variables);

    public abstract FileCollection getTestClassesDirs();

    public abstract FileTree getCandidateClassFiles();

    public abstract FileCollection getClasspath();
}
