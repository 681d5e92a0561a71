// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/desk/ide_files.h"

#include "apps/rejig/desk/build_found.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

namespace {

constexpr std::string_view kTitle = "rejig: affected tests";

std::string rejig_select(const IdeAsks& asks) {
  std::vector<std::string> words = {"rejig"};
  words.insert(words.end(), asks.select.begin(), asks.select.end());
  return shell_words(words);
}

std::string idea_option(std::string_view name, std::string_view value) {
  return "    <option name=\"" + std::string(name) + "\" value=\"" +
         xml_text(value) + "\" />\n";
}

// Form of IntelliJ's Shell Script plugin, which every IDE of the family has.
std::string idea_run(std::string_view name, std::string_view command) {
  return "<component name=\"ProjectRunConfigurationManager\">\n"
         "  <configuration default=\"false\" name=\"" +
         xml_text(name) + "\" type=\"ShConfigurationType\">\n" +
         idea_option("SCRIPT_TEXT", command) +
         idea_option("INDEPENDENT_SCRIPT_PATH", "true") +
         idea_option("SCRIPT_PATH", "") + idea_option("SCRIPT_OPTIONS", "") +
         idea_option("INDEPENDENT_SCRIPT_WORKING_DIRECTORY", "true") +
         idea_option("SCRIPT_WORKING_DIRECTORY", "$PROJECT_DIR$") +
         idea_option("INDEPENDENT_INTERPRETER_PATH", "true") +
         idea_option("INTERPRETER_PATH", "") +
         idea_option("INTERPRETER_OPTIONS", "") +
         idea_option("EXECUTE_IN_TERMINAL", "true") +
         idea_option("EXECUTE_SCRIPT_FILE", "false") +
         "    <envs />\n    <method v=\"2\" />\n  </configuration>\n"
         "</component>\n";
}

// The filter makes `path:line:column: …` a link.
std::string idea_tool(const IdeAsks& asks) {
  return "<toolSet name=\"rejig\">\n"
         "  <tool name=\"which tests, and why\" description=\"what a change "
         "selects\" showInMainMenu=\"false\" showInEditor=\"false\" "
         "showInProject=\"false\" showInSearchPopup=\"false\" "
         "disabled=\"false\" useConsole=\"true\" "
         "showConsoleOnStdOut=\"true\" showConsoleOnStdErr=\"true\" "
         "synchronizeAfterRun=\"false\">\n    <exec>\n"
         "      <option name=\"COMMAND\" value=\"rejig\" />\n"
         "      <option name=\"PARAMETERS\" value=\"" +
         xml_text(shell_words(asks.select)) +
         "\" />\n      <option name=\"WORKING_DIRECTORY\" "
         "value=\"$ProjectFileDir$\" />\n    </exec>\n    <filter>\n"
         "      <option name=\"NAME\" value=\"rejig\" />\n"
         "      <option name=\"DESCRIPTION\" value=\"\" />\n"
         "      <option name=\"REGEXP\" "
         "value=\"$FILE_PATH$:$LINE$:$COLUMN$: .*\" />\n"
         "    </filter>\n  </tool>\n</toolSet>\n";
}

std::string vscode_tasks(const IdeAsks& asks) {
  const std::string matcher =
      "{\n        \"owner\": \"rejig\",\n        \"fileLocation\": "
      "[\"autodetect\", \"${workspaceFolder}\"],\n        \"pattern\": {\n"
      "          \"regexp\": \"^(.+?):(\\\\d+):(\\\\d+): "
      "(info|warning|error): (.*)$\",\n"
      "          \"file\": 1, \"line\": 2, \"column\": 3, \"severity\": 4, "
      "\"message\": 5\n        }\n      }";
  const auto task = [](std::string_view label, const std::string& command,
                       const std::string& more) {
    return "    {\n      \"label\": " + json_string(label) +
           ",\n      \"type\": \"shell\",\n      \"command\": " +
           json_string(command) + ",\n" + more + "    }";
  };
  return "{\n  \"version\": \"2.0.0\",\n  \"tasks\": [\n" +
         task(kTitle, asks.run,
              "      \"group\": \"test\",\n      \"problemMatcher\": []\n") +
         ",\n" +
         task("rejig: which tests, and why", rejig_select(asks),
              "      \"problemMatcher\": " + matcher + "\n") +
         ",\n" +
         task("rejig: run affected tests on save", asks.watch,
              "      \"isBackground\": true,\n      \"problemMatcher\": [],\n"
              "      \"presentation\": { \"panel\": \"dedicated\", \"focus\": "
              "true }\n") +
         "\n  ]\n}\n";
}

std::string eclipse_launch(const std::string& command) {
  const auto text = [](std::string_view key, std::string_view value) {
    return "    <stringAttribute key=\"org.eclipse.ui.externaltools." +
           std::string(key) + "\" value=\"" + xml_text(value) + "\"/>\n";
  };
  // "rejig run -- …" without its first word.
  const std::string arguments = command.substr(command.find(' ') + 1);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
         "<launchConfiguration "
         "type=\"org.eclipse.ui.externaltools."
         "ProgramLaunchConfigurationType\">\n"
         "    <listAttribute key=\"org.eclipse.debug.ui.favoriteGroups\">\n"
         "        <listEntry "
         "value=\"org.eclipse.ui.externaltools.launchGroup\"/>\n"
         "    </listAttribute>\n" +
         text("ATTR_LOCATION", "${system_path:rejig}") +
         text("ATTR_TOOL_ARGUMENTS", arguments) +
         text("ATTR_WORKING_DIRECTORY", "${project_loc}") +
         "</launchConfiguration>\n";
}

std::string vim_compiler(const IdeAsks& asks) {
  std::string program;
  for (const char c : rejig_select(asks)) {
    if (c == ' ' || c == '|' || c == '"' || c == '\\') program += '\\';
    program += c;
  }
  return "\" rejig: which tests can a change affect? :compiler rejig | make\n"
         "if exists(\"current_compiler\")\n  finish\nendif\n"
         "let current_compiler = \"rejig\"\n"
         "CompilerSet makeprg=" +
         program +
         "\nCompilerSet errorformat=%f:%l:%c:\\ %tnfo:\\ %m,"
         "%f:%l:%c:\\ %tarning:\\ %m,%f:%l:%c:\\ %trror:\\ %m,%-Grejig:%.%#\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&apos;"; break;
      default: out += c;
    }
  }
  return out;
}

