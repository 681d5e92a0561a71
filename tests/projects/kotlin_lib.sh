# SPDX-License-Identifier: Apache-2.0
# Tests in Kotlin of a program in Java: sourced behind lib.sh by what sets `api`.
stdlib=$ARTIFACTS/kotlin-stdlib-2.1.21.jar
compiler=$(printf '%s:' "$ARTIFACTS"/kotlin-*.jar "$ARTIFACTS"/kotlinx-*.jar "$ARTIFACTS"/trove4j-*.jar "$ARTIFACTS"/annotations-*.jar)
# The compiler takes seconds: only when a source of the tests is new.
compile() {
  rm -rf main
  mkdir -p main
  javac -g -d main src/p/*.java || exit 1
  cp -r resources/. main/
  if [ ! -d tests ] || [ -n "$(find test -newer tests/compiled -name '*.kt')" ]; then
    rm -rf tests
    java -XX:TieredStopAtLevel=1 -cp "$compiler" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect \
      -cp "main:$api" -d tests test/p || exit 1
    touch tests/compiled
  fi
}
