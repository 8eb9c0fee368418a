#!/usr/bin/env python3
"""The oracle: a float32 NumPy forward pass of a llama-family GGUF on its dequantised weights.

    oracle.py logits   --model M.gguf (--text FILE | --ids IDS) --out OUT.npy
    oracle.py generate --model M.gguf [--tokens N] [--system TEXT] (--prompt TEXT | --ids IDS)...
    oracle.py compare  OTHER.npy REFERENCE.npy
    oracle.py tokens   --model M.gguf --text FILE

`logits` writes `[positions, vocabulary; f32]` and prints the mean negative log-likelihood.
`generate` is greedy; it prints one JSON object a prompt: `prompt_ids`, `ids`, `text`, and for each
step the gap between its two highest logits. `compare` prints KL(reference || other) and how often
the first choices agree. IDS is a list `1,2,3` or the name of a file with one; texts are encoded
without added tokens, prompts are put into the ChatML template.

Needs the packages numpy, gguf and tokenizers; where they are missing it installs them into the
environment of the cache folder (tools/environment.py).
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import environment  # noqa: E402

environment.ensure({"numpy": "numpy", "gguf": "gguf", "tokenizers": "tokenizers"})
import numpy as np  # noqa: E402

DEFAULT_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


class Model:
    """Weights in float32, shapes as in the file; a key/value cache that grows with `forward`."""

    def __init__(self, path: str):
        import gguf

        reader = gguf.GGUFReader(path)
        self.fields = reader.fields
        architecture = self.field("general.architecture")
        if architecture != "llama":
            sys.exit(f"oracle: {path}: architecture `{architecture}`, expected `llama`")

        def setting(name: str, default=None):
            return self.field(f"llama.{name}", default)

        self.weights = {
            t.name: gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32)
            for t in reader.tensors
        }
        self.layers = int(setting("block_count"))
        self.heads = int(setting("attention.head_count"))
        self.kv_heads = int(setting("attention.head_count_kv", self.heads))
        hidden = int(setting("embedding_length"))
        self.head_dim = int(setting("attention.key_length", hidden // self.heads))
        self.epsilon = np.float32(setting("attention.layer_norm_rms_epsilon"))
        rotated = int(setting("rope.dimension_count", self.head_dim))
        base = float(setting("rope.freq_base", 10000.0))
        self.frequencies = base ** (-np.arange(0, rotated, 2, dtype=np.float64) / rotated)
        if "rope_freqs.weight" in self.weights:  # Llama 3 scaling, stored as divisors
            self.frequencies /= self.weights["rope_freqs.weight"].astype(np.float64)
        self.head = self.weights.get("output.weight", self.weights["token_embd.weight"])
        self.reset()

    def field(self, name: str, default=None):
        found = self.fields.get(name)
        if found is None:
            return default
        return found.contents()

    def reset(self) -> None:
        empty = np.zeros((self.kv_heads, 0, self.head_dim), np.float32)
        self.cache = [[empty, empty] for _ in range(self.layers)]

    def position(self) -> int:
        return self.cache[0][0].shape[1]

    def norm(self, x: np.ndarray, weight: str) -> np.ndarray:
        scale = 1.0 / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self.epsilon)
        return x * scale.astype(np.float32) * self.weights[weight]

    def rotate(self, x: np.ndarray, first: int) -> np.ndarray:
        """Turns the pairs (2i, 2i + 1) of `x: [heads, positions, dimension]`, as GGUF stores them."""
        positions = np.arange(first, first + x.shape[1], dtype=np.float64)
        angles = positions[:, None] * self.frequencies[None, :]
        cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        rotated = 2 * len(self.frequencies)
        even, odd = x[..., 0:rotated:2], x[..., 1:rotated:2]
        y = x.copy()
        y[..., 0:rotated:2] = even * cos - odd * sin
        y[..., 1:rotated:2] = even * sin + odd * cos
        return y

    def attention(self, layer: int, x: np.ndarray) -> np.ndarray:
        prefix = f"blk.{layer}.attn_"
        steps, first = x.shape[0], self.position_of(layer)

        def project(name: str, heads: int) -> np.ndarray:
            y = x @ self.weights[f"{prefix}{name}.weight"].T
            if f"{prefix}{name}.bias" in self.weights:
                y = y + self.weights[f"{prefix}{name}.bias"]
            return y.reshape(steps, heads, self.head_dim).transpose(1, 0, 2)

        query = self.rotate(project("q", self.heads), first)
        key = self.rotate(project("k", self.kv_heads), first)
        value = project("v", self.kv_heads)
        cache = self.cache[layer]
        cache[0] = key = np.concatenate([cache[0], key], axis=1)
        cache[1] = value = np.concatenate([cache[1], value], axis=1)

        group = self.heads // self.kv_heads
        mask = np.arange(key.shape[1])[None, :] <= np.arange(first, first + steps)[:, None]
        out = np.empty((steps, self.heads, self.head_dim), np.float32)
        for head in range(self.heads):
            scores = query[head] @ key[head // group].T / np.float32(np.sqrt(self.head_dim))
            scores = np.where(mask, scores, -np.inf)
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            out[:, head] = (scores / scores.sum(axis=-1, keepdims=True)) @ value[head // group]
        return out.reshape(steps, -1) @ self.weights[f"{prefix}output.weight"].T

    def position_of(self, layer: int) -> int:
        return self.cache[layer][0].shape[1]

    def forward(self, ids: list[int], every: bool = False) -> np.ndarray:
        """Logits behind the last of `ids`, or (`every`) behind each; the cache takes them all."""
        vocabulary = self.head.shape[0]
        if not ids or min(ids) < 0 or max(ids) >= vocabulary:
            sys.exit(f"oracle: token ids must be at least one and inside 0..{vocabulary - 1}")
        x = self.weights["token_embd.weight"][ids]
        for layer in range(self.layers):
            prefix = f"blk.{layer}."
            x = x + self.attention(layer, self.norm(x, f"{prefix}attn_norm.weight"))
            y = self.norm(x, f"{prefix}ffn_norm.weight")
            gate = y @ self.weights[f"{prefix}ffn_gate.weight"].T
            up = y @ self.weights[f"{prefix}ffn_up.weight"].T
            gate = gate / (1 + np.exp(-gate))
            x = x + (gate * up) @ self.weights[f"{prefix}ffn_down.weight"].T
        x = self.norm(x, "output_norm.weight")
        return (x if every else x[-1:]) @ self.head.T


def make_tokenizer(model: Model):
    """A `tokenizers` tokenizer from the GGUF's vocabulary and merges (byte-level BPE only)."""
    import tokenizers
    from tokenizers import decoders, models, pre_tokenizers

    kind, pre = model.field("tokenizer.ggml.model"), model.field("tokenizer.ggml.pre", "default")
    splits = {"smollm": [pre_tokenizers.Digits(individual_digits=True)], "gpt-2": []}
    if kind != "gpt2" or pre not in splits:
        sys.exit(f"oracle: tokenizer `{kind}` with pre-tokenizer `{pre}`: give --ids instead")
    tokens = model.field("tokenizer.ggml.tokens")
    merges = [tuple(m.split(" ")) for m in model.field("tokenizer.ggml.merges")]
    bpe = models.BPE({token: i for i, token in enumerate(tokens)}, merges)
    tokenizer = tokenizers.Tokenizer(bpe)
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*splits[pre], byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    types = model.field("tokenizer.ggml.token_type", [])
    control = [token for token, kind in zip(tokens, types) if kind in (3, 4)]
    tokenizer.add_special_tokens([tokenizers.AddedToken(t, normalized=False) for t in control])
    return tokenizer


