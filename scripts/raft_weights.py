#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the weights of RAFT's small model to a file for the property flow-weights.

usage: raft_weights.py FILE.safetensors
       raft_weights.py --random SEED FILE.safetensors

The weights are those of torchvision's raft_small (Debian: python3-torchvision), which downloads
them, 4 MB. With --random they are random numbers, for tests: flow that is estimated with them means
nothing. That needs only Python.
"""
import argparse
import json
import math
import random
import struct
import sys

ADVICE = """torchvision is missing. Install it with

    sudo apt-get install --no-install-recommends python3-torchvision
"""


def shapes():
    """{name: shape} of all tensors of raft_small."""
    convolutions = {}
    for encoder, outputs in ("feature_encoder", 128), ("context_encoder", 160):
        convolutions[f"{encoder}.convnormrelu.0"] = (32, 3, 7)
        inputs = 32
        for layer, channels in enumerate((32, 64, 96), 1):
            for block in 0, 1:
                name, narrow = f"{encoder}.layer{layer}.{block}", channels // 4
                convolutions[f"{name}.convnormrelu1.0"] = (narrow, inputs, 1)
                convolutions[f"{name}.convnormrelu2.0"] = (narrow, narrow, 3)
                convolutions[f"{name}.convnormrelu3.0"] = (channels, narrow, 1)
                if channels != inputs:
                    convolutions[f"{name}.downsample.0"] = (channels, inputs, 1)
                inputs = channels
        convolutions[f"{encoder}.conv"] = (outputs, inputs, 1)
    motion, update = "update_block.motion_encoder", "update_block"
    convolutions[f"{motion}.convcorr1.0"] = (96, 196, 1)
    convolutions[f"{motion}.convflow1.0"] = (64, 2, 7)
    convolutions[f"{motion}.convflow2.0"] = (32, 64, 3)
    convolutions[f"{motion}.conv.0"] = (80, 128, 3)
    for gate in "zrq":
        convolutions[f"{update}.recurrent_block.convgru1.conv{gate}"] = (96, 242, 3)
    convolutions[f"{update}.flow_head.conv1"] = (128, 96, 3)
    convolutions[f"{update}.flow_head.conv2"] = (2, 128, 3)
    tensors = {}
    for name, (outputs, inputs, side) in convolutions.items():
        tensors[f"{name}.weight"] = (outputs, inputs, side, side)
        tensors[f"{name}.bias"] = (outputs,)
    return tensors


def random_tensors(seed):
    """{name: (shape, values as bytes)}. Each layer's values are about as large as those before it.
    The changes of the flow are small: otherwise, they would add up to hundreds of pixels."""
    numbers = random.Random(seed)
    tensors = {}
    for name, shape in shapes().items():
        most = 0.1
        if name.endswith(".weight"):
            most = math.sqrt(6 / math.prod(shape[1:]))
            if "flow_head.conv2" in name:
                most *= 0.1
        values = [round(numbers.uniform(-most, most), 6) for _ in range(math.prod(shape))]
        tensors[name] = shape, struct.pack(f"<{len(values)}f", *values)
    return tensors


def trained_tensors():
    """{name: (shape, values as bytes)}: torchvision's, which are downloaded."""
    try:
        from torchvision.models.optical_flow import Raft_Small_Weights, raft_small
    except ImportError:
        sys.exit(ADVICE)
    state = raft_small(weights=Raft_Small_Weights.DEFAULT, progress=False).state_dict()
    tensors = {}
    for name, shape in shapes().items():
        if name not in state or tuple(state[name].shape) != shape:
            sys.exit(f"this version of torchvision has another raft_small: {name} is missing or "
                     "has another shape")
        tensors[name] = shape, state[name].float().contiguous().numpy().astype("<f4").tobytes()
    return tensors


def safetensors(tensors):
    """The bytes of a file: https://github.com/huggingface/safetensors#format."""
    header, end = {}, 0
    for name, (shape, values) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + len(values)]}
        end += len(values)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(values for _, values in tensors.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--random", type=int, metavar="SEED", help="random weights, for tests")
    parser.add_argument("file")
    arguments = parser.parse_args()
    tensors = trained_tensors() if arguments.random is None else random_tensors(arguments.random)
    with open(arguments.file, "wb") as file:
        file.write(safetensors(tensors))


if __name__ == "__main__":
    main()
