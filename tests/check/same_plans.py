#!/usr/bin/env python3
"""Whether plans are byte-identical between runs, and between builds of the compiler.

same_plans.py COMPILER [--other COMPILER] FOLDER...

Plans every .linnet file under the folders twice, the second time with the other build where one
is given (tools/test gives the sanitized build the release one), optimised with the default root
and unoptimised with the module's own entries. A file that one build refuses, the other must
refuse with the same words.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

VIEWS = ([], ["--functions", "--no-optimize"])


def plan(compiler: str, std: str, file: pathlib.Path, options: list[str]) -> tuple[int, bytes, bytes]:
    run = subprocess.run([compiler, "plan", "--std", std, *options, str(file)], capture_output=True, timeout=120)
    return run.returncode, run.stdout, run.stderr


def first_difference(a: bytes, b: bytes) -> str:
    for number, (left, right) in enumerate(zip(a.splitlines(), b.splitlines()), 1):
        if left != right:
            return f"line {number}: {left.decode(errors='replace')!r} or {right.decode(errors='replace')!r}"
    return f"{len(a)} or {len(b)} bytes"


def compare(arguments: argparse.Namespace, file: pathlib.Path) -> tuple[int, list[str]]:
    """How many plans of a file were made, and what differs."""
    made, complaints = 0, []
    for options in VIEWS:
        one = plan(arguments.compiler, arguments.std, file, options)
        two = plan(arguments.other or arguments.compiler, arguments.std, file, options)
        made += one[0] == 0
        name = " ".join([str(file), *options])
        if one[0] != two[0] or one[0] not in (0, 1):
            complaints.append(f"{name}: exit status {one[0]} or {two[0]}\n{one[2].decode(errors='replace')}")
        elif one[1:] != two[1:]:
            complaints.append(f"{name}: {first_difference(one[1] + one[2], two[1] + two[2])}")
    return made, complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("--other", default="")
    parser.add_argument("--std", required=True)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.other and not os.access(arguments.other, os.X_OK):
        print(f"SKIP: there is no other build of the compiler at {arguments.other}")
        return 77
    files = sorted({file for folder in arguments.folders for file in folder.rglob("*.linnet")})
    if not files:
        sys.exit("no .linnet file in these folders")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda file: compare(arguments, file), files))
    complaints = [complaint for _, found in results for complaint in found]
    print("\n".join(complaints))
    versus = "another build" if arguments.other else "another run"
    made = sum(count for count, _ in results)
    print(f"{len(files)} files, {made} plans, against {versus}: {len(complaints)} differ")
    return 1 if complaints or made == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
