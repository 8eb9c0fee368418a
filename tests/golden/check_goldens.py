#!/usr/bin/env python3
"""Compares the headers of tests/golden/programs with those committed beside them.

`check_goldens.py LINNET` says what differs; `--update` writes the headers anew. Both routes of
the compiler must give the same bytes: the source, and its plan.
"""

import argparse
import difflib
import pathlib
import subprocess
import sys


def header_of(command, **options):
    made = subprocess.run(command, capture_output=True, check=False, **options)
    if made.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{made.stderr.decode()}")
    return made.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("linnet", help="the compiler")
    parser.add_argument("--update", action="store_true", help="write the headers anew")
    options = parser.parse_args()
    programs = sorted((pathlib.Path(__file__).resolve().parent / "programs").glob("*.linnet"))
    if not programs:
        sys.exit("no programs")
    failed = False
    for program in programs:
        golden = program.with_suffix(".linnet.hpp")
        header = header_of([options.linnet, "cpp", str(program)])
        plan = header_of([options.linnet, "plan", str(program)])
        if header_of([options.linnet, "cpp", "-"], input=plan) != header:
            print(f"{program.name}: the plan gives another header than the source")
            failed = True
        if options.update:
            golden.write_bytes(header)
            continue
        expected = golden.read_bytes() if golden.exists() else b""
        if header != expected:
            failed = True
            print("".join(difflib.unified_diff(
                expected.decode().splitlines(True), header.decode().splitlines(True),
                golden.name, "generated")))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