def chat_prompt(prompt: str, system: str) -> str:
    turns = [("system", system), ("user", prompt)]
    text = "".join(f"<|im_start|>{role}\n{content}<|im_end|>\n" for role, content in turns)
    return text + "<|im_start|>assistant\n"


def read_ids(argument: str) -> list[int]:
    path = pathlib.Path(argument)
    text = path.read_text() if path.is_file() else argument
    try:
        return [int(part) for part in text.strip(" []\n").split(",")]
    except ValueError:
        sys.exit(f"oracle: `{argument}` is neither a list of token ids nor a file with one")


def log_softmax(logits: np.ndarray) -> np.ndarray:
    x = logits.astype(np.float64)
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def run_logits(args: argparse.Namespace) -> None:
    model = Model(args.model)
    if args.ids:
        ids = read_ids(args.ids)
    else:
        text = pathlib.Path(args.text).read_text(encoding="utf-8")
        ids = make_tokenizer(model).encode(text, add_special_tokens=False).ids
    logits = model.forward(ids, every=True)
    np.save(args.out, logits)
    report = {"tokens": len(ids)}
    if len(ids) > 1:
        scores = log_softmax(logits[:-1])
        report["mean_nll"] = float(-scores[np.arange(len(ids) - 1), ids[1:]].mean())
    print(json.dumps(report))


