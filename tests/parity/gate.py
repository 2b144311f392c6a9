# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares whole mosaics, ours and mosaicraft's, and reports where they differ.

usage: gate.py DUMP_MOSAIC DUMP_LUMA PRESETS PHOTOS CLIPS [--full]

Writes out/parity/report.md, and pictures next to it: theirs, ours, and four times the difference.
Without --full, a sample of frames and profiles is compared.
"""
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from skimage.metrics import structural_similarity

from gate_frames import HEIGHT, WIDTH, all_frames
from gate_reference import Reference
from profiles import profiles_with
import samples
import stored

dump, dump_luma, presets, photos, clips = sys.argv[1:6]
SIDES = (24, 40, 60)
PROFILES = profiles_with(presets)
# Least SSIM of the worst frame (LEAST_FORCED: drawn with mosaicraft's tiles), and least mean share of
# equal tiles (before and after the rerank).
LEAST_FORCED, LEAST_WHOLE = 0.995, 0.98
LEAST_BEFORE, LEAST_AFTER = 0.99, 0.98
# What a run without --full compares, to take only minutes: (side, frames, profiles).
SAMPLE = ((40, ("drawn-5", "bigbuckbunny-36"), PROFILES),
          (24, ("drawn-17",), ("vivid_b",)),
          (60, ("carphone_pristine-40",), ("ultra",)))
LUMA_SAMPLE = ("drawn-11", "bigbuckbunny-71")

full = "--full" in sys.argv[6:]
report_folder = pathlib.Path("out/parity")
report_folder.mkdir(parents=True, exist_ok=True)


class Ours:
    """A running dump_mosaic."""

    def __init__(self, side, profiles):
        self.cells = (WIDTH // side) * (HEIGHT // side)
        self.profiles = profiles
        self.process = subprocess.Popen(
            [dump, photos, str(side), str(WIDTH), str(HEIGHT), *profiles], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)

    def take(self, kind, shape):
        data = self.process.stdout.read(int(np.prod(shape)) * np.dtype(kind).itemsize)
        return np.frombuffer(data, kind).reshape(shape)

    def __call__(self, frame, placements):
        """For each profile: our tiles before and after the rerank, our mosaic of them, and our mosaic of
        mosaicraft's tiles."""
        pipe = self.process.stdin
        pipe.write(np.ascontiguousarray(frame[..., ::-1]).tobytes())
        for placement in placements:
            pipe.write(placement.astype("<i4").tobytes())
        pipe.flush()
        for _ in self.profiles:
            before, after = (self.take("<i4", self.cells) for _ in range(2))
            whole, forced = (self.take("u1", frame.shape)[..., ::-1] for _ in range(2))
            yield before, after, whole, forced

    def close(self):
        self.process.stdin.close()
        if self.process.wait():
            sys.exit(f"dump_mosaic failed: {self.process.returncode}")


def colour_ssim(a, b):
    return structural_similarity(a, b, channel_axis=2, data_range=255)


def differences(reference, frame, theirs, ours):
    """The cells whose assigned tiles differ, and how much more our assignment costs by their costs."""
    cells = np.flatnonzero(theirs != ours)
    if not len(cells):
        return "", 0.0
    costs, _ = reference.costs(frame)
    all_cells = np.arange(len(theirs))
    mean = costs[all_cells, theirs].mean()
    total = costs[all_cells, ours].sum() / costs[all_cells, theirs].sum() - 1
    lines = [f"cell {c}: tile {ours[c]} ({costs[c, ours[c]] / mean:.5f} of the mean cost) for "
             f"{theirs[c]} ({costs[c, theirs[c]] / mean:.5f})" for c in cells]
    return "; ".join(lines), total


def picture(name, theirs, ours):
    apart = np.clip(4 * np.abs(theirs.astype(int) - ours), 0, 255).astype(np.uint8)
    path = report_folder / f"{name}.png"
    cv2.imwrite(str(path), np.vstack([theirs, ours, apart]))
    return path.name


