# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads a trace of the emulated GPU (EMULATED_GPU_TRACE, see libcuda/control.h): what ran when for the
decoder, the frames of mosaictemporal and the encoder, and which threads waited."""
import bisect
import collections
import dataclasses
import json

GPU, HOST = 1, 2
ELEMENT = "libgstmosaictemporal.so"
KERNEL = "mt_"  # how the names of the element's kernels begin
FIRST_KERNEL = "mt_Unpack"  # runs once for each frame, before all others


@dataclasses.dataclass
class Event:
    """Times are in milliseconds."""
    group: int
    thread: int
    row: str
    name: str
    begin: float
    end: float
    caller: str


def reranked(kernels):
    return any(kernel.name == "mt_Rerank" for kernel in kernels)


class Trace:
    def __init__(self, path):
        with open(path) as file:
            entries = json.load(file)["traceEvents"]
        rows = {(e["pid"], e["tid"]): e["args"]["name"] for e in entries
                if e["name"] == "thread_name"}
        self.events = sorted(
            (Event(e["pid"], e["tid"], rows[e["pid"], e["tid"]], e["name"], e["ts"] / 1000,
                   (e["ts"] + e["dur"]) / 1000, e.get("args", {}).get("caller", ""))
             for e in entries if e["ph"] == "X"), key=lambda event: event.begin)
        kernels = [e for e in self.events if e.group == GPU and e.name.startswith(KERNEL)]
        self.starts = [e.begin for e in kernels if e.name == FIRST_KERNEL]
        # The kernels of each frame, in order; those that prepare the pool belong to none.
        self.frames = [[] for _ in self.starts]
        for kernel in kernels:
            if kernel.begin >= self.starts[0]:
                self.frames[self.frame_at(kernel.begin)].append(kernel)

    def frame_at(self, time):
        """The frame whose kernels run at that time or ran last; -1 before the first."""
        return bisect.bisect_right(self.starts, time) - 1

    def pictures(self, row):
        """Of the decoder or the encoder, in order."""
        return [e for e in self.events if e.group == GPU and e.row == row]

    def waits(self):
        """Of the element: those of the thread that draws, whoever caused them, and those that the
        element causes on other threads. By the number of the frame in whose time they end, without
        the last frame, whose end is not known."""
        in_frames = [(self.frame_at(e.end), e) for e in self.events if e.group == HOST]
        of_element = collections.Counter(
            e.thread for frame, e in in_frames if frame >= 0 and e.caller == ELEMENT)
        thread = of_element.most_common(1)[0][0]
        frames = [[] for _ in self.frames[:-1]]
        for frame, wait in in_frames:
            if 0 <= frame < len(frames) and (wait.thread == thread or wait.caller == ELEMENT):
                frames[frame].append(wait)
        return frames
