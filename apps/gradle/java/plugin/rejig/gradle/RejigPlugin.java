// SPDX-License-Identifier: Apache-2.0
package rejig.gradle;

import org.gradle.BuildResult;
import org.gradle.api.Action;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.initialization.Settings;
import org.gradle.api.invocation.Gradle;
import org.gradle.api.logging.Logging;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.testing.Test;
import rejig.session.Environment;

/**
 * Binds the test tasks of a build to a session: by an init script, or by the settings of a project. Gradle compares
 * actions by their class and cannot compare lambdas: there are none.
 */
public final class RejigPlugin implements Plugin<Object> {
    @Override
    public void apply(Object target) {
        if (Environment.isNotOurs(System.getenv())) {
            return;
        }
        Gradle gradle = target instanceof Settings ? ((Settings) target).getGradle() : (Gradle) target;
        if (ConfigurationCache.isOn(gradle.getStartParameter())) {
            Logging.getLogger("rejig").warn("rejig: the configuration cache is on, and knows no end of a build: all tests run, nothing is recorded");
            return;
        }
        TestTasks tasks = new TestTasks(gradle);
        gradle.allprojects(new Action<Project>() {
            @Override
            public void execute(Project project) {
                project.getTasks().withType(Test.class, new Action<Test>() {
                    @Override
                    public void execute(Test test) {
                        bind(test, tasks);
                    }
                });
            }
        });
        gradle.buildFinished(new Action<BuildResult>() {
            @Override
            public void execute(BuildResult result) {
                tasks.close();
            }
        });
    }

    private static void bind(Test test, TestTasks tasks) {
        // A task that left tests out is up to date, but not for a build without rejig, nor for anybody's cache.
        test.getInputs().property("rejig", "1");
        test.getOutputs().doNotCacheIf("rejig may have left tests out", new Spec<Task>() {
            @Override
            public boolean isSatisfiedBy(Task task) {
                return true;
            }
        });
        test.onlyIf(new Spec<Task>() {
            @Override
            public boolean isSatisfiedBy(Task task) {
                return tasks.runs(test);
            }
        });
        test.doFirst(new Action<Task>() {
            @Override
            public void execute(Task task) {
                tasks.begins(test);
            }
        });
        test.doLast(new Action<Task>() {
            @Override
            public void execute(Task task) {
                tasks.wentWell(test);
            }
        });
    }
}
