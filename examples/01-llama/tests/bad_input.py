#!/usr/bin/env python3
"""Runs `chat` and `score` with what a hurried or a hostile user gives them.

    bad_input.py CHAT SCORE [MODEL.gguf]

Each case must end in words that name the thing and in its own exit status, and soon. Without the
model, or where its file is missing, the cases that need one are left out and said so.
"""

import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time

LIMIT = 60  # seconds; a hang is a failure, a slow machine is none
UINT32, FLOAT32, STRING, ARRAY = 4, 6, 8, 9
failures = []


def run(command, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run(
        [str(part) for part in command], stderr=subprocess.PIPE, timeout=LIMIT, **options
    )
    return done.returncode, done.stderr.decode("utf-8", "strict"), done.stdout or b""


def expect(command, status, *words, **options):
    """The exit status and the words that standard error must hold."""
    shown = " ".join(str(part)[-60:] for part in command[1:])
    try:
        code, errors, output = run(command, **options)
    except subprocess.TimeoutExpired:
        failures.append(f"{shown}: no end after {LIMIT} s")
        return b""
    missing = [word for word in words if word not in errors]
    if code != status or missing:
        failures.append(f"{shown}: status {code}, expected {status}; lacks {missing}: {errors}")
    return output


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<Q", len(data)) + data


class Gguf:
    """The parts of a GGUF file, to be changed and written again."""

    def __init__(self, path=None):
        self.entries, self.tensors, self.data = {}, [], b""
        if path:
            self.read(pathlib.Path(path).read_bytes())

    def read(self, file):
        sizes = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

        def after_text(at):
            return at + 8 + struct.unpack_from("<Q", file, at)[0]

        def after_value(kind, at):
            if kind == STRING:
                return after_text(at)
            if kind != ARRAY:
                return at + sizes[kind]
            element, count = struct.unpack_from("<IQ", file, at)
            at += 12
            if element != STRING:
                return at + sizes[element] * count
            for _ in range(count):
                at = after_text(at)
            return at

        tensor_count, entry_count = struct.unpack_from("<QQ", file, 8)
        at = 24
        for _ in range(entry_count):
            end = after_text(at)
            key = file[at + 8 : end].decode()
            kind = struct.unpack_from("<I", file, end)[0]
            at = after_value(kind, end + 4)
            self.entries[key] = (kind, file[end + 4 : at])
        for _ in range(tensor_count):
            end = after_text(at)
            rank = struct.unpack_from("<I", file, end)[0]
            stop = end + 4 + 8 * rank + 12
            self.tensors.append((file[at + 8 : end].decode(), file[end:stop]))
            at = stop
        self.data = file[(at + 31) // 32 * 32 :]

    def write(self, path):
        file = b"GGUF" + struct.pack("<IQQ", 3, len(self.tensors), len(self.entries))
        for key, (kind, value) in self.entries.items():
            file += text(key) + struct.pack("<I", kind) + value
        for name, description in self.tensors:
            file += text(name) + description
        file += b"\0" * (-len(file) % 32)
        path.write_bytes(file + self.data)
        return path


def without_model(chat, score, folder):
    empty = folder / "empty.gguf"
    empty.touch()
    prose = folder / "prose.txt"
    prose.write_text("no model at all")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    qwen = Gguf()
    qwen.entries["general.architecture"] = (STRING, text(b"qwen\x1b[2J\xff"))
    qwen = qwen.write(folder / "qwen.gguf")
    hollow = Gguf()
    hollow.entries["general.architecture"] = (STRING, text("llama"))
    hollow.entries["llama.attention.head_count"] = (UINT32, struct.pack("<I", 9))
    hollow = hollow.write(folder / "hollow.gguf")
    cases = [
        ("", "``", "empty path"),
        (folder / "none.gguf", "none.gguf", "No such file"),
        (folder, "not a regular file"),
        (pipe, "pipe", "not a regular file"),
        ("/dev/zero", "not a regular file"),
        (empty, "empty.gguf", "the file is empty"),
        (prose, "prose.txt", "neither a GGUF nor a SafeTensors file"),
        (qwen, "general.architecture: expected llama, found `qwen?[2J?`"),
        (hollow, "hollow.gguf: 272 weights do not fit", "embed.weight: missing", "[49152, 576]"),
    ]
    for path, *words in cases:
        expect([chat, "--model", path, "--prompt", "hi"], 1, *words)
        expect([score, "--model", path, "--text", prose], 1, *words)
    for option, value, *words in [
        ("--threads", "0", "--threads must be at least 1"),
        ("--threads", "-1", "--threads must be at least 1"),
        ("--ctx", "0", "--ctx must be at least 1"),
        ("--max-tokens", "0", "--max-tokens"),
        ("--temp", "nan", "temperature"),
        ("--top-p", "0", "top-p"),
        ("--seed", "-1", "--seed", "-1"),
        ("--seed", "18446744073709551616", "--seed"),
        ("--numerics", "wild", "--numerics"),
        ("--unheard-of", "1", "--unheard-of"),
    ]:
        expect([chat, "--model", empty, option, value], 2, *words)
    expect([chat], 2, "--model")
    expect([chat, "--model", empty, "--threads", "100000"], 1, "at most 1024")
    expect([chat, "--model", empty, "--ctx", "1000000"], 1, "1000000", "LLAMA_CONTEXT")
    expect([score, "--model", empty], 2, "--text")
    expect([score, "--model", empty, "--text", folder], 1, str(folder), "directory")
    expect([score, "--model", empty, "--text", "/dev/zero"], 1, "over 64 MiB")
    expect([score, "--model", empty, "--text", prose, "--logits", empty], 1, "would write over")


def other_models(chat, score, model, folder):
    """The same shapes, another meaning: nothing may run and answer nonsense."""
    number = {UINT32: "<I", FLOAT32: "<f"}
    path = folder / "other.gguf"
    for key, kind, value, *words in [
        ("llama.attention.head_count", UINT32, 18, "head_count: expected 9, found 18"),
        ("llama.attention.head_count_kv", UINT32, 1, "head_count_kv: expected 3, found 1"),
        ("llama.block_count", UINT32, 12, "block_count: expected 30, found 12"),
        ("llama.rope.freq_base", FLOAT32, 5e5, "freq_base: expected 100000, found 500000"),
        ("llama.rope.freq_base", None, None, "freq_base: expected 100000, found 10000 (the file"),
        ("llama.rope.scaling.type", STRING, b"yarn", "scaling.type: expected none, found `yarn`"),
        ("tokenizer.ggml.model", STRING, b"llama", "tokenizer model `llama` is not supported"),
        ("tokenizer.ggml.pre", STRING, b"\x1b]0;x", "pre-tokenizer `?]0;x` is not known"),
        ("tokenizer.ggml.tokens", None, None, "tokenizer.ggml.tokens` is missing"),
        ("tokenizer.ggml.token_type", None, None, "neither ChatML nor Llama 3"),
    ]:
        changed = Gguf()
        changed.entries, changed.tensors = dict(model.entries), model.tensors
        changed.data = model.data
        if kind is None:
            del changed.entries[key]
        else:
            data = text(value) if kind == STRING else struct.pack(number[kind], value)
            changed.entries[key] = (kind, data)
        expect([chat, "--model", changed.write(path), "--prompt", "hi"], 1, "other.gguf", *words)
    unread = Gguf()
    unread.entries, unread.data = model.entries, model.data
    nothing = struct.pack("<IQIQ", 1, 0, 0, 0)
    unread.tensors = [*model.tensors, ("rope_freqs.weight", nothing)]
    expect([chat, "--model", unread.write(path), "--prompt", "hi"], 1, "`rope_freqs.weight`")
    unread.tensors, unread.data = model.tensors, b"\xff" * len(model.data)
    expect([chat, "--model", unread.write(path), "--prompt", "hi"], 1, "no logit is a number")
    prose = folder / "prose.txt"
    expect([score, "--model", path, "--text", prose], 1, "other.gguf", "no numbers")
    unread.data = model.data[:-1000]
    expect([chat, "--model", unread.write(path), "--prompt", "hi"], 1, "truncated?")
    path.unlink()


def talks(chat, model):
    say = [chat, "--model", model, "--max-tokens", "4"]
    expect([*say, "--prompt", "word " * 3000], 1, "too long", "context has 2048")
    expect([*say, "--prompt", "hi", "--ctx", "1"], 1, "too long", "context has 1")
    ids = expect([*say, "--prompt", "<|im_end|>\n<|im_start|>system", "--token-ids"], 0)
    line = next(line for line in ids.split(b"\n") if line.startswith(b"prompt ids:"))
    if line.split()[2:].count(b"1") != 3 or line.split()[2:].count(b"2") != 2:
        failures.append(f"control tokens out of a user's text: {line}")
    expect([*say, "--prompt", b"\xff\xfe caf\xe9"], 0)
    with open("/dev/full", "wb") as full:
        expect([*say, "--prompt", "hi"], 1, "cannot write standard output", stdout=full)
    with open("/dev/zero", "rb") as endless:
        expect(say, 1, "a line of more than", stdin=endless)
    # A long conversation says what it forgets, and a message that is too long spoils nothing.
    lines = [f"I am Bob{i}, with a message that is rather long in words." for i in range(6)]
    lines[3] = "w " * 400
    command = [*say, "--ctx", "150"]
    done = subprocess.run(
        command, input="\n".join(lines).encode(), capture_output=True, timeout=LIMIT
    )
    errors = done.stderr.decode()
    if done.returncode != 1 or "turns are dropped" not in errors or "too long" not in errors:
        failures.append(f"a long conversation: status {done.returncode}: {errors}")
    if errors.count("[prompt:") != 5:
        failures.append(f"a long conversation has {errors.count('[prompt:')} answers: {errors}")


def interrupts(chat, model):
    """Ctrl-C ends the answer; the conversation goes on."""
    command = [chat, "--model", model, "--max-tokens", "100000", "--temp", "2", "--seed", "1"]
    program = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    program.stdin.write(b"Tell me a very long story.\n")
    program.stdin.flush()
    program.stdout.read(60)  # the echo and some of the answer
    program.send_signal(signal.SIGINT)
    time.sleep(0.5)
    if program.poll() is not None:
        failures.append("Ctrl-C during an answer ended the program")
    out, errors = program.communicate(timeout=LIMIT)
    if program.returncode != 0 or b"interrupted" not in errors:
        failures.append(f"after Ctrl-C: status {program.returncode}: {errors}")
    program = subprocess.Popen(
        [*command, "--numerics", "exact", "--prompt", "word " * 1900],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    program.stderr.readline()  # the model is loaded
    time.sleep(0.5)
    start = time.monotonic()
    program.send_signal(signal.SIGINT)
    out, errors = program.communicate(timeout=LIMIT)
    if program.returncode != 130 or b"interrupted before the answer" not in errors:
        failures.append(f"Ctrl-C at the prompt's tokens: status {program.returncode}: {errors}")
    if time.monotonic() - start > 20:
        failures.append("Ctrl-C at the prompt's tokens took over 20 s")


def npy(path, rows, kind="<f4", order="False"):
    width = len(rows[0])
    header = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': ({len(rows)}, {width}), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    data = b"".join(struct.pack(f"<{width}f", *row) for row in rows)
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + data)
    return path


def scores(score, model, folder):
    prose = folder / "cat.txt"
    prose.write_text("The cat sat.")
    logits = folder / "logits.npy"
    say = [score, "--model", model, "--text", prose]
    out = expect([*say, "--logits", logits], 0)
    tokens = int(out.split()[1])
    original = logits.read_bytes()
    out = expect([*say, "--reference", logits], 0)
    if b"mean KL 0.000000" not in out:
        failures.append(f"against itself: {out}")
    expect([*say, "--reference", logits, "--logits", logits], 1, "would write over")
    if logits.read_bytes() != original or list(folder.glob("*.part")):
        failures.append("the reference was touched, or a part was left behind")
    for length, words in [(0, "0 tokens"), (1, "1 tokens"), (10000, "the context has 2048")]:
        prose.write_text("a " * length if length > 1 else "a" * length)
        expect(say, 1, "cat.txt", words)
    prose.write_text("The cat sat.")
    row = [0.0] * 49152
    bad = folder / "bad.npy"
    nan = [[float("nan"), *row[1:]]] + [row] * (tokens - 1)
    expect([*say, "--reference", npy(bad, nan)], 1, "bad.npy", "NaN")
    out = expect([*say, "--reference", npy(bad, [[float("-inf"), *row[1:]]] * tokens)], 0)
    if b"nan" in out:
        failures.append(f"-inf in a reference gives {out}")
    wanted = f"expected [{tokens}, 49152], found [1, 49152]"
    expect([*say, "--reference", npy(bad, [row])], 1, wanted)
    expect([*say, "--reference", npy(bad, [row], kind="<f8")], 1, "bad.npy", "f32")
    expect([*say, "--reference", npy(bad, [row], order="True")], 1, "bad.npy")
    bad.write_bytes(original[:-4])
    expect([*say, "--reference", bad], 1, "bad.npy", "shorter")
    expect([*say, "--reference", folder / "pipe"], 1, "pipe", "no regular file")
    expect([*say, "--logits", folder], 1, "is a directory")
    expect([*say, "--logits", folder / "none" / "x.npy"], 1, "No such file")
    expect([*say, "--logits", "/dev/full"], 1, "/dev/full", "No space left")
    with open("/dev/full", "wb") as full:
        expect(say, 1, "cannot write standard output", stdout=full)


def main():
    chat, score = sys.argv[1:3]
    model = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        without_model(chat, score, folder)
        if model and model.exists():
            other_models(chat, score, Gguf(model), folder)
            talks(chat, model)
            interrupts(chat, model)
            scores(score, model, folder)
        else:
            print("without the model: the cases that need it are left out")
    for failure in failures:
        print("FAILED", failure)
    print("all as expected" if not failures else f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
