// SPDX-License-Identifier: Apache-2.0
// rejig completion SHELL: a completion script written from the option table.
#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/option_table.h"

namespace rejig::app {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

bool takes_value(const OptionRow& o) { return !o.value.empty(); }

std::vector<std::string> all_names(const std::vector<OptionRow>& options) {
  std::vector<std::string> names;
  for (const OptionRow& o : options) {
    names.insert(names.end(), o.names.begin(), o.names.end());
  }
  return names;
}

// --- bash ------------------------------------------------------------------

void bash_values(std::string& out, const std::string& command,
                 const std::vector<OptionRow>& options) {
  for (const OptionRow& o : options) {
    if (!takes_value(o)) continue;
    std::vector<std::string> keys;
    for (const std::string& name : o.names) {
      keys.push_back(command.empty() ? "*:" + name : command + ":" + name);
    }
    out += "    " + joined(keys, "|") + ") ";
    if (!o.allowed.empty()) {
      out += "words='" + joined(o.allowed, " ") + "'";
    } else if (!o.words.empty()) {
      out += "words='" + joined(o.words, " ") + "'";
    } else if (o.value == "TEST") {
      out += "kind=test";
    } else if (o.takes_path()) {
      out += "kind=path";
    } else {
      out += "kind=none";
    }
    out += " ;;\n";
  }
}

std::string bash_script(const std::vector<CommandRow>& table,
                        const std::vector<OptionRow>& shared) {
  std::vector<std::string> names;
  for (const CommandRow& c : table) names.push_back(c.name);
  std::string values;
  for (const OptionRow& o : shared) {
    if (!takes_value(o)) continue;
    if (!values.empty()) values += "|";
    values += joined(o.names, "|");
  }
  std::string out =
      "# bash completion of rejig; written by: rejig completion bash\n"
      "_rejig() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command='' kind='' words='' also='' i\n"
      "  # '=' is a word of its own here: --format = json\n"
      "  if [[ $cur == '=' ]]; then\n"
      "    cur=''\n"
      "  elif [[ $prev == '=' ]]; then\n"
      "    prev=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${COMP_WORDS[i]} in\n"
      "    --) if ((i + 1 == COMP_CWORD)); then kind=command; else "
      "kind=path; fi; break ;;\n"
      "    " + values + ")\n"
      "      [[ -n $command || ${COMP_WORDS[i+1]} == '=' ]] || ((i++)) ;;\n"
      "    =) [[ -n $command ]] || ((i++)) ;;\n"
      "    -*) ;;\n"
      "    *) [[ -n $command ]] || command=${COMP_WORDS[i]} ;;\n"
      "    esac\n"
      "  done\n"
      "  [[ -n $kind ]] || case $command:$prev in\n";
  for (const CommandRow& c : table) bash_values(out, c.name, c.options);
  bash_values(out, "", shared);
  out += "  esac\n"
      "  if [[ -z $kind && -z $words ]]; then\n"
      "    case $command:$cur in\n";
  const std::string everywhere = joined(all_names(shared), " ");
  for (const CommandRow& c : table) {
    std::vector<std::string> own = all_names(c.options);
    own.push_back(everywhere);
    out += "    " + c.name + ":-*) words='" + joined(own, " ") + "' ;;\n";
    if (c.positionals.empty()) continue;
    const PositionalRow& first = c.positionals.front();
    if (!first.words.empty()) {
      out += "    " + c.name + ":*) words='" + joined(first.words, " ") +
             "' also=path ;;\n";
    } else if (first.name == "TEST") {
      out += "    " + c.name + ":*) kind=test also=path ;;\n";
    }
  }
  out += "    *:-*) words='" + everywhere + "' ;;\n"
      "    :*|help:*) words='" + joined(names, " ") + "' ;;\n"
      "    *) kind=path ;;\n"
      "    esac\n"
      "  fi\n"
      "  COMPREPLY=()\n"
      "  if [[ -n $words ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
      "  elif [[ $kind == command ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
      "  elif [[ $kind == test ]]; then\n"
      "    local plain=${cur//\\\\/} id\n"
      "    while IFS= read -r id; do\n"
      "      [[ $id != \"$plain\"* ]] || COMPREPLY+=(\"$(printf %q \"$id\")\")\n"
      "    done < <(rejig tests 2>/dev/null)\n"
      "  fi\n"
      "  if [[ $kind == path || ( $also == path && ${#COMPREPLY[@]} == 0 ) ]]; "
      "then\n"
      "    compopt -o filenames 2>/dev/null\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
      "  fi\n"
      "}\n"
      "complete -F _rejig rejig\n";
  return out;
}

// --- zsh -------------------------------------------------------------------

std::string zsh_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void zsh_options(std::string& out, const std::vector<OptionRow>& options) {
  for (const OptionRow& o : options) {
    for (const std::string& name : o.names) {
      std::string spec = o.repeated ? "*" : "(" + joined(o.names, " ") + ")";
      spec += name;
      if (takes_value(o) && name.starts_with("--")) spec += "=";
      spec += "[" + zsh_escaped(o.help) + "]";
      const auto& offered = o.allowed.empty() ? o.words : o.allowed;
      if (!offered.empty()) {
        spec += ":value:(" + joined(offered, " ") + ")";
      } else if (o.value == "TEST") {
        spec += ":test:(${(f)\"$(rejig tests 2>/dev/null)\"})";
      } else if (takes_value(o)) {
        spec += ":" + zsh_escaped(o.value) + ":";
        spec += o.takes_path() ? "_files" : "";
      }
      out += "      " + single_quoted(spec) + " \\\n";
    }
  }
}

std::string zsh_script(const std::vector<CommandRow>& table,
                       const std::vector<OptionRow>& shared) {
  std::string out =
      "#compdef rejig\n"
      "# zsh completion of rejig; written by: rejig completion zsh\n"
      "_rejig() {\n"
      "  local context state state_descr line\n"
      "  typeset -A opt_args\n"
      "  local -a commands=(\n";
  for (const CommandRow& c : table) {
    out += "    " + single_quoted(c.name + ":" + zsh_escaped(c.help)) + "\n";
  }
  out += "  )\n"
      "  _arguments -C \\\n";
  zsh_options(out, shared);
  out += "      '1:command:->command' '*::argument:->arguments'\n"
      "  case $state in\n"
      "  command) _describe command commands ;;\n"
      "  arguments)\n"
      "    case $words[1] in\n"
      "    help) _describe command commands ;;\n";
  for (const CommandRow& c : table) {
    out += "    " + c.name + ") _arguments \\\n";
    zsh_options(out, c.options);
    zsh_options(out, shared);
    if (!c.positionals.empty()) {
      const PositionalRow& first = c.positionals.front();
      if (!first.words.empty()) {
        out += "      " +
               single_quoted("1:" + first.name + ":(" +
                             joined(first.words, " ") + ")") +
               " \\\n";
      } else if (first.name == "TEST") {
        out += "      '*:test:(${(f)\"$(rejig tests 2>/dev/null)\"})' ;;\n";
        continue;
      }
    }
    out += "      '*:file:_files' ;;\n";
  }
  out += "    esac ;;\n"
      "  esac\n"
      "}\n"
      "if [[ $funcstack[1] == _rejig ]]; then\n"
      "  _rejig \"$@\"\n"
      "else\n"
      "  compdef _rejig rejig\n"
      "fi\n";
  return out;
}

// --- fish ------------------------------------------------------------------

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

void fish_options(std::string& out, const std::string& condition,
                  const std::vector<OptionRow>& options) {
  for (const OptionRow& o : options) {
    out += "complete -c rejig" + condition;
    for (const std::string& name : o.names) {
      out += name.starts_with("--") ? " -l " + name.substr(2)
                                    : " -s " + name.substr(1);
    }
    const auto& offered = o.allowed.empty() ? o.words : o.allowed;
    if (!offered.empty()) {
      out += " -x -a " + fish_quoted(joined(offered, " "));
    } else if (o.value == "TEST") {
      out += " -x -a '(rejig tests 2>/dev/null)'";
    } else if (takes_value(o)) {
      out += o.takes_path() ? " -r -F" : " -x";
    }
    out += " -d " + fish_quoted(o.help) + "\n";
  }
}

std::string fish_script(const std::vector<CommandRow>& table,
                        const std::vector<OptionRow>& shared) {
  std::string out =
      "# fish completion of rejig; written by: rejig completion fish\n"
      "complete -c rejig -n __fish_use_subcommand -f\n";
  for (const CommandRow& c : table) {
    out += "complete -c rejig -n __fish_use_subcommand -a " + c.name + " -d " +
           fish_quoted(c.help) + "\n";
  }
  fish_options(out, "", shared);
  for (const CommandRow& c : table) {
    const std::string seen =
        " -n '__fish_seen_subcommand_from " + c.name + "'";
    fish_options(out, seen, c.options);
    if (c.positionals.empty()) continue;
    const PositionalRow& first = c.positionals.front();
    if (!first.words.empty()) {
      out += "complete -c rejig" + seen + " -a " +
             fish_quoted(joined(first.words, " ")) + "\n";
    } else if (first.name == "TEST") {
      out += "complete -c rejig" + seen + " -a '(rejig tests 2>/dev/null)'\n";
    }
  }
  return out;
}

}  // namespace

Run declare_completion(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  line.positional("SHELL", *shell, "bash, zsh or fish");
  line.words("SHELL", {"bash", "zsh", "fish"});
  line.footer("Now:      source <(rejig completion bash)\n"
              "For good: the install tree holds all three under share/.\n");
  return [shell](Context& context) {
    const std::vector<CommandRow> table = command_table();
    const std::vector<OptionRow> shared = shared_rows();
    if (*shell == "bash") {
      context.out->write(bash_script(table, shared));
    } else if (*shell == "zsh") {
      context.out->write(zsh_script(table, shared));
    } else if (*shell == "fish") {
      context.out->write(fish_script(table, shared));
    } else {
      context.messages->error("no completion for '" + *shell +
                              "'; there is one for bash, zsh and fish");
      return kExitTrouble;
    }
    return kExitOk;
  };
}

}  // namespace rejig::app
