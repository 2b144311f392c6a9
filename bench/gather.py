# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures a second that are drawn from a codebook: by the library mosaicgather, by NumPy and, where it is
installed, by PyTorch on the CPU. Prints a table in Markdown.

usage: gather.py LIBRARY

The codebook has 65,536 patches of 2x2x3 bytes, the pictures 224x224 pixels. In each repetition all of them
draw the same batch, one after the other, and their pictures must be equal. Counted are the fastest
repetitions, because whatever else runs on the machine can only slow one down.
"""
import ctypes
import os
import sys
import threading
import time

import numpy

from page import table

try:
    import torch
except ImportError:
    torch = None

ENTRIES, SIDE, CHANNELS, CELLS = 65536, 2, 3, 112
BATCHES = (32, 64, 128, 256, 512, 1024)
PEAK = (512, 100)  # pictures of a batch, and batches
REPETITIONS = 7
UINT8, FLOAT32, INTERLEAVED, PLANAR = 0, 1, 0, 1


class Codebook(ctypes.Structure):
    """MosaicGatherCodebook."""

    _fields_ = [("samples", ctypes.c_void_p),
                *((name, ctypes.c_uint32) for name in ("count", "height", "width", "channels")),
                ("type", ctypes.c_int), ("layout", ctypes.c_int)]


class Library:
    """Draws with mosaicgather."""

    def __init__(self, path, codebook, sample_type, layout):
        self.library = ctypes.CDLL(path)
        self.made = ctypes.c_void_p()
        book = Codebook(codebook.ctypes.data, *codebook.shape, UINT8, INTERLEAVED)
        if self.library.mosaic_gather_new(ctypes.byref(book), sample_type, layout, 0,
                                          ctypes.byref(self.made)):
            sys.exit("the codebook was refused")

    def draw(self, indices, out):
        if self.library.mosaic_gather_uint16(self.made, ctypes.c_void_p(indices.ctypes.data),
                                             *indices.shape, ctypes.c_void_p(out.ctypes.data)):
            sys.exit("the pictures could not be drawn")
        return out


AXES = {INTERLEAVED: (0, 1, 3, 2, 4, 5), PLANAR: (0, 5, 1, 3, 2, 4)}


def shape_of(pictures, layout):
    side = CELLS * SIDE
    return (pictures, side, side, CHANNELS) if layout == INTERLEAVED else (pictures, CHANNELS, side, side)


def draw_with_numpy(codebook, indices, layout):
    return codebook[indices].transpose(AXES[layout]).reshape(shape_of(len(indices), layout))


def draw_with_torch(codebook, indices, layout):
    return codebook[indices].permute(AXES[layout]).reshape(shape_of(len(indices), layout))


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def bandwidth():
    """Bytes a second that a copy of large blocks reads and writes, on all cores."""
    cores = len(os.sched_getaffinity(0))
    blocks = [(numpy.ones(1 << 25, numpy.uint64), numpy.empty(1 << 25, numpy.uint64)) for _ in range(cores)]

    def copy():
        threads = [threading.Thread(target=numpy.copyto, args=(to, of)) for of, to in blocks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return 2 * sum(of.nbytes for of, _ in blocks) / min(seconds(copy)[0] for _ in range(6))


def measure(library, codebook, layout, pictures, random):
    """The seconds of the fastest batch by the library, by NumPy and by PyTorch (None: not installed), and
    the bytes that a batch reads and writes at least."""
    indices = random.integers(0, ENTRIES, (pictures, CELLS, CELLS)).astype(numpy.uint16)
    out = numpy.empty(shape_of(pictures, layout), codebook.dtype)
    wide = torch.from_numpy(indices.astype(numpy.int64)) if torch else None
    book = torch.from_numpy(codebook) if torch else None
    times = []
    for _ in range(REPETITIONS):
        ours, drawn = seconds(lambda: library.draw(indices, out))
        by_numpy, expected = seconds(lambda: draw_with_numpy(codebook, indices, layout))
        assert numpy.array_equal(drawn, expected)
        by_torch = None
        if torch:
            by_torch, other = seconds(lambda: draw_with_torch(book, wide, layout))
            assert numpy.array_equal(drawn, other.numpy())
        times.append((ours, by_numpy, by_torch))
    fastest = [min(column) if column[0] is not None else None for column in zip(*times)]
    return fastest, indices.nbytes + out.nbytes


def peak(library, random):
    """The most pictures a second that the library draws in one of 100 batches."""
    pictures, batches = PEAK
    indices = random.integers(0, ENTRIES, (pictures, CELLS, CELLS)).astype(numpy.uint16)
    out = numpy.empty(shape_of(pictures, INTERLEAVED), numpy.uint8)
    return pictures / min(seconds(lambda: library.draw(indices, out))[0] for _ in range(batches))


def main():
    random = numpy.random.default_rng(1)
    levels = random.integers(0, 256, (ENTRIES, SIDE, SIDE, CHANNELS), numpy.uint8)
    of_memory = bandwidth()
    rows = []
    for sample_type, layout, name in ((UINT8, INTERLEAVED, "uint8, interleaved"), (UINT8, PLANAR, "uint8, planar"),
                                      (FLOAT32, PLANAR, "float32, planar")):
        codebook = levels if sample_type == UINT8 else levels.astype(numpy.float32) / numpy.float32(255)
        library = Library(sys.argv[1], levels, sample_type, layout)
        for pictures in BATCHES if sample_type == UINT8 and layout == INTERLEAVED else (256,):
            (ours, by_numpy, by_torch), moved = measure(library, codebook, layout, pictures, random)
            rows.append([name, pictures, f"{pictures / ours:,.0f}", f"{pictures / by_numpy:,.0f}",
                         f"{pictures / by_torch:,.0f}" if by_torch else "-", f"{by_numpy / ours:.1f}",
                         f"{by_torch / ours:.1f}" if by_torch else "-", f"{moved / ours * 1e-9:.1f}",
                         f"{100 * moved / ours / of_memory:.0f}"])
    print(table(["pictures", "batch", "pictures/s", "NumPy", "PyTorch", "x NumPy", "x PyTorch", "GB/s",
                 "of a copy, %"], rows))
    library = Library(sys.argv[1], levels, UINT8, INTERLEAVED)
    print(f"\nThe fastest of {PEAK[1]} batches of {PEAK[0]}: {peak(library, random):,.0f} pictures/s. A copy in "
          f"memory moves {of_memory * 1e-9:.1f} GB/s on all cores. NumPy {numpy.__version__}"
          + (f", PyTorch {torch.__version__}." if torch else "; PyTorch is not installed (python3-torch)."))


if __name__ == "__main__":
    main()
