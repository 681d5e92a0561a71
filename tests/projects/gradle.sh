#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gradle.sh ENGINE LIFE HOW: a Gradle project. ENGINE: junit4 or testng. HOW:
# clean (`cleanTest test`), init (an init script says that tests are never up to
# date), forks (as clean, two workers at a time and one for each class).
. "$(dirname "$0")/lib.sh"
GRADLE_USER_HOME=$work/gradle-home
export GRADLE_USER_HOME
compile() { :; }
killed_exit=1
killed_ran=
tasks='cleanTest test'
more=
case $3 in
  init)
    tasks="-I $work/always.gradle test"
    echo 'allprojects { tasks.withType(Test) { outputs.upToDateWhen { false } } }' >always.gradle ;;
  forks) more='maxParallelForks = 2; forkEvery = 1' ;;
esac
command="gradle --offline --console plain $tasks"
case $1 in
  junit4)
    jars="'$ARTIFACTS/junit-4.13.2.jar', '$ARTIFACTS/hamcrest-core-1.3.jar'"
    use=
    imports='import org.junit.Test;
import static org.junit.Assert.assertEquals;' ;;
  testng)
    jars="'$ARTIFACTS/testng-7.5.1.jar', '$ARTIFACTS/jcommander-1.82.jar', '$ARTIFACTS/slf4j-api-1.7.36.jar'"
    use='useTestNG()'
    imports='import org.testng.annotations.Test;
import static org.testng.Assert.assertEquals;' ;;
esac
program
mkdir project
mv src test resources project
cd project || exit 1
cat >build.gradle <<GRADLE
apply plugin: 'java'
sourceSets {
  main { java.srcDirs = ['src']; resources.srcDirs = ['resources'] }
  test { java.srcDirs = ['test']; resources.srcDirs = [] }
}
dependencies { testCompile files($jars) }
test {
  $use
  $more
  testLogging.showStandardStreams = true
}
GRADLE
test_class "$imports" public
"$2"
done_with