def greedy(model: Model, ids: list[int], count: int, stop: int | None) -> tuple[list, list]:
    model.reset()
    out, gaps = [], []
    logits = model.forward(ids)[0]
    while True:
        low, high = np.partition(logits, -2)[-2:]
        gaps.append(round(float(high - low), 4))
        out.append(int(np.argmax(logits)))
        if len(out) == count or out[-1] == stop:
            return out, gaps
        logits = model.forward(out[-1:])[0]


def run_generate(args: argparse.Namespace) -> None:
    model = Model(args.model)
    texts = args.prompt or []
    tokenizer = make_tokenizer(model) if texts else None
    inputs = [(None, read_ids(ids)) for ids in args.ids or []]
    for text in texts:
        prompt = chat_prompt(text, args.system)
        inputs.append((text, tokenizer.encode(prompt, add_special_tokens=False).ids))
    if not inputs:
        sys.exit("oracle: give --prompt or --ids")
    for text, ids in inputs:
        stop = None if args.past_end else model.field("tokenizer.ggml.eos_token_id")
        out, gaps = greedy(model, ids, args.tokens, stop)
        result = {"prompt": text, "prompt_ids": ids, "ids": out, "gaps": gaps}
        if tokenizer:
            result["text"] = tokenizer.decode(out, skip_special_tokens=True)
        print(json.dumps(result, ensure_ascii=False), flush=True)


def run_compare(args: argparse.Namespace) -> None:
    other, reference = np.load(args.other, mmap_mode="r"), np.load(args.reference, mmap_mode="r")
    if other.shape != reference.shape:
        sys.exit(f"oracle: shapes differ: {other.shape} and {reference.shape}")
    kl, agree, apart = [], [], []
    for row in range(len(reference)):  # row by row: whole files would take gigabytes in float64
        p, q = log_softmax(reference[row]), log_softmax(other[row])
        kl.append(float(np.sum(np.exp(p) * (p - q))))
        agree.append(int(np.argmax(other[row])) == int(np.argmax(reference[row])))
        apart.append(float(np.max(np.abs(other[row] - reference[row]))))
    report = {
        "positions": len(kl),
        "mean_kl": float(np.mean(kl)),
        "largest_kl": float(np.max(kl)),
        "first_choice_equal": float(np.mean(agree)),
        "largest_logit_difference": float(np.max(apart)),
        "largest_logit": float(np.max(np.abs(reference))),
    }
    print(json.dumps(report, indent=1))


def run_tokens(args: argparse.Namespace) -> None:
    import gguf

    model = Model.__new__(Model)  # the metadata alone
    model.fields = gguf.GGUFReader(args.model).fields
    text = pathlib.Path(args.text).read_text(encoding="utf-8")
    print(json.dumps(make_tokenizer(model).encode(text, add_special_tokens=False).ids))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)

    logits = commands.add_parser("logits", help="logits of every position of a text")
    logits.add_argument("--model", required=True)
    source = logits.add_mutually_exclusive_group(required=True)
    source.add_argument("--text", metavar="FILE")
    source.add_argument("--ids")
    logits.add_argument("--out", required=True, metavar="OUT.npy")
    logits.set_defaults(run=run_logits)

    generate = commands.add_parser("generate", help="greedy answers")
    generate.add_argument("--model", required=True)
    generate.add_argument("--prompt", action="append", metavar="TEXT")
    generate.add_argument("--ids", action="append")
    generate.add_argument("--system", default=DEFAULT_SYSTEM)
    generate.add_argument("--tokens", type=int, default=64)
    generate.add_argument("--past-end", action="store_true", help="do not stop at the end token")
    generate.set_defaults(run=run_generate)

    compare = commands.add_parser("compare", help="KL(reference || other), first choices")
    compare.add_argument("other")
    compare.add_argument("reference")
    compare.set_defaults(run=run_compare)

    tokens = commands.add_parser("tokens", help="token ids of a text")
    tokens.add_argument("--model", required=True)
    tokens.add_argument("--text", required=True, metavar="FILE")
    tokens.set_defaults(run=run_tokens)

    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
