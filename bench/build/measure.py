#!/usr/bin/env python3
"""What a generated header costs to compile, and what the program weighs.

    measure.py --build build/release [--budget-seconds 60] [--budget-gigabytes 2] [--budget-megabytes 5]

Compiles examples/01-llama/engine.cpp, the one file that includes the generated header, as the build
does but at -O3 and without ccache; strips a copy of `chat`. Prints time, the compiler's peak memory
and the size beside their budgets, and ends with 1 where one is exceeded.
"""

import argparse
import json
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile
import time


def compile_command(build):
    """The recorded command of engine.cpp, at -O3, without launcher and output."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if not entry["file"].endswith("01-llama/engine.cpp"):
            continue
        words = [w for w in shlex.split(entry["command"]) if not w.startswith("-O")]
        if pathlib.Path(words[0]).name == "ccache":
            words = words[1:]
        at = words.index("-o")
        return words[:at] + words[at + 2 :] + ["-O3"], entry["directory"]
    sys.exit(f"measure: {build} does not build examples/01-llama")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--budget-seconds", type=float, default=60)
    parser.add_argument("--budget-gigabytes", type=float, default=2)
    parser.add_argument("--budget-megabytes", type=float, default=5)
    args = parser.parse_args()
    command, folder = compile_command(args.build)
    with tempfile.TemporaryDirectory() as scratch:
        start = time.perf_counter()
        result = subprocess.run(
            command + ["-o", os.path.join(scratch, "engine.o")], cwd=folder, check=False,
            env={**os.environ, "CCACHE_DISABLE": "1"},
        )
        seconds = time.perf_counter() - start
        if result.returncode != 0:
            sys.exit("measure: the compilation failed")
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        stripped = os.path.join(scratch, "chat")
        subprocess.run(["strip", "-o", stripped, str(args.build / "bin" / "chat")], check=True)
        size = os.path.getsize(stripped)
    over = 0
    for name, value, unit, budget in (
        ("engine.cpp at -O3, wall time", seconds, "s", args.budget_seconds),
        ("engine.cpp at -O3, processor time", usage.ru_utime + usage.ru_stime, "s", args.budget_seconds),
        ("compiler's peak memory", usage.ru_maxrss / 2**20, "GiB", args.budget_gigabytes),
        ("chat, stripped", size / 1e6, "MB", args.budget_megabytes),
    ):
        print(f"{name:36} {value:8.2f} {unit:4} budget {budget:g}")
        over += value > budget and "wall" not in name
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