class Row:
    """The results of one profile with one side of cells, over all frames."""

    def __init__(self, side, profile):
        self.side, self.profile = side, profile
        self.before, self.after, self.forced, self.whole = [], [], [], []
        self.worst = None

    def add(self, name, same_before, same_after, forced, whole, pictures):
        self.before.append(same_before)
        self.after.append(same_after)
        self.forced.append(forced)
        if not self.whole or whole < min(self.whole):
            self.worst = name, pictures
        self.whole.append(whole)

    def failures(self):
        checks = (("tiles before the rerank", np.mean(self.before), LEAST_BEFORE),
                  ("tiles after the rerank", np.mean(self.after), LEAST_AFTER),
                  ("SSIM with their tiles", min(self.forced), LEAST_FORCED),
                  ("SSIM", min(self.whole), LEAST_WHOLE))
        return [f"{self.profile} {self.side} px: {what} {value:.5f} < {least}"
                for what, value, least in checks if not value >= least]

    def text(self):
        name, (theirs, ours) = self.worst
        link = picture(f"{self.profile}-{self.side}px", theirs, ours)
        return (f"| {self.profile} | {self.side} | {len(self.whole)} | "
                f"{100 * np.mean(self.before):.2f} % | {100 * np.mean(self.after):.2f} % | "
                f"{min(self.forced):.5f} | {min(self.whole):.5f} | [{name}]({link}) |")


def compare(side, frames, profiles, log):
    """A row for each profile."""
    reference = Reference(photos, side, ".cache/parity")
    ours = Ours(side, profiles)
    rows = [Row(side, profile) for profile in profiles]
    for name, frame in frames.items():
        theirs = [reference.placement(frame, PROFILES[p]) for p in profiles]
        results = ours(frame, [t["after"] for t in theirs])
        for row, placed, result in zip(rows, theirs, results):
            before, after, whole, forced = result
            expected = reference.picture(frame, PROFILES[row.profile])
            row.add(name, (before == placed["before"]).mean(), (after == placed["after"]).mean(),
                    colour_ssim(expected, forced), colour_ssim(expected, whole),
                    (expected, whole))
            explain(log, reference, row, frame, placed, before, after)
    ours.close()
    return rows


def explain(log, reference, row, frame, placed, before, after):
    """Adds a frame's numbers to the log, and the cells whose tiles differ."""
    lines = [f"\n### {row.profile}, {row.side} px, frame {len(row.whole)}",
             f"SSIM {row.whole[-1]:.5f}, with their tiles {row.forced[-1]:.5f}; same tile "
             f"{100 * row.before[-1]:.2f} %, after the rerank {100 * row.after[-1]:.2f} %; "
             f"their swaps changed {placed['swapped']} cells."]
    if PROFILES[row.profile]["placement"] == "hungarian" and row.before[-1] < 1:
        cells, dearer = differences(reference, frame, placed["before"], before)
        lines.append(f"Our assignment costs {100 * dearer:.4f} % more than theirs: {cells}.")
    cells = np.flatnonzero((after != placed["after"]) & (before == placed["before"]))
    if len(cells):
        lines.append("Only the rerank differs in cells " +
                     ", ".join(f"{c}: {after[c]} for {placed['after'][c]}" for c in cells) + ".")
    log.extend(lines)


def luma(picture):
    """The luma of a BGR picture: BT.601, limited range."""
    blue, green, red = (picture[..., i].astype(float) for i in range(3))
    return np.rint(16 + 0.256788 * red + 0.504129 * green + 0.097906 * blue).astype(np.uint8)


