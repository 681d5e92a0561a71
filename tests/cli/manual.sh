# SPDX-License-Identifier: Apache-2.0
# The manual pages are sound roff and name every command and option of --help.
# usage: manual.sh REJIG MAKE_STORE PAGES; PAGES is where the build put them.
pages=$3
. "$(dirname "$0")/lib.sh"

# Requests and escapes the writer may use; anything else is a slip in quoting.
sound() {
  awk -v page="$1" '
    /^\.(TH|SH|TP|nf|fi)( |$)/ { if ($1 == ".SH") sections++; next }
    /^[.'"'"']/ { print page ": request " $0; bad = 1 }
    { text = $0
      gsub(/\\(&|e|-|\(aq|\(ga|\(ha|\(ti|f[BIR])/, "", text)
      if (text ~ /\\/) { print page ": escape in " $0; bad = 1 } }
    END { if (sections < 5) { print page ": " sections " sections"; bad = 1 }
          exit bad }' "$1" || fail "$1"
  if command -v groff > /dev/null; then
    same "groff has no complaint about $1" '' \
      "$(groff -man -ww -Tutf8 "$1" 2>&1 > "$work/.page")"
    [ -s "$work/.page" ] || fail "$1 is empty"
  fi
}

plain() { sed 's/\\f[BIR]//g; s/\\-/-/g' "$1"; }

commands=$("$rejig" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
has 'commands of --help' "$(echo $commands)" 'diff upgrade select'
sound "$pages/rejig.1"
main=$(plain "$pages/rejig.1")
count=1
for command in $commands; do
  page=$pages/rejig-$command.1
  sound "$page"
  count=$((count + 1))
  has 'rejig(1)' "$main" "rejig-$command(1)"
  text=$(plain "$page")
  options=$("$rejig" "$command" --help | grep -oE '^  +-[^ ]*' |
            grep -oE -- '--[a-z-]+')
  has "options of $command" "$options" --help
  for option in $options; do has "rejig-$command(1)" "$text" "$option"; done
  same "the built page of $command is of this rejig" \
    "$("$rejig" manual "$command")" "$(cat "$page")"
done
same 'no page without a command' $count "$(ls "$pages" | grep -c '\.1$')"
# What is written by hand: nothing that groff does not know; every form, key and
# word that the others refer to.
for page in "$(dirname "$0")"/../../apps/rejig/man/*; do
  case $(head -1 "$page") in .TH\ *) ;; *) fail "$page: no heading" ;; esac
  if command -v groff > /dev/null; then
    same "groff has no complaint about $page" '' \
      "$(groff -man -ww -Tutf8 "$page" 2>&1 > /dev/null)"
  fi
done
for schema in "$(dirname "$0")"/../../apps/rejig/schemas/*.json; do
  form=$(basename "$schema" .json | sed 's/-\([0-9]*\)$/\/\1/')
  has 'rejig-json(5)' "$(cat "$(dirname "$0")/../../apps/rejig/man/rejig-json.5")" "$form"
done
for command in $commands; do
  has "rejig-$command(1)" "$(cat "$pages/rejig-$command.1")" '.SH EXAMPLES'
done
exits 'no such page' 2 "$rejig" manual selct
has 'no such page' "$(cat "$work/.err")" 'select'
done_testing
