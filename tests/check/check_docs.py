#!/usr/bin/env python3
"""Checks the Linnet programs and the shell sessions in README.md and docs/*.md.

check_docs.py COMPILER --std DIR ROOT

A fenced block marked `linnet` that begins with its `module` line, doc comments aside, must check
without errors and warnings and stand as `linnet fmt` writes it. One marked `linnet wrong CODE...`
must give exactly these diagnostics, and is formatted too where it parses. Other blocks marked
`linnet` are fragments: they are counted, not checked.

A block marked `console run` is what a terminal shows: commands after `$ `, and what each printed. It
runs in a folder that holds examples/00-tiny/tiny.linnet and the programs of its page, `m.linnet` for
`module m`; the sessions of a page run in order. A line `...` stands for any number of lines.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^```linnet([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WRONG = re.compile(r" wrong( [EW]\d{4})+")
MODULE = re.compile(r"(?://[^\n]*\n)*module (\w+)\n")
SESSION = re.compile(r"^```console run\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Page:
    """A Markdown file, and the folder in which its sessions run."""

    def __init__(self, path: pathlib.Path, scratch: pathlib.Path, arguments: argparse.Namespace):
        self.name = path.relative_to(arguments.root)
        self.text = path.read_text()
        self.folder = scratch / path.stem
        self.folder.mkdir()
        shutil.copy(arguments.root / "examples/00-tiny/tiny.linnet", self.folder)
        self.environment = os.environ | {
            "PATH": f"{pathlib.Path(arguments.compiler).resolve().parent}:{os.environ['PATH']}",
            "LINNET_STD": "../stdlib",
        }

    def place(self, block: re.Match) -> str:
        return f"{self.name}:{self.text.count(chr(10), 0, block.start()) + 1}"

    def run(self, command: list[str], **options) -> subprocess.CompletedProcess:
        return subprocess.run(command, cwd=self.folder, env=self.environment, text=True, timeout=120, check=False,
                              **options)


def program_problem(page: Page, file: str, expected: list[str], text: str) -> str:
    """What is wrong with a program; empty where nothing is."""
    (page.folder / file).write_text(text)
    checked = page.run(["linnet", "check", "--json", file], capture_output=True)
    if checked.returncode not in (0, 1):
        return f"exit status {checked.returncode}\n{checked.stderr}"
    found = json.loads(checked.stdout)["diagnostics"]
    if sorted(one["code"] for one in found) != sorted(expected):
        said = [f"  {one['location']['start']['line']}: {one['code']} {one['message']}" for one in found]
        return "\n".join([f"expected {' '.join(expected) or 'no diagnostics'}, found", *(said or ["  none"])])
    formatted = page.run(["linnet", "fmt", "-"], input=text, capture_output=True)
    if formatted.returncode == 0 and formatted.stdout != text:
        return "not as `linnet fmt` writes it"
    return ""


def session_problem(page: Page, text: str) -> str:
    """What is wrong with a session; empty where nothing is."""
    # `$?` of a command is that of the one before it.
    script = ["""show() { local status=$?; printf '%s\\n' "$1"; return $status; }"""]
    for line in text.splitlines():
        if line.startswith("$ "):
            script += [f"show {shlex.quote(line)}", line[2:]]
    done = page.run(["bash", "-c", "\n".join(script)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    pattern = "".join(r"(.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in text.splitlines())
    return "" if re.fullmatch(pattern, done.stdout) else f"the session gives\n{done.stdout}"


def problems(page: Page) -> tuple[list[str], int, int, int]:
    """What is wrong on a page; its programs, fragments and sessions."""
    found, programs, fragments = [], 0, 0
    for block in PROGRAM.finditer(page.text):
        mark, text = block.groups()
        module = MODULE.match(text)
        if mark and not WRONG.fullmatch(mark):
            found.append(f"{page.place(block)}: unknown mark `linnet{mark}`")
        elif not mark and not module:
            fragments += 1
        else:
            programs += 1
            file = f"{module[1] if module else 'block'}.linnet"
            problem = program_problem(page, file, mark.split()[1:], text)
            found += [f"{page.place(block)}: {problem}"] if problem else []
    sessions = list(SESSION.finditer(page.text))
    for block in sessions:
        problem = session_problem(page, block[1])
        found += [f"{page.place(block)}: {problem}"] if problem else []
    return found, programs, fragments, len(sessions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("--std", required=True, type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    arguments = parser.parse_args()
    found, counts = [], [0, 0, 0]
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        (scratch / "stdlib").symlink_to(arguments.std.resolve(), target_is_directory=True)
        for path in [arguments.root / "README.md", *sorted(arguments.root.glob("docs/*.md"))]:
            on_page, *more = problems(Page(path, scratch, arguments))
            found += on_page
            counts = [sum(pair) for pair in zip(counts, more)]
    print("\n".join(found))
    print("{} programs, {} fragments, {} sessions".format(*counts) + f": {len(found)} wrong")
    return 1 if found or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
