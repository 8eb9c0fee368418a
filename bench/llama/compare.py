#!/usr/bin/env python3
"""Decode and prefill speed of examples/01-llama beside llama.cpp, in one run.

    compare.py --speed build/release/bin/speed --model M.gguf [--rounds 3] [--threads 1,2]

The two programs take turns, so that a noisy machine is noisy for both; the best of each over all
rounds counts, and the ratio is ours over llama.cpp's. Needs a machine that is otherwise idle.
"""

import argparse
import json
import pathlib
import subprocess
import sys

PEER = pathlib.Path(__file__).resolve().parents[2] / "tools" / "peer" / "llama_cpp.py"
RATES = ("prompt_tokens_per_second", "generate_tokens_per_second")


def measured(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"compare: `{' '.join(command)}` ended with {result.returncode}:\n{result.stderr}")
    return json.loads(result.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--speed", required=True, help="the program `speed` of bench/llama")
    parser.add_argument("--model", required=True)
    parser.add_argument("--prompt", default="512")
    parser.add_argument("--generate", default="128")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", default="1,2")
    args = parser.parse_args()
    sizes = ["--model", args.model, "--prompt", args.prompt, "--generate", args.generate, "--repeat", "1"]
    print(f"prompt {args.prompt}, generation {args.generate}, best of {args.rounds} rounds, tokens per second")
    print(f"{'threads':>7} {'':8} {'ours':>8} {'llama.cpp':>10} {'ratio':>6}")
    for threads in args.threads.split(","):
        ours, theirs = {}, {}
        for _ in range(args.rounds):
            mine = measured([args.speed, *sizes, "--threads", threads])
            peer = measured([sys.executable, str(PEER), "speed", *sizes, "--threads", threads])
            for rate in RATES:
                ours[rate] = max(ours.get(rate, 0), mine[rate])
                theirs[rate] = max(theirs.get(rate, 0), peer[rate])
        for rate, name in zip(RATES, ("prefill", "decode")):
            print(f"{threads:>7} {name:8} {ours[rate]:8.1f} {theirs[rate]:10.1f} {ours[rate] / theirs[rate]:6.2f}")
        print(f"{'':7} peak resident {mine['peak_mebibytes']:.0f} MiB: {mine['memory']}", flush=True)


if __name__ == "__main__":
    main()
