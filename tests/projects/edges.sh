#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# edges.sh VERSION: rows that also name control-flow edges, which mean the bytes that they were recorded on: what a row of a skipped test says about
# edges does not outlive a change of a class that it ran.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-$1.jar
command="java -jar $api -cp main:tests --scan-classpath tests"
store=.rejig/matrix.db
program
test_class 'import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ''
echo 2 >data.txt
compile
all='add mul who config kill data'
expect 'first run' 0 $all

"$REJIG" coverage export --store $store --format ndjson >rows || exit 1
python3 - <<'PY'
import json
with open("rows") as rows, open("with-edges", "w") as out:
    for line in rows:
        row = json.loads(line)
        if "test" in row:
            row["facts"].append("e")
            row["atoms"] += [a.replace("m:", "e:", 1) + "#3T" for a in row["atoms"] if a.startswith(("m:p.Calc.", "m:p.Base."))]
        print(json.dumps(row), file=out)
PY
rm $store
"$REJIG" coverage import --store $store --format ndjson with-edges || exit 1
edit 's/return a \* b/return b * a + 0/' src/p/Calc.java
expect 'body change' 0 mul
"$REJIG" coverage export --store $store --format ndjson >rows || exit 1
python3 - <<'PY' || failures=$((failures + 1))
import json, sys
rows = {}
for line in open("rows"):
    row = json.loads(line)
    if "test" in row:
        rows[row["test"].split("#")[1]] = row
edges = {name: [a for a in row["atoms"] if a.startswith("e:")] for name, row in rows.items()}
wrong = [] if "e" in rows["who()"]["facts"] and len(edges["who()"]) == 2 else ["who() ran no changed class and lost its edges"]
for name in ("add()", "mul()"):
    if "e" in rows[name]["facts"] or edges[name]:
        wrong.append(name + " has edges of bytes that are gone")
print("ok edges of rows" if not wrong else "FAILED " + "; ".join(wrong) + "\n" + str(edges))
sys.exit(bool(wrong))
PY
done_with
