// SPDX-License-Identifier: Apache-2.0
// rejig manual [COMMAND|rules]: the manual page in roff, written from the option
// table and the table of rules. Hidden: the build calls it, users have man(1).
#include <algorithm>
#include <string_view>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/manual_words.h"
#include "apps/rejig/cli/option_table.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/cli/version.h"
#include "classfile/words/delta.h"

namespace rejig::app {
namespace {

// Text of one or more lines in which nothing is a request or an escape.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      default: out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fR";
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string heading(const std::string& page, const std::string& help) {
  return ".TH " + upper(roff(page)) + " 1 \"\" \"rejig " + version_number() +
         "\" \"User Commands\"\n.SH NAME\n" + roff(page) + " \\- " +
         roff(help) + "\n.SH SYNOPSIS\n";
}

void write_options(std::string& out, const std::vector<OptionRow>& options) {
  for (const OptionRow& o : options) {
    out += ".TP\n";
    for (std::size_t i = 0; i < o.names.size(); ++i) {
      if (i != 0) out += ", ";
      out += bold(o.names[i]);
    }
    if (!o.value.empty()) {
      out += " " + (o.allowed.empty() ? italic(o.value) : roff(o.value));
    }
    out += "\n" + roff(o.help);
    if (o.repeated) out += "; may be given several times";
    out += "\n";
  }
}

void write_words(std::string& out, std::string_view title,
                 const std::vector<ManualWord>& words) {
  if (words.empty()) return;
  out += ".SH " + std::string(title) + "\n";
  for (const auto& one : words) {
    out += ".TP\n" + italic(one.name) + "\n" + roff(one.says) + "\n";
  }
}

std::string main_page(const std::vector<CommandRow>& table) {
  std::string out =
      heading("rejig", "which tests can a change to JVM classes affect?");
  out += bold("rejig") + " " + italic("COMMAND") + " [" + italic("OPTIONS") +
         "] ...\n.SH DESCRIPTION\n" +
         roff("Compares the class files of two versions of a program and "
              "selects, with a matrix of what each test ran, the tests whose "
              "behaviour the change can affect. Doubt widens the selection, "
              "never narrows it.\n");
  out += ".SH COMMANDS\n";
  std::string pages;
  for (const CommandRow& c : table) {
    out += ".TP\n" + bold("rejig " + c.name) + "\n" + roff(c.help) + "\n";
    pages += (pages.empty() ? "" : ", ") + bold("rejig-" + c.name) + "(1)";
  }
  out += ".SH OPTIONS OF EVERY COMMAND\n";
  write_options(out, shared_rows());
  out += ".SH EXIT STATUS\n"
      ".TP\n0\nanswered\n"
      ".TP\n1\nas the command says\n"
      ".TP\n2\ntrouble: no answer, or not a whole one\n"
      ".TP\n3\n" + bold("--strict") + " and everything selected\n"
      ".SH SEE ALSO\n" + pages + ", " + bold("rejig.toml") + "(5), " +
      bold("rejig-json") + "(5), " + bold("rejig-ci") + "(7), " +
      bold("rejig-rules") + "(7), " + bold("rejig-words") + "(7)\n";
  return out;
}

std::string command_page(const CommandRow& c) {
  std::string out = heading("rejig-" + c.name, c.help);
  out += bold("rejig " + c.name) + " [" + italic("OPTIONS") + "]";
  for (const PositionalRow& p : c.positionals) {
    const std::string word = italic(p.name) + (p.many ? "..." : "");
    out += p.required ? " " + word : " [" + word + "]";
  }
  if (!c.rest.empty()) out += " " + roff("--") + " " + italic("CMD") + "...";
  out += "\n";
  if (!c.positionals.empty() || !c.rest.empty()) {
    out += ".SH ARGUMENTS\n";
    for (const PositionalRow& p : c.positionals) {
      out += ".TP\n" + italic(p.name) + "\n" + roff(p.help) + "\n";
    }
    if (!c.rest.empty()) {
      out += ".TP\n" + italic("CMD") + "\n" + roff(c.rest) + "\n";
    }
  }
  if (!c.options.empty()) {
    out += ".SH OPTIONS\n";
    write_options(out, c.options);
  }
  out += ".SH OPTIONS OF EVERY COMMAND\n";
  write_options(out, shared_rows());
  if (!c.footer.empty()) {
    std::string notes = roff(c.footer);
    if (!notes.ends_with('\n')) notes += '\n';
    out += ".SH NOTES\n.nf\n" + notes + ".fi\n";
  }
  write_words(out, "FILES", files_of(c.name));
  write_words(out, "ENVIRONMENT", variables_of(c.name));
  const auto examples = examples_of(c.name);
  if (!examples.empty()) out += ".SH EXAMPLES\n";
  for (const auto& one : examples) {
    out += ".TP\n" + bold(one.name) + "\n" + roff(one.says) + "\n";
  }
  return out + ".SH SEE ALSO\n" + bold("rejig") + "(1), " +
         bold("rejig.toml") + "(5), " + bold("rejig-words") + "(7)\n";
}

// rejig-rules(7), from classfile/words/rules.def.
std::string rules_page() {
  std::string out = ".TH REJIG\\-RULES 7 \"\" \"rejig " + version_number() +
                    "\" \"Miscellanea\"\n.SH NAME\nrejig\\-rules \\- " +
                    roff("the rules of dangerous edges") +
                    "\n.SH DESCRIPTION\n" +
                    roff("An edge is a place where an unchanged instruction, "
                         "call, initialization, link or look-up can behave "
                         "differently in the new version. Its rule says in "
                         "which way, and what the row of a test must have for "
                         "the test to meet it. What a row did not record "
                         "counts as met. `rejig explain D16' shows one rule, "
                         "`rejig explain E12' an edge of the last `rejig "
                         "diff'.\n") +
                    ".SH RULES\n";
  for (unsigned i = 1; i <= classfile::kRules; ++i) {
    const auto& row = classfile::row_of(static_cast<classfile::Rule>(i));
    std::string items = classfile::items_text(row);
    std::erase(items, '`');
    std::string example(row.example);
    std::erase(example, '`');
    out += ".TP\n" + bold(std::string(row.id) + " " + std::string(row.name)) +
           " (" + roff(classfile::name_of(row.channel)) + ")\n" +
           roff(row.sentence) + ".\n" + roff("Example: " + example) +
           "\n.br\n" + roff("Met by rows with " + items + ".") + "\n";
  }
  return out + ".SH SEE ALSO\n" + bold("rejig-diff") + "(1), " +
         bold("rejig-explain") + "(1)\n";
}

}  // namespace

Run declare_manual(CommandLine& line) {
  auto name = std::make_shared<std::string>();
  line.positional("COMMAND", *name, "the command; without: rejig(1)", false);
  return [name](Context& context) {
    const std::vector<CommandRow> table = command_table();
    if (name->empty()) {
      context.out->write(main_page(table));
      return kExitOk;
    }
    if (*name == "rules") {
      context.out->write(rules_page());
      return kExitOk;
    }
    std::vector<std::string> names;
    for (const CommandRow& c : table) {
      if (c.name == *name) {
        context.out->write(command_page(c));
        return kExitOk;
      }
      names.push_back(c.name);
    }
    context.messages->error("unknown command '" + *name + "'" +
                            did_you_mean(*name, names));
    return kExitTrouble;
  };
}

}  // namespace rejig::app