def compare_luma(side, frames, profile):
    """SSIM of the luma of each frame's mosaic in NV12. mosaicraft's input is the RGB picture that the
    NV12 frame becomes."""
    reference = Reference(photos, side, ".cache/parity")
    data = b"".join(np.ascontiguousarray(f[..., ::-1]).tobytes() for f in frames.values())
    out = subprocess.run([dump_luma, photos, str(side), str(WIDTH), str(HEIGHT), profile],
                         input=data, stdout=subprocess.PIPE, check=True).stdout
    records = np.frombuffer(out, np.uint8).reshape(len(frames), 4, HEIGHT, WIDTH)
    for record in records:
        seen = np.ascontiguousarray(record[:3].reshape(HEIGHT, WIDTH, 3)[..., ::-1])
        theirs = luma(reference.picture(seen, PROFILES[profile]))
        yield structural_similarity(theirs, record[3], data_range=255)


def compare_samples(hashes, log):
    """Compares the pictures whose hashes are stored: a row for each profile, and SSIM of the luma."""
    width, height = samples.GATE_SIZE
    side, cells = samples.GATE_SIDE, (width // samples.GATE_SIDE) * (height // samples.GATE_SIDE)
    drawn = np.frombuffer(samples.grained(4, samples.scene(4, width, height)), np.uint8)
    frame = np.ascontiguousarray(drawn.reshape(height, width, 3)[..., ::-1])
    rows, worst = [], 1
    with tempfile.TemporaryDirectory() as folder:
        samples.write_photos(folder)
        reference = Reference(folder, side, ".cache/parity")
        for name, out in stored.gate(dump, dump_luma):
            hashes.check(name, out)
            if name == "luma":
                record = np.frombuffer(out, np.uint8).reshape(4, height, width)
                seen = np.ascontiguousarray(record[:3].reshape(height, width, 3)[..., ::-1])
                theirs = luma(reference.picture(seen, PROFILES["vivid_b"]))
                worst = structural_similarity(theirs, record[3], data_range=255)
                continue
            before, after = np.frombuffer(out, "<i4", 2 * cells).reshape(2, cells)
            whole = np.frombuffer(out, np.uint8, offset=8 * cells).reshape(frame.shape)[..., ::-1]
            placed = reference.placement(frame, PROFILES[name])
            expected = reference.picture(frame, PROFILES[name])
            row = Row(side, name)
            row.add("sample", (before == placed["before"]).mean(), (after == placed["after"]).mean(),
                    1.0, colour_ssim(expected, whole), (expected, whole))
            explain(log, reference, row, frame, placed, before, after)
            rows.append(row)
    return rows, worst


def main():
    frames = all_frames(clips)
    chosen = [(side, tuple(frames), PROFILES) for side in SIDES] if full else SAMPLE
    table, log, failed = [], [], []
    for side, names, profiles in chosen:
        for row in compare(side, {n: frames[n] for n in names}, profiles, log):
            table.append(row.text())
            print(table[-1], flush=True)
            failed += row.failures()
    names = tuple(frames) if full else LUMA_SAMPLE
    worst = min(compare_luma(40, {n: frames[n] for n in names}, "vivid_b"))
    log.insert(0, f"\nIn NV12, vivid_b at 40 px, {len(names)} frames: worst SSIM of luma {worst:.5f}.")
    print(log[0].strip(), flush=True)
    if not worst >= LEAST_WHOLE:
        failed.append(f"luma: SSIM {worst:.5f} < {LEAST_WHOLE}")
    hashes = samples.Hashes("gate")
    sampled, worst = compare_samples(hashes, log)
    for row in sampled:
        print(f"{row.text()} sample", flush=True)
        failed += row.failures()
    if not worst >= LEAST_WHOLE:
        failed.append(f"luma of the sample: SSIM {worst:.5f} < {LEAST_WHOLE}")
    if not hashes.close(not failed):
        failed.append("hashes")
    head = ["# mosaicraft's mosaics and ours", "",
            "Same photos, each frame on its own. Pictures: theirs, ours, four times the difference,"
            " of the frame with the lowest SSIM.", "",
            "| profile | side | frames | same tile | after the rerank | worst SSIM, their tiles "
            "| worst SSIM | worst frame |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    (report_folder / "report.md").write_text("\n".join(head + table + log) + "\n")
    print(f"report: {report_folder / 'report.md'}")
    if failed:
        sys.exit("\n".join(failed))


main()
