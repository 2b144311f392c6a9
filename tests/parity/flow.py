# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares the motion that our RAFT finds with torchvision's raft_small, with the same random weights.

usage: flow.py DUMP_FLOW CLIP

Random weights are as good as trained ones to compare two implementations, and are nothing that has
to be fetched. They are scaled so that each update changes the flow by about a pixel (see
scripts/raft_weights.py), so that it is several pixels in the end. Exits 77, which is "skipped",
where torchvision is missing.
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import samples
import stored

try:
    import numpy as np
    import torch
    from torchvision.models.optical_flow import raft_small
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

MOST = 0.01  # pixels: the greatest difference allowed
REAL_SIZES = ((480, 272), (256, 128))
REAL_FRAMES = 14  # of the clip: every fourth is used


def load(path):
    """The tensors of a file."""
    data = pathlib.Path(path).read_bytes()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:end]).items():
        first, last = (end + offset for offset in entry["data_offsets"])
        values = np.frombuffer(data[first:last], "<f4").reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.copy())
    return tensors


def real_frames(clip, width, height):
    """Some frames of a clip, packed R, G, B."""
    line = (f"filesrc location={clip} ! decodebin ! videoconvert ! videoscale ! video/x-raw,format=RGB,"
            f"width={width},height={height} ! identity eos-after={REAL_FRAMES + 1} ! fdsink")
    data = subprocess.run(["gst-launch-1.0", "-q", *line.split()], stdout=subprocess.PIPE,
                          check=True).stdout
    size = 3 * width * height
    return [data[i:i + size] for i in range(0, min(len(data), REAL_FRAMES * size), 4 * size)]


def judge(what, ours, network, frames, width, height, iterations):
    """Whether our flow is torchvision's from each frame to the next."""
    ours = np.frombuffer(ours, "<f4").reshape(-1, height, width, 2)
    pictures = [torch.from_numpy(np.frombuffer(f, np.uint8).reshape(height, width, 3) / 127.5 - 1)
                .permute(2, 0, 1).float() for f in frames]
    assert len(ours) == len(pictures) - 1, what
    with torch.no_grad():
        theirs = network(torch.stack(pictures[:-1]), torch.stack(pictures[1:]),
                         num_flow_updates=iterations)[-1].permute(0, 2, 3, 1).numpy()
    off, length = np.abs(ours - theirs), np.hypot(theirs[..., 0], theirs[..., 1])
    print(f"{what}: {len(ours)} pairs, flow {length.mean():.2f} pixels on the mean and {length.max():.2f} "
          f"at most; difference {off.mean():.6f} on the mean, {off.max():.6f} at most")
    return off.max() < MOST and length.mean() > 1


def main():
    dump, clip = sys.argv[1:]
    good = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in samples.FLOW_SEEDS:
            path = samples.flow_weights(folder, seed)
            network = raft_small().eval()
            network.load_state_dict(load(path))
            for width, height in REAL_SIZES:
                frames = real_frames(clip, width, height)
                ours = stored.run([dump, path, width, height, 12], b"".join(frames))
                good.append(judge(f"weights {seed}, clip at {width}x{height}", ours, network, frames,
                                  width, height, 12))
    hashes = samples.Hashes("flow", ("torch", "torchvision"))
    for (seed, (width, height), iterations), (name, out) in zip(samples.flows(), stored.flow(dump)):
        hashes.check(name, out)
        with tempfile.TemporaryDirectory() as folder:
            network.load_state_dict(load(samples.flow_weights(folder, seed)))
        good.append(judge(name, out, network, samples.moving_frames(width, height), width, height,
                          iterations))
    sys.exit(not (hashes.close(all(good)) and all(good)))


if __name__ == "__main__":
    main()
