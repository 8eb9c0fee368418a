#!/usr/bin/env python3
"""Compares drawings of golden/sample.linnet with those committed beside it.

`check_goldens.py LINNET` says what differs; `--update` writes the drawings anew. The plan of the
program must give the same bytes as its source, and a second run the same as the first.
"""

import argparse
import difflib
import pathlib
import subprocess
import sys

DRAWINGS = {
    "sample.svg": ["--format", "svg"],
    "sample.tex": ["--format", "tikz", "--expand", "1", "--params"],
    "sample.dot": ["--format", "dot", "--theme", "dark", "--no-arithmetic", "--expand", "1"],
}


def output_of(command, **options):
    made = subprocess.run(command, capture_output=True, check=False, **options)
    if made.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{made.stderr.decode()}")
    return made.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("linnet", help="the compiler")
    parser.add_argument("--update", action="store_true", help="write the drawings anew")
    options = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parent / "golden"
    program = str(folder / "sample.linnet")
    plan = output_of([options.linnet, "plan", "--no-optimize", program])
    failed = False
    for name, flags in DRAWINGS.items():
        common = ["--entry", "forward", *flags, "-o", "-"]
        drawing = output_of([options.linnet, "diagram", program, *common])
        if output_of([options.linnet, "diagram", "-", *common], input=plan) != drawing:
            print(f"{name}: the plan gives another drawing than the source")
            failed = True
        golden = folder / name
        if options.update:
            golden.write_bytes(drawing)
            continue
        expected = golden.read_bytes() if golden.exists() else b""
        if drawing != expected:
            failed = True
            print("".join(difflib.unified_diff(
                expected.decode().splitlines(True), drawing.decode().splitlines(True),
                name, "drawn")))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
