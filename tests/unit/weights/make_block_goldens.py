#!/usr/bin/env python3
"""Writes block_goldens.txt: random blocks of every block format and what they decode to.

A line is `FORMAT BLOCK_HEX VALUES_HEX`: the stored bytes, and the decoded f32 values as
little-endian bytes, by `gguf.quants.dequantize`.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))
import environment  # noqa: E402

environment.ensure({"numpy": "numpy", "gguf": "gguf"})
import gguf  # noqa: E402
import numpy as np  # noqa: E402

# Format, blocks, byte offsets of its f16 fields.
FORMATS = [
    ("Q8_0", 2, [0]),
    ("Q4_0", 2, [0]),
    ("Q4_1", 2, [0, 2]),
    ("Q5_0", 2, [0]),
    ("Q5_1", 2, [0, 2]),
    ("Q2_K", 1, [80, 82]),
    ("Q3_K", 1, [108]),
    ("Q4_K", 1, [0, 2]),
    ("Q5_K", 1, [0, 2]),
    ("Q6_K", 1, [208]),
    ("MXFP4", 2, []),
]


def main() -> None:
    rng = np.random.default_rng(20260101)
    lines = []
    for name, count, halves in FORMATS:
        qtype = gguf.GGMLQuantizationType[name]
        size = gguf.GGML_QUANT_SIZES[qtype][1]
        blocks = rng.integers(0, 256, (count, size), dtype=np.uint8)
        for row, block in enumerate(blocks):
            for offset in halves:
                # The second block of a format has subnormal scales.
                scale = np.float16(rng.normal() * (3e-6 if row else 0.02))
                block[offset : offset + 2] = np.frombuffer(scale.tobytes(), np.uint8)
        if name == "MXFP4":
            blocks[:, 0] = [121, 1]  # an everyday exponent, and a subnormal one
        values = gguf.quants.dequantize(blocks, qtype).astype("<f4")
        lines.append(f"{name} {blocks.tobytes().hex()} {values.tobytes().hex()}\n")
    path = pathlib.Path(__file__).with_name("block_goldens.txt")
    path.write_text("".join(lines))
    print(f"wrote {path.name}: {len(lines)} formats")


if __name__ == "__main__":
    main()
