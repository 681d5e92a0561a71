# SPDX-License-Identifier: Apache-2.0
# The completion scripts know every command and option that --help shows, and
# bash completes with them. zsh and fish check theirs where they are installed.
. "$(dirname "$0")/lib.sh"

for shell in bash zsh fish; do
  "$rejig" completion $shell > "$work/$shell" || fail "completion $shell"
done
exits 'no such shell' 2 "$rejig" completion tcsh
has 'no such shell' "$(cat "$work/.err")" "'tcsh'"

# What the parser's own help names must be in each script.
commands=$("$rejig" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
has 'commands of --help' "$(echo $commands)" 'diff upgrade select'
for command in $commands; do
  options=$("$rejig" "$command" --help | grep -oE '^  +-[^ ]*' |
            tr ',' '\n' | sed 's/[ :].*//' | grep -oE -- '--[a-z-]+')
  has "options of $command" "$options" --help
  for option in $options; do
    grep -E "^    $command:-\*\) " "$work/bash" | grep -qe " $option[ ']" ||
      grep -E "^    $command:-\*\) " "$work/bash" | grep -qe "'$option[ ']" ||
      fail "bash: $command has no $option"
    grep -qF -- "$option" "$work/zsh" || fail "zsh: $command has no $option"
    grep -qF -- " -l ${option#--} " "$work/fish" ||
      fail "fish: $command has no $option"
  done
done

cat > "$work/drive" <<'DRIVE'
source "$1"
complete -p rejig || exit 1
# reply WORD...: what is offered for the last word.
reply() {
  COMP_WORDS=("$@")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _rejig
  printf '%s:' "$*"
  printf ' %s' "${COMPREPLY[@]}"
  echo
}
mkdir files && cd files && touch old.jar 'with blank.jar'
reply rejig di
reply rejig help sel
reply rejig select --exit
reply rejig --jobs 2 select --stri
reply rejig select --format j
reply rejig select --format = j
reply rejig --color = never sel
reply rejig --color a
reply rejig diff o
reply rejig diff -o w
reply rejig select --suite o
reply rejig dump --strict
DRIVE
bash --norc "$work/drive" "$work/bash" > "$work/answers" 2> "$work/.err" ||
  fail 'bash cannot source its script'
same 'bash says nothing else' '' "$(cat "$work/.err")"
same 'bash completes' 'complete -F _rejig rejig
rejig di: diff
rejig help sel: select self-check
rejig select --exit: --exit-code
rejig --jobs 2 select --stri: --strict
rejig select --format j: json
rejig select --format = j: json
rejig --color = never sel: select self-check
rejig --color a: auto always
rejig diff o: old.jar
rejig diff -o w: with blank.jar
rejig select --suite o: 
rejig dump --strict: ' "$(cat "$work/answers")"

if command -v zsh > /dev/null; then
  zsh -f -n "$work/zsh" || fail 'zsh: syntax'
  # zsh -f: no settings; an option specification it cannot read is an error.
  zsh -f -c 'autoload -Uz compinit && compinit -u -D && source "$1" &&
    [[ $_comps[rejig] == _rejig ]]' zsh "$work/zsh" || fail 'zsh: not defined'
fi
if command -v fish > /dev/null; then
  fish --no-config -n "$work/fish" || fail 'fish: syntax'
  same 'fish completes' 'select' "$(fish --no-config -c "source $work/fish
    complete -C 'rejig sel'" | cut -f1)"
fi
done_testing
