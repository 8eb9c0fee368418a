#!/usr/bin/env python3
"""llama.cpp as the peer: its speed, and its logits, through llama-cpp-python.

    llama_cpp.py speed  --model M.gguf [--prompt 512] [--generate 128] [--threads 1,2] [--repeat 3]
    llama_cpp.py logits --model M.gguf (--text FILE | --ids IDS) --out OUT.npy [--threads N]

`speed` prints one JSON object a thread count with tokens per second, the best of the repeats, as
our own benchmarks count. Tokens are fixed, nothing is sampled, and batches hold the whole prompt.
`logits` writes `[positions, vocabulary; f32]`, the text encoded without added tokens.

Where llama-cpp-python is missing it is compiled into the environment of the cache folder, which
takes 5 to 6 minutes on two cores; the build is for this machine's instruction set.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve()
# This file has the name of the module that it needs: its own folder must not be searched.
sys.path = [entry for entry in sys.path if pathlib.Path(entry or ".").resolve() != HERE.parent]
sys.path.insert(0, str(HERE.parents[1]))
import environment  # noqa: E402

environment.ensure(
    {"numpy": "numpy", "llama_cpp": "llama-cpp-python==0.3.36"},
    build={"CMAKE_ARGS": "-DGGML_NATIVE=ON"},
)
import llama_cpp  # noqa: E402
import numpy as np  # noqa: E402


def open_model(path: str, context: int, threads: int, every: bool = False) -> llama_cpp.Llama:
    try:
        return llama_cpp.Llama(
            path,
            n_ctx=context,
            n_batch=context,
            n_ubatch=512,
            n_threads=threads,
            n_threads_batch=threads,
            logits_all=every,
            verbose=False,
        )
    except ValueError as error:
        sys.exit(f"llama_cpp: {error}")


def decode(model: llama_cpp.Llama, tokens: list[int]) -> None:
    """One call of llama_decode: logits of the last token only, as a chat needs them."""
    array = (llama_cpp.llama_token * len(tokens))(*tokens)
    batch = llama_cpp.llama_batch_get_one(array, len(tokens))
    if llama_cpp.llama_decode(model.ctx, batch) != 0:
        sys.exit("llama_cpp: llama_decode failed")


def clear(model: llama_cpp.Llama) -> None:
    llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(model.ctx), True)


def measure(args: argparse.Namespace, threads: int) -> dict[str, float]:
    model = open_model(args.model, args.prompt + args.generate + 1, threads)
    tokens = [1 + (7919 * i) % (model.n_vocab() - 1) for i in range(args.prompt + args.generate)]
    prompt, rest = tokens[: args.prompt], tokens[args.prompt :]
    prefill, generate = [], []
    for repeat in range(args.repeat + 1):  # the first run warms up
        clear(model)
        start = time.perf_counter()
        decode(model, prompt)
        llama_cpp.llama_get_logits_ith(model.ctx, -1)
        middle = time.perf_counter()
        for token in rest:
            decode(model, [token])
            llama_cpp.llama_get_logits_ith(model.ctx, -1)
        if repeat > 0:
            prefill.append(middle - start)
            generate.append(time.perf_counter() - middle)
    return {
        "threads": threads,
        "prompt": args.prompt,
        "generate": args.generate,
        "prompt_tokens_per_second": round(args.prompt / min(prefill), 1),
        "generate_tokens_per_second": round(args.generate / min(generate), 1),
    }


def run_speed(args: argparse.Namespace) -> None:
    for threads in args.threads:
        print(json.dumps(measure(args, threads)), flush=True)


def read_ids(args: argparse.Namespace) -> list[int]:
    if args.text:
        vocabulary = open_model(args.model, 8, 1)
        text = pathlib.Path(args.text).read_bytes()
        return vocabulary.tokenize(text, add_bos=False, special=False)
    path = pathlib.Path(args.ids)
    text = path.read_text() if path.is_file() else args.ids
    try:
        return [int(part) for part in text.strip(" []\n").split(",")]
    except ValueError:
        sys.exit(f"llama_cpp: `{args.ids}` is neither a list of token ids nor a file with one")


def run_logits(args: argparse.Namespace) -> None:
    ids = read_ids(args)
    model = open_model(args.model, len(ids) + 1, args.threads[0], every=True)
    model.eval(ids)
    np.save(args.out, np.array(model.scores[: len(ids)], dtype=np.float32))
    print(json.dumps({"tokens": len(ids)}))


def thread_list(text: str) -> list[int]:
    counts = [int(part) for part in text.split(",")]
    if min(counts) < 1:
        raise ValueError
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    speed = commands.add_parser("speed", help="tokens per second of prompt and generation")
    speed.add_argument("--model", required=True)
    speed.add_argument("--prompt", type=int, default=512)
    speed.add_argument("--generate", type=int, default=128)
    speed.add_argument("--threads", type=thread_list, default=[1, 2], metavar="N,N")
    speed.add_argument("--repeat", type=int, default=3)
    speed.set_defaults(run=run_speed)
    logits = commands.add_parser("logits", help="logits of every position of a text")
    logits.add_argument("--model", required=True)
    source = logits.add_mutually_exclusive_group(required=True)
    source.add_argument("--text", metavar="FILE")
    source.add_argument("--ids")
    logits.add_argument("--out", required=True, metavar="OUT.npy")
    logits.add_argument("--threads", type=thread_list, default=[2], metavar="N")
    logits.set_defaults(run=run_logits)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
