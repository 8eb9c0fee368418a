#!/usr/bin/env python3
"""Writes tiny.safetensors, named as a trainer names layers, and prints what the network gives for
rows.txt: computed here, in double precision, without Linnet."""

import json
import math
import pathlib
import random
import struct

HIDDEN, INNER = 4, 8
here = pathlib.Path(__file__).parent
source = random.Random(1)


def numbers(count):
    """Multiples of 1/64: the same in float32 and in float64."""
    return [source.randint(-64, 64) / 64 for _ in range(count)]


tensors = {
    "fc1.weight": ([INNER, HIDDEN], numbers(INNER * HIDDEN)),
    "fc1.bias": ([INNER], numbers(INNER)),
    "fc2.weight": ([HIDDEN, INNER], numbers(HIDDEN * INNER)),
    "fc2.bias": ([HIDDEN], numbers(HIDDEN)),
}

# SafeTensors: the length of the header, the header in JSON, the data.
header, data = {}, b""
for name, (shape, values) in tensors.items():
    stored = struct.pack(f"<{len(values)}f", *values)
    header[name] = {"dtype": "F32", "shape": shape,
                    "data_offsets": [len(data), len(data) + len(stored)]}
    data += stored
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
(here / "tiny.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def linear(row, name):
    (outputs, inputs), weight = tensors[f"{name}.weight"]
    bias = tensors[f"{name}.bias"][1]
    return [sum(row[i] * weight[o * inputs + i] for i in range(inputs)) + bias[o]
            for o in range(outputs)]


for line in (here / "rows.txt").read_text().splitlines():
    row = [float(word) for word in line.split()]
    result = linear([math.tanh(value) for value in linear(row, "fc1")], "fc2")
    print(" ".join(f"{value:.4f}" for value in result))
