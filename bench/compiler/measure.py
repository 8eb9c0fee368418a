#!/usr/bin/env python3
"""Time and memory of `linnet check` and `linnet plan`.

    measure.py --linnet build/release/bin/linnet [--rounds 5]

Measures on the whole standard library, on examples/01-llama, and on a generated decoder package of
32 layers written out as 32 blocks. Prints the best of the rounds, per thousand lines of all the
source that is read, and the peak memory (Linux counts
this script's 14 MiB before the program starts as well); process start is included.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

LAYER = '''
/// Layer {i} of the decoder.
block Layer{i}<H: Dim, Heads: Dim, KvHeads: Dim, Inner: Dim, MaxSeq: Dim, T: Float = bf16>
where Heads > 0, H % Heads == 0, (H / Heads) % 2 == 0, KvHeads > 0, Heads % KvHeads == 0 {{
    sub norm: RmsNorm<H, T>
    sub q: Linear<H, H, T>
    sub k: Linear<H, KvHeads * (H / Heads), T>
    sub v: Linear<H, KvHeads * (H / Heads), T>
    sub o: Linear<H, H, T>
    sub post: RmsNorm<H, T>
    sub mlp: SwiGlu<H, Inner, T>
    state keys: Tensor[1, KvHeads, MaxSeq, H / Heads; T]
    state values: Tensor[1, KvHeads, MaxSeq, H / Heads; T]

    pub fn forward<S: Dim>(x: Tensor[1, S, H; T], c: Tensor[S, H / Heads; T], s: Tensor[S, H / Heads; T], mask: Tensor[S, MaxSeq; bool], pos: i32) -> Tensor[1, S, H; T] {{
        let h = norm.forward(x)
        let query = rope(permute(reshape(q.forward(h), [1, S, Heads, H / Heads]), [0, 2, 1, 3]), c, s)
        let key = rope(permute(reshape(k.forward(h), [1, S, KvHeads, H / Heads]), [0, 2, 1, 3]), c, s)
        let value = permute(reshape(v.forward(h), [1, S, KvHeads, H / Heads]), [0, 2, 1, 3])
        keys = write_span(keys, key, pos)
        values = write_span(values, value, pos)
        let mixed = grouped_attention(query, keys, values, rsqrt(cast<f32>(H / Heads)), some(mask))
        let a = x + o.forward(reshape(permute(mixed, [0, 2, 1, 3]), [1, S, H]))
        return a + mlp.forward(post.forward(a))
    }}
}}
'''


def decoder(layers):
    head = '''module decoder

use std.nn.attention::{grouped_attention}
use std.nn.cache::{write_span}
use std.nn.linear::{Linear}
use std.nn.mlp::{SwiGlu}
use std.nn.norm::{RmsNorm}
use std.nn.rope::{rope}
'''
    generics = "H, Heads, KvHeads, Inner, MaxSeq, T"
    subs = "\n".join(f"    sub layer{i}: Layer{i}<{generics}>" for i in range(layers))
    calls = "\n".join(f"        x = layer{i}.forward(x, c, s, mask, pos)" for i in range(layers))
    root = f'''
pub block Model<H: Dim, Heads: Dim, KvHeads: Dim, Inner: Dim, MaxSeq: Dim, T: Float = bf16>
where Heads > 0, H % Heads == 0, (H / Heads) % 2 == 0, KvHeads > 0, Heads % KvHeads == 0 {{
{subs}

    pub entry forward<S: Dim>(x0: Tensor[1, S, H; T], c: Tensor[S, H / Heads; T], s: Tensor[S, H / Heads; T], mask: Tensor[S, MaxSeq; bool], pos: i32) -> Tensor[1, S, H; T] {{
        var x = x0
{calls}
        return x
    }}
}}
'''
    return head + "".join(LAYER.format(i=i) for i in range(layers)) + root


def measured(command, rounds):
    """Best wall time in seconds and largest peak memory in MiB of the command alone."""
    best, peak = float("inf"), 0
    for _ in range(rounds):
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        message = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        best = min(best, time.perf_counter() - start)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"measure: `{' '.join(command)}` failed:\n{message.decode()}")
        peak = max(peak, usage.ru_maxrss / 1024)
    return best, peak


def lines(paths):
    return sum(p.read_text().count("\n") for path in paths for p in ([path] if path.is_file() else path.rglob("*.linnet")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linnet", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    print(f"{'':34} {'lines':>6} {'ms':>8} {'ms per 1000 lines':>18} {'MiB':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        generated = pathlib.Path(scratch) / "decoder.linnet"
        generated.write_text(decoder(32))
        llama = ROOT / "examples" / "01-llama" / "src" / "lib.linnet"
        library = ROOT / "stdlib"
        for name, command, sources in (
            ("check, standard library", ["check", str(library)], [library]),
            ("check, 01-llama", ["check", str(llama)], [llama.parent, library]),
            ("plan, 01-llama", ["plan", str(llama)], [llama.parent, library]),
            ("check, 32-layer decoder", ["check", str(generated)], [generated]),
            ("plan, 32-layer decoder", ["plan", str(generated)], [generated]),
        ):
            seconds, peak = measured([args.linnet, *command], args.rounds)
            count = lines(sources)
            print(f"{name:34} {count:6} {seconds * 1e3:8.1f} {seconds * 1e6 / count:18.2f} {peak:6.1f}")


if __name__ == "__main__":
    main()