const std::vector<std::string>& ide_names() {
  static const std::vector<std::string> all = {"idea", "vscode", "eclipse",
                                               "vim"};
  return all;
}

std::vector<IdeFile> ide_files(std::string_view ide, const IdeAsks& asks) {
  if (ide == "idea") {
    return {{".idea/runConfigurations/rejig_affected_tests.xml",
             idea_run(kTitle, asks.run)},
            {".idea/runConfigurations/rejig_on_save.xml",
             idea_run("rejig: on save", asks.watch)},
            {".rejig/ide/tools/rejig.xml", idea_tool(asks)}};
  }
  if (ide == "vscode") return {{".vscode/tasks.json", vscode_tasks(asks)}};
  if (ide == "eclipse") {
    return {{"rejig.launch", eclipse_launch(asks.run)},
            {"rejig-select.launch", eclipse_launch(rejig_select(asks))}};
  }
  return {{".vim/compiler/rejig.vim", vim_compiler(asks)}};
}

std::vector<std::string> ide_steps(std::string_view ide) {
  if (ide == "idea") {
    return {"Run | rejig: affected tests (a key: Settings | Keymap)",
            "the external tool: copy .rejig/ide/tools/rejig.xml into the tools "
            "folder of the IDE's configuration "
            "(~/.config/JetBrains/PRODUCT/tools), then Tools | rejig"};
  }
  if (ide == "vscode") {
    return {"Terminal | Run Task | rejig: …; the problems of \"which tests, and "
            "why\" open the changed lines"};
  }
  if (ide == "eclipse") {
    return {"Run | External Tools | rejig (refresh the project first)"};
  }
  return {":set rtp+=.vim | compiler rejig | make    then :cnext, :copen"};
}

}  // namespace rejig::app
