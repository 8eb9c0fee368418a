#!/usr/bin/env python3
"""Checks `chat` and `score` of examples/01-llama against the oracle and llama.cpp.

    accept.py --bin build/release/bin --model SmolLM2-135M-Instruct.Q4_1.gguf [--no-peer]

With --numerics exact, logits must be within 1e-3 of the largest of their position and greedy
answers equal the oracle's (tests/golden/smollm2/greedy.json). With --numerics fast, mean KL from
the oracle must be below llama.cpp's on each text, first choices equal on 97 % of all positions, and
greedy answers may leave the oracle's only where its two highest logits are within 0.1. Prints what
it measures and ends with 1 where something does not hold. Logits go into the cache folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys

import oracle
import environment
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDENS = ROOT / "tests" / "golden" / "smollm2"


class Acceptance:
    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.failures = 0
        self.folder = environment.cache_folder() / "accept"
        self.folder.mkdir(parents=True, exist_ok=True)

    def check(self, holds: bool, text: str) -> None:
        print(f"{'ok  ' if holds else 'FAIL'}  {text}", flush=True)
        self.failures += not holds

    def program(self, name: str, *arguments: str) -> str:
        command = [str(pathlib.Path(self.args.bin) / name), "--model", self.args.model, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"accept: `{' '.join(command)}` ended with {result.returncode}:\n{result.stderr}")
        return result.stdout

    def oracle_logits(self, text: pathlib.Path) -> np.ndarray:
        """Kept in the cache folder by the contents of text and model name."""
        key = hashlib.sha256(text.read_bytes() + self.args.model.encode()).hexdigest()[:16]
        path = self.folder / f"oracle-{key}.npy"
        if not path.exists():
            script = pathlib.Path(__file__).with_name("oracle.py")
            self.script(script, "--text", str(text), "--out", str(path))
        return np.load(path)

    def script(self, script: pathlib.Path, *arguments: str) -> None:
        command = [sys.executable, str(script), "logits", "--model", self.args.model, *arguments]
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
            sys.exit(f"accept: `{' '.join(command)}` failed")

    def texts(self) -> None:
        equal, positions = 0, 0
        for text in sorted(GOLDENS.glob("*.txt")):
            reference = self.oracle_logits(text)
            out = self.folder / "logits.npy"
            ours = {}
            for numerics in ("exact", "fast"):
                self.program(
                    "score", "--text", str(text), "--logits", str(out), "--numerics", numerics
                )
                ours[numerics] = np.load(out)
                if ours[numerics].shape != reference.shape:
                    self.check(False, f"{text.name}: {ours[numerics].shape}, not {reference.shape}")
                    return
            apart = np.abs(ours["exact"] - reference).max(axis=-1)
            relative = float((apart / np.abs(reference).max(axis=-1)).max())
            self.check(relative <= 1e-3, f"{text.name}: exact, logits within {relative:.1e}")
            kl, agree = divergence(ours["fast"], reference)
            equal, positions = equal + int(agree.sum()), positions + len(agree)
            measured = f"{text.name}: fast, mean KL {kl.mean():.2e}, largest {kl.max():.2e}"
            if self.args.no_peer:
                print(f"      {measured}", flush=True)
                continue
            peer = ROOT / "tools" / "peer" / "llama_cpp.py"
            self.script(peer, "--text", str(text), "--out", str(out))
            theirs, _ = divergence(np.load(out), reference)
            self.check(kl.mean() < theirs.mean(), f"{measured}; llama.cpp {theirs.mean():.2e}")
        share = equal / max(positions, 1)
        self.check(share >= 0.97, f"fast, first choice equal on {share:.2%} of {positions} positions")

    def greedy(self) -> None:
        for golden in json.loads((GOLDENS / "greedy.json").read_text(encoding="utf-8")):
            for numerics in ("exact", "fast"):
                options = ["--prompt", golden["prompt"], "--system", oracle.DEFAULT_SYSTEM]
                options += ["--temp", "0", "--max-tokens", "64", "--token-ids"]
                printed = self.program("chat", *options, "--numerics", numerics)
                self.answer(golden, numerics, ids_of(printed, "prompt"), ids_of(printed, "answer"))

    def answer(self, golden: dict, numerics: str, prompt: list[int], answer: list[int]) -> None:
        name = f"{numerics}, `{golden['prompt']}`"
        if prompt != golden["prompt_ids"]:
            self.check(False, f"{name}: other prompt ids")
            return
        expected = golden["ids"]
        # `chat` does not print the token that ends the turn.
        if len(answer) == len(expected) - 1 and len(expected) < 64:
            answer = [*answer, expected[-1]]
        at = next((i for i, pair in enumerate(zip(answer, expected)) if pair[0] != pair[1]), None)
        if at is None and len(answer) != len(expected):
            at = min(len(answer), len(expected) - 1)
        if at is None:
            self.check(True, f"{name}: the oracle's {len(expected)} tokens")
        else:
            gap = golden["gaps"][at]
            holds = numerics == "fast" and gap <= 0.1
            self.check(holds, f"{name}: leaves the oracle at token {at}, where the gap is {gap}")


def divergence(other: np.ndarray, reference: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """KL(reference || other) and whether the first choices agree, by position."""
    kl = []
    for ours, theirs in zip(other, reference):  # by row: float64 copies of all would take gigabytes
        p, q = oracle.log_softmax(theirs), oracle.log_softmax(ours)
        kl.append(np.sum(np.exp(p) * (p - q)))
    return np.array(kl), other.argmax(axis=-1) == reference.argmax(axis=-1)


def ids_of(printed: str, which: str) -> list[int]:
    label = f"{which} ids:"
    for line in printed.splitlines():
        if line.startswith(label):
            return [int(part) for part in line[len(label) :].split()]
    sys.exit(f"accept: chat printed no line `{label}`")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, metavar="DIR", help="folder of chat and score")
    parser.add_argument("--model", required=True)
    parser.add_argument("--no-peer", action="store_true", help="do not run llama.cpp")
    acceptance = Acceptance(parser.parse_args())
    acceptance.texts()
    acceptance.greedy()
    sys.exit(1 if acceptance.failures else 0)


if __name__ == "__main__":
    main()
