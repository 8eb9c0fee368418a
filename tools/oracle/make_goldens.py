#!/usr/bin/env python3
"""Writes what is right for SmolLM2, by the oracle, into tests/golden/smollm2/.

    make_goldens.py --model SmolLM2-135M-Instruct.Q4_1.gguf

greedy.json: for eight prompts in the ChatML template the ids of the prompt and of the greedy answer
(to its end, 64 tokens at most), and the gap between the two highest logits at each step: a program
may differ only where that is small. texts.json: for each text beside it its token ids, the mean
negative log-likelihood, and the five highest logits at every 32nd position. Takes a few minutes.
"""

from __future__ import annotations

import argparse
import json
import pathlib

import oracle
import numpy as np

PROMPTS = [
    "What is the capital of France?",
    "Explain in two sentences why the sky is blue.",
    "Write a short poem about a lighthouse in winter.",
    "List five fruits that are red.",
    "What is 17 + 25? Show how you get the result.",
    "Write a Python function that returns the largest number of a list.",
    "Translate to French: \"Good morning, where is the train station?\"",
    "Tell me a story about a fox \U0001f98a and an old clockmaker named Zo\u00eb.",
]
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "smollm2"


def greedy_goldens(model: oracle.Model, tokenizer) -> list[dict]:
    goldens = []
    for prompt in PROMPTS:
        text = oracle.chat_prompt(prompt, oracle.DEFAULT_SYSTEM)
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        out, gaps = oracle.greedy(model, ids, 64, model.field("tokenizer.ggml.eos_token_id"))
        answer = tokenizer.decode(out, skip_special_tokens=True)
        goldens.append(
            {"prompt": prompt, "prompt_ids": ids, "ids": out, "gaps": gaps, "text": answer}
        )
        print(f"{min(gaps):8.4f} smallest gap, {len(out)} tokens: {prompt}", flush=True)
    return goldens


def text_goldens(model: oracle.Model, tokenizer) -> list[dict]:
    goldens = []
    for path in sorted(FOLDER.glob("*.txt")):
        ids = tokenizer.encode(path.read_text(encoding="utf-8"), add_special_tokens=False).ids
        model.reset()
        logits = model.forward(ids, every=True)
        scores = oracle.log_softmax(logits[:-1])
        nll = -scores[np.arange(len(ids) - 1), ids[1:]].mean()
        highest = []
        for position in range(0, len(ids), 32):
            row = logits[position]
            best = np.argsort(-row)[:5]
            pairs = [[int(token), round(float(row[token]), 4)] for token in best]
            highest.append({"position": position, "logits": pairs})
        goldens.append(
            {"file": path.name, "ids": ids, "mean_nll": round(float(nll), 6), "highest": highest}
        )
        print(f"{nll:8.4f} mean negative log-likelihood, {len(ids)} tokens: {path.name}", flush=True)
    return goldens


def write(name: str, goldens: list[dict]) -> None:
    lines = ",\n".join(json.dumps(golden, ensure_ascii=False) for golden in goldens)
    (FOLDER / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    model = oracle.Model(parser.parse_args().model)
    tokenizer = oracle.make_tokenizer(model)
    write("texts.json", text_goldens(model, tokenizer))
    write("greedy.json", greedy_goldens(model, tokenizer))


if __name__ == "__main__":
    main()
