#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gradle.sh REJIG MAKE_STORE JARS FILTER_JAR: the init script skips what the skip list names, also when Gradle
# believes that nothing has changed. TestNG, which every Gradle can run.
. "$(dirname "$0")/lib.sh" "$1" "$2"
jars=$3
REJIG_FILTER_JAR=$4
REJIG_SKIP_FILE=$work/skip.txt
GRADLE_USER_HOME=$work/gradle-home
GRADLE_OPTS=-Dorg.gradle.daemon=false
export GRADLE_OPTS REJIG_FILTER_JAR REJIG_SKIP_FILE GRADLE_USER_HOME
mkdir -p project/src/test $classes
cp -r "$here/testng/src" project/src/test/java
path="$jars/testng-7.5.1.jar:$jars/jcommander-1.82.jar:$jars/slf4j-api-1.7.36.jar:$jars/jquery-3.5.1.jar"
javac -g -proc:none -d $classes -cp "$path" $(find project -name '*.java') || exit 1
cat > project/build.gradle <<END
apply plugin: 'java'
dependencies { testCompile files('$(echo "$path" | sed "s/:/', '/g")') }
test { useTestNG() }
END
cat > project/settings.gradle <<'END'
rootProject.name = 'runners'
END
gradle_test() {
  (cd project && gradle --offline --console plain -q -I ../rejig.init.gradle test) > gradle.log 2>&1 || { cat gradle.log >&2; exit 1; }
}
store 'n.OtherTest#other()'
emit gradle-init rejig.init.gradle --emit skip-list=skip.txt
gradle_test
ran "Gradle: what the list names is skipped, but for what others depend on" 'n.OtherTest#other()' 'n.DepTest#two()'
store 'n.DepTest#two()'
emit gradle-init rejig.init.gradle --emit skip-list=skip.txt
gradle_test
ran "Gradle: another list, nothing else changed" 'n.DepTest#two()'
rm skip.txt
gradle_test
ran "Gradle: without the list everything runs" 'n.DepTest#two()' 'n.DepTest#dep()' 'n.OtherTest#other()'

done_testing
