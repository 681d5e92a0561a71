#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files for CI systems (apps/package/ci) do what they say: each is read as its system reads it, its steps run in a project with
the wrapper in it, a nightly and then a pull request in another folder that has the nightly's cache and nothing else.
usage: ci_files.py ROOT (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR)"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import yaml
from ci import REJIG, ROOT, check, checkout, env, failures

CI = ROOT / "apps/package/ci"
COMMAND = "mvn -B test"


def shell(words, script, folder, **variables):
    done = subprocess.run([*words, script], cwd=folder, env={**env, **variables}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    return done.returncode, done.stdout


def filled(text, values):
    """${{ … }} of an action."""
    out = re.sub(r"\$\{\{ *([^}]*?) *\}\}", lambda match: values[match[1]], text)
    return out


def github(folder, cache, inputs):
    """The steps of the composite action as a runner does them."""
    action = yaml.safe_load((CI / "github/action.yml").read_text())
    values = {"github.job": "test", "github.run_id": "7", "github.run_attempt": "1", "!cancelled()": "true"}
    for name, one in action["inputs"].items():
        if one.get("required") and name not in inputs:
            raise SystemExit(f"no {name}")
        values[f"inputs.{name}"] = inputs.get(name, one.get("default", ""))
    code, said, after = 0, "", []
    for step in action["runs"]["steps"]:
        given = {name: filled(str(value), values) for name, value in step.get("with", {}).items()}
        if "run" in step:
            assert step["shell"] == "bash"
            output = pathlib.Path(folder, "output")
            output.write_text("")
            code, said = shell(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"], step["run"],
                               pathlib.Path(folder, filled(step["working-directory"], values)), GITHUB_ACTION_PATH=str(CI / "github"), GITHUB_OUTPUT=str(output),
                               GITHUB_STEP_SUMMARY=os.path.join(folder, "summary.md"),
                               **{name: filled(value, values) for name, value in step["env"].items()})
            for line in output.read_text().splitlines():
                name, value = line.split("=", 1)
                values[f"steps.{step['id']}.outputs.{name}"] = value
        elif step["uses"].startswith("actions/cache@"):
            assert given["key"].startswith(given["restore-keys"])
            place = pathlib.Path(folder, given["path"])
            if os.path.isdir(cache):
                shutil.copytree(cache, place)
            after.append(lambda place=place: shutil.copytree(place, cache, dirs_exist_ok=True))
        else:
            assert step["uses"].startswith("actions/upload-artifact@") and step["if"]
            check("github: the artefact is the report", pathlib.Path(folder, given["path"]).is_file() == (code == 0 or "RAN:" in said), given)
    for one in after:
        one()
    for name, one in action["outputs"].items():
        check(f"github: output {name} is a file", pathlib.Path(folder, filled(one["value"], values)).is_file(), said)
    return code, said


def gitlab(folder, cache, inputs):
    """The job of the template as a runner does it."""
    header, body = (CI / "gitlab.yml").read_text().split("\n---\n")
    values = {name: inputs[name] if name in inputs else one["default"] for name, one in yaml.safe_load(header)["spec"]["inputs"].items()}
    (job,) = yaml.safe_load(re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda match: values[match[1]], body)).values()
    for path in job["cache"]["paths"]:
        if os.path.isdir(cache):
            shutil.copytree(cache, pathlib.Path(folder, path))
    code, said = shell(["sh", "-ec"], "\n".join(job["script"]), folder)
    for path in job["cache"]["paths"]:
        shutil.copytree(pathlib.Path(folder, path), cache, dirs_exist_ok=True)
    for path in job["artifacts"]["paths"] + [path for path in job["artifacts"]["reports"]["junit"] if "*" not in path]:
        check(f"gitlab: {path} is there", pathlib.Path(folder, path).is_file(), said)
    return code, said


def jenkins(folder, cache, inputs):
    """Each sh of the pipeline in a shell of its own; the workspace is kept, in another folder."""
    if os.path.isdir(cache):
        shutil.copytree(cache, pathlib.Path(folder, ".rejig"))
    code, said = 0, ""
    for line in re.findall(r"^ *sh '(.*)'$", (CI / "Jenkinsfile").read_text(), re.M):
        if code == 0:
            code, text = shell(["sh", "-xec"], line, folder)
            said += text
    shutil.copytree(pathlib.Path(folder, ".rejig"), cache, dirs_exist_ok=True)
    check("jenkins: the files of its post steps", pathlib.Path(folder, "report.html").is_file() and pathlib.Path(folder, "target/skipped.xml").is_file(), said)
    return code, said


def main():
    work = pathlib.Path(tempfile.mkdtemp())
    env["REJIG_WRAPPER_HOME"] = str(work / "wrapper")
    (work / "rejig-1/bin").mkdir(parents=True)
    shutil.copy(REJIG, work / "rejig-1/bin/rejig")
    with tarfile.open(work / "rejig.tar.gz", "w:gz", compresslevel=1) as archive:
        archive.add(work / "rejig-1", "rejig-1")
    digest = hashlib.sha256((work / "rejig.tar.gz").read_bytes()).hexdigest()

    def project(name, **texts):
        folder = work / name
        checkout(folder, **texts)
        shutil.copy(ROOT / "apps/package/wrapper/rejigw", folder / "rejigw")
        (folder / "rejig.properties").write_text(f"version=1\nurl={work}/rejig.tar.gz\nsha256={digest}\n")
        return folder

    for system in (github, gitlab, jenkins):
        name, cache = system.__name__, work / f"cache-{system.__name__}"
        code, said = system(project(f"{name}/nightly"), cache, {"command": COMMAND})
        check(f"{name}: nightly, no cache: everything runs", code == 0 and "4 of 4 tests run" in said, said)
        code, said = system(project(f"{name}/elsewhere/pull", two="1 + 1 + 0 * one()"), cache, {"command": COMMAND})
        ran = sorted(set(re.findall(r"RAN:(\w+)", said)))
        check(f"{name}: pull request: what the change can affect", code == 0 and ran == ["appThree", "coreTwo"], said)
    code, said = github(project("github/broken", two="3"), work / "cache-github", {"command": COMMAND, "options": "--all"})
    check("github: a change that breaks is red", code != 0 and "RAN:coreTwo" in said, said)
    print(f"{len(failures)} failed" if failures else "all passed")
    shutil.rmtree(work, ignore_errors=True)
    sys.exit(bool(failures))


main()
