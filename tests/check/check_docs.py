#!/usr/bin/env python3
"""Checks the Linnet programs in README.md and docs/*.md.

check_docs.py COMPILER --std DIR ROOT

A fenced block marked `linnet` that begins with its `module` line, doc comments aside, must check
without errors and warnings and stand as `linnet fmt` writes it. One marked `linnet wrong CODE...`
must give exactly these diagnostics, and is formatted too where it parses. Other blocks marked
`linnet` are fragments: they are counted, not checked.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```linnet([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"( wrong( [EW]\d{4})+)?")
MODULE = re.compile(r"(//[^\n]*\n)*module\s")


def diagnostics(compiler: str, std: str, program: pathlib.Path) -> list[dict]:
    command = [compiler, "check", "--json", "--std", std, str(program)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {run.returncode}\n{run.stderr}")
    return json.loads(run.stdout)["diagnostics"]


def formatted(compiler: str, text: str) -> str | None:
    """The text as the formatter writes it; nothing where it does not parse."""
    run = subprocess.run([compiler, "fmt", "-"], input=text, capture_output=True, text=True, timeout=60, check=False)
    return run.stdout if run.returncode == 0 else None


def problem(arguments: argparse.Namespace, scratch: pathlib.Path, expected: list[str], text: str) -> str:
    """What is wrong with a block; empty where nothing is."""
    program = scratch / "block.linnet"
    program.write_text(text)
    found = diagnostics(arguments.compiler, arguments.std, program)
    if sorted(one["code"] for one in found) != sorted(expected):
        said = [f"  {one['location']['start']['line']}: {one['code']} {one['message']}" for one in found]
        return "\n".join([f"expected {' '.join(expected) or 'no diagnostics'}, found", *(said or ["  none"])])
    if formatted(arguments.compiler, text) not in (None, text):
        return "not as `linnet fmt` writes it"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("--std", required=True)
    parser.add_argument("root", type=pathlib.Path)
    arguments = parser.parse_args()
    checked = fragments = wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        for page in [arguments.root / "README.md", *sorted(arguments.root.glob("docs/*.md"))]:
            text = page.read_text()
            for block in BLOCK.finditer(text):
                mark, program = block.groups()
                place = f"{page.relative_to(arguments.root)}:{text.count(chr(10), 0, block.start()) + 1}"
                if not MARK.fullmatch(mark):
                    complaint = f"unknown mark `linnet{mark}`"
                elif not mark and not MODULE.match(program):
                    fragments += 1
                    continue
                else:
                    checked += 1
                    complaint = problem(arguments, pathlib.Path(scratch), mark.split()[1:], program)
                if complaint:
                    wrong += 1
                    print(f"{place}: {complaint}")
    print(f"{checked} programs, {fragments} fragments, {wrong} wrong")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
