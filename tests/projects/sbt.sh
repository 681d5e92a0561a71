#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbt.sh ENGINE LIFE [FORK]: an sbt project. ENGINE: junit4 (junit-interface), jupiter (jupiter-interface with its plugin, which looks
# for tests in sbt's own JVM), munit (in Scala, on JUnit 4) or scalatest (in Scala, a runner that the recorder does not know). FORK:
# once (default), each (a JVM for each class), parallel (classes at the same time in one JVM), or no (in sbt's own JVM). What sbt
# fetches stays beside its launcher, so that it is fetched once.
. "$(dirname "$0")/lib.sh"
engine=$1
sbt=$ARTIFACTS/../sbt
compile() { :; }
killed_exit=1
mkdir project
echo 'sbt.version=1.10.7' >project/build.properties
case $engine in
  junit4)
    interface='"com.github.sbt" % "junit-interface" % "0.13.3"'
    imports='import org.junit.Test;
import static org.junit.Assert.assertEquals;' ;;
  jupiter)
    echo 'addSbtPlugin("com.github.sbt.junit" % "sbt-jupiter-interface" % "0.13.3")' >project/plugins.sbt
    interface='"com.github.sbt.junit" % "jupiter-interface" % JupiterKeys.jupiterVersion.value'
    imports='import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ;;
  munit) interface='"org.scalameta" %% "munit" % "1.0.0"' ;;
  scalatest) interface='"org.scalatest" %% "scalatest-funsuite" % "3.2.19"' ;;
esac
language='autoScalaLibrary := false
crossPaths := false'
case $engine in munit|scalatest) language='scalaVersion := "2.13.15"' ;; esac
forking='Test / fork := true'
case ${3:-once} in
  each) forking="$forking
Test / testGrouping := (Test / definedTests).value.map(t => Tests.Group(t.name, Seq(t),
  Tests.SubProcess((Test / forkOptions).value.withWorkingDirectory(baseDirectory.value))))" ;;
  parallel) at_least=1
    forking="$forking
Test / testForkedParallel := true" ;;
  no) forking='Test / fork := false' ;;
esac
cat >build.sbt <<SBT
$language
Compile / javaSource := baseDirectory.value / "src"
Compile / resourceDirectory := baseDirectory.value / "resources"
Test / javaSource := baseDirectory.value / "test"
Test / scalaSource := baseDirectory.value / "test"
libraryDependencies += $interface % Test
$forking
SBT
# Where to fetch from: as the user's own sbt does, else Maven Central only.
repositories=${HOME:-}/.sbt/repositories
if [ ! -f "$repositories" ]; then
  repositories=$work/repositories
  printf '[repositories]\n  maven-central\n' >"$repositories"
fi
# Nothing in the user's home, no server that a later round would meet, and a JVM that lives too shortly to compile itself.
command="java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Duser.home=$work/home -Dsbt.global.base=$work/global -Dsbt.server.autostart=false \
  -Dsbt.boot.directory=$sbt/boot -Dsbt.coursier.home=$sbt/coursier -Dcoursier.cache=$sbt/coursier/v1 \
  -Dsbt.override.build.repos=true -Dsbt.repository.config=$repositories -Dsbt.color=false -Dsbt.supershell=false \
  -jar $sbt/sbt-launch-1.10.7.jar test </dev/null"
program
# scala_class NAME BASE TEST...: the same tests in Scala.
scala_class() {
  printf 'package p\nclass %s extends %s {\n' "$1" "$2"
  shift 2
  for test in "$@"; do
    case $test in
      add) does='assert(new Calc().add(2, 3) == 5)' ;;
      mul) does='assert(new Calc().mul(2, 3) == 6)' ;;
      who) does='assert(new Derived().who().length == 4)' ;;
      config) does='assert(Config.read().length == 3)' ;;
      kill) does= ;;
      data) does='val in = new java.io.FileInputStream("data.txt"); try assert(in.read() == 50) finally in.close()' ;;
    esac
    printf '  test("%s") { ran("%s"); %s }\n' "$test" "$test" "$does"
  done
  # Away from the lines that munit shows of a failure.
  printf '\n\n  def ran(name: String) = println("RAN:" + name)\n}\n'
}
# Two classes: two tasks of sbt's, some with nothing left to run.
case $engine in
  munit|scalatest)
    base=munit.FunSuite
    [ "$engine" = munit ] || base=org.scalatest.funsuite.AnyFunSuite
    scala_class CalcTest $base add mul kill data >test/p/CalcTest.scala
    scala_class OtherTest $base who config >test/p/OtherTest.scala ;;
  *)
    test_class "$imports" public
    sed 's/CalcTest/OtherTest/; /void [damk]/d' test/p/CalcTest.java >test/p/OtherTest.java
    sed -i '/void [wc]/d' test/p/CalcTest.java ;;
esac
# The file that `rejig select --emit sbt` writes takes whole classes away.
emitted() {
  echo 2 >data.txt
  expect 'first run' 0 add mul who config kill data
  cp -r target/classes old
  cp -r target/test-classes tests
  sed -i 's/return a \* b/return b * a + 0/' src/p/Calc.java
  mkdir new
  javac -d new src/p/*.java || exit 1
  cp resources/config.txt new/
  jars=$(find "$sbt" -name 'junit-4*.jar' -o -name 'hamcrest-core-*.jar' | tr '\n' ':')
  "$REJIG" select old:tests new:tests --coverage .rejig/matrix.db --lib "$jars" -q -o /dev/null --emit sbt=rejig.sbt || exit 1
  flags=--all
  expect 'the emitted file' 0 add mul kill data
}
"$2"
[ "$2" != everything ] || says_why
done_with
