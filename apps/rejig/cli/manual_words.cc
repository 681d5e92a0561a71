// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/manual_words.h"

#include <cstddef>
#include <string>

namespace rejig::app {

namespace {

// `commands`: blanks around each name; "" for every command.
struct Row {
  std::string_view commands;
  ManualWord word;
};

constexpr Row kExamples[] = {
    {" diff ", {"rejig diff old.jar new.jar", "what changed in behaviour, one screen of it"}},
    {" diff ", {"rejig diff old.jar new.jar --show JndiManager.lookup", "both listings of one method"}},
    {" diff ", {"rejig diff old.jar new.jar --format html -o report.html", "a page to open in a browser"}},
    {" diff ", {"git difftool -y -x 'rejig diff --no-pager' HEAD~1 -- '*.class'", "class files that are kept in git"}},
    {" upgrade ", {"rejig upgrade target/classes jackson-2.15.jar jackson-2.17.jar", "what of mine breaks or runs other code"}},
    {" upgrade ", {"rejig upgrade app.jar --jdk 17 25", "the same for the platform"}},
    {" select ", {"rejig select", "what the next rejig run would select, and why"}},
    {" select ", {"rejig select old.jar new.jar --coverage rows.db --format ids", "test ids, a line each"}},
    {" select ", {"rejig select target/test-classes:target/classes --emit surefire-excludes=excluded.txt", "for mvn test -Dsurefire.excludesFile=excluded.txt"}},
    {" explain ", {"rejig explain CalcTest", "why the tests of this class ran in the last run, or did not"}},
    {" explain ", {"rejig explain --not 'a.b.CalcTest#add()'", "what the proof rests on"}},
    {" explain ", {"rejig explain D16", "a rule"}},
    {" record ", {"rejig record -- mvn test", "rows of every test, nothing is left out"}},
    {" run ", {"rejig run -- mvn test", "only what a change can affect; the first time everything"}},
    {" run ", {"rejig run --report report.html -- ./gradlew test", "and a page about it"}},
    {" watch ", {"rejig watch -- mvn -q test", "on save"}},
    {" run ", {"rejig run --shard 2/8 -- mvn test", "machine 2 of 8, which divide what is selected"}},
    {" plan ", {"rejig plan --shards 8 -o plan.json", "who of eight machines runs what"}},
    {" remote ", {"rejig remote status", "what a team shares"}},
    {" init ", {"rejig init", "finds the build and says the commands"}},
    {" ide ", {"rejig ide vscode", "tasks and a problem matcher"}},
    {" ide ", {"rejig ide vim -- ant test", "for a build that rejig does not find"}},
    {" verify ", {"rejig verify --reports 'target/surefire-reports'", "did everything run that was selected?"}},
    {" audit ", {"rejig audit old.jar new.jar --coverage rows.db --results target/surefire-reports", "what a selection would have missed"}},
    {" baseline ", {"rejig baseline list", "what the next run is compared with"}},
    {" baseline ", {"rejig baseline drop --all", "everything runs once"}},
    {" check ", {"rejig check", "do random evolving programs hold the promises here?"}},
    {" study ", {"rejig study releases.toml", "tables over releases"}},
    {" self-check ", {"rejig self-check", "each JDK of this machine"}},
    {" doctor ", {"rejig doctor", "would the next run run everything, and why?"}},
    {" coverage ", {"rejig coverage show 'a.b.CalcTest#add()'", "what a test did"}},
    {" coverage ", {"rejig coverage import jacoco.exec --from jacoco --store rows.db", "rows of another tool"}},
    {" dump ", {"rejig dump app.jar --class 'a.b.*'", "what class files say"}},
    {" graph ", {"rejig graph old.jar new.jar 'C.m(int)' --format svg -o m.svg", "both versions of a method, dangerous edges in red"}},
    {" graph ", {"rejig graph app.jar a.b.C.m", "the graph around a method"}},
    {" completion ", {"source <(rejig completion bash)", "for this shell"}},
};

constexpr Row kFiles[] = {
    {" select explain record run watch verify baseline doctor coverage audit ", {".rejig/matrix.db", "the store: rows of all tests"}},
    {" run watch select explain baseline doctor ", {".rejig/baseline/", "the programs that the next run compares with"}},
    {" run explain ", {".rejig/last-run.json", "what the last run was told, rejig.run/1 of rejig-json(5)"}},
    {" run verify ", {".rejig/selection.ids", "the tests that the last run had to run"}},
    {" diff explain ", {".rejig/last-diff, $XDG_STATE_HOME/rejig/last-diff", "the inputs of the last rejig diff"}},
    {" run init ", {".rejig/.gitignore", "keeps the folder out of git"}},
    {"", {"rejig.toml, $XDG_CONFIG_HOME/rejig/config.toml", "settings, rejig.toml(5)"}},
};

constexpr Row kVariables[] = {
    {" record run watch ", {"REJIG_OFF", "1: everything is as without rejig"}},
    {" record run ", {"REJIG_RECEIVERS", "1: as --receivers"}},
    {" record run watch doctor self-check ", {"REJIG_AGENT, REJIG_JUNIT_JAR", "where the recorder is, when it does not lie beside the program"}},
    {" run ", {"GITHUB_STEP_SUMMARY", "a file that a summary is added to"}},
    {" select explain run audit ", {"REJIG_COVERAGE, REJIG_SUITE, REJIG_ASSUME, REJIG_ALLOW_LOWER_BOUND, REJIG_MAX_AGE_DAYS, REJIG_MAX_SELECTIONS, REJIG_SUREFIRE_VERSION", "as the keys of [select] in rejig.toml(5)"}},
    {" diff select explain upgrade audit graph ", {"JAVA_HOME", "the platform, where --jdk is not given"}},
    {" diff ", {"REJIG_PAGER, PAGER", "what a long answer goes through on a terminal"}},
    {"", {"NO_COLOR, FORCE_COLOR, TERM", "whether --color auto means colours"}},
};

template <std::size_t N>
std::vector<ManualWord> of(const Row (&rows)[N], std::string_view command) {
  const std::string name = " " + std::string(command) + " ";
  std::vector<ManualWord> out;
  for (const Row& row : rows) {
    if (row.commands.empty() ||
        row.commands.find(name) != std::string_view::npos) {
      out.push_back(row.word);
    }
  }
  return out;
}

}  // namespace

std::vector<ManualWord> examples_of(std::string_view command) {
  return of(kExamples, command);
}
std::vector<ManualWord> files_of(std::string_view command) {
  return of(kFiles, command);
}
std::vector<ManualWord> variables_of(std::string_view command) {
  return of(kVariables, command);
}

}  // namespace rejig::app
