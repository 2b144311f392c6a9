#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A film that is made part by part, by one, two and five processes: time, and whether the files are equal.

usage: farm.py PROGRAM CLIPS PHOTOS WORK [WIDTHxHEIGHT]

PROGRAM is mosaic-temporal; CLIPS the folder with the demo's clips; WORK a folder for files. The film lasts
ten minutes: shots of 2 to 12 seconds, which are clips that run forwards and backwards, turned and coloured
in other ways; in the middle, one take of three minutes.
"""
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

from page import table

RATE = 25
TAKE = 3 * 60 * RATE  # frames
FRAMES = 10 * 60 * RATE
PROCESSES = (1, 2, 5)
KILLED = 3
CLIPS = {"bigbuckbunny.mp4": 132, "bikes.mp4": 130, "carphone_pristine.mp4": 120}


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def make_shot(clip, look, frames, size, path):
    """A clip forwards and backwards, as often as is needed."""
    width, height = size.split("x")
    ffmpeg("-i", clip, "-filter_complex",
           f"[0]trim=end_frame={CLIPS[clip.name]},scale={width}:{height},setsar=1,split[a][b];[b]reverse[c];"
           f"[a][c]concat,fps={RATE},loop=-1:{2 * CLIPS[clip.name]}{look},trim=end_frame={frames},"
           f"setpts=N/({RATE}*TB)[v]",
           "-map", "[v]", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-crf", "14", path)


def make_film(clips, folder, size):
    film = folder / f"film-{size}.mp4"
    if film.exists():
        return film
    choose = random.Random(1)
    shots, left = [], FRAMES - TAKE
    while left > 0:
        frames = min(choose.randint(2 * RATE, 12 * RATE), left)
        look = choose.choice(["", ",hflip", ",hue=h=120", ",hue=h=240,hflip", ",vflip", ",negate"])
        shots.append((choose.choice(list(CLIPS)), look, frames))
        left -= frames
    shots.insert(len(shots) // 2, ("bigbuckbunny.mp4", "", TAKE))
    with open(folder / "shots.txt", "w", encoding="utf-8") as names:
        for number, (clip, look, frames) in enumerate(shots):
            make_shot(clips / clip, look, frames, size, folder / f"shot-{number}.mkv")
            names.write(f"file 'shot-{number}.mkv'\n")
    part = folder / "part.mp4"  # until it is whole
    ffmpeg("-f", "concat", "-i", folder / "shots.txt", "-f", "lavfi", "-i", f"sine=330:duration={FRAMES / RATE}",
           "-c:v", "copy", "-c:a", "aac", "-shortest", part)
    part.rename(film)
    return film


class Farm:
    def __init__(self, program, film, photos, work):
        self.program, self.work = program, work
        self.settings = [film, "--tiles", photos, "--quiet"]

    def run(self, *arguments):
        """@return seconds"""
        start = time.monotonic()
        subprocess.run([self.program, *arguments], check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - start

    def plan(self, job):
        shutil.rmtree(job, ignore_errors=True)
        seconds = self.run("plan", *self.settings, "-o", job)
        with open(job / "plan.json", encoding="utf-8") as file:
            return seconds, len(json.load(file)["parts"])

    def parts(self, job, count, processes, kill):
        """Makes all parts, in a random order if there is more than one process; @return seconds"""
        start = time.monotonic()
        left, running = list(range(count)), []
        if processes > 1:
            random.Random(processes).shuffle(left)
        threads = max(1, os.cpu_count() // processes)
        while left or running:
            while left and len(running) < processes:
                number = left.pop(0)
                running.append((number, subprocess.Popen(
                    [self.program, "part", str(number), job, "--quiet", "--n-threads", str(threads)],
                    stdout=subprocess.DEVNULL)))
            time.sleep(0.02)
            for number, process in list(running):
                if kill and time.monotonic() - start > 5 * (KILLED - kill + 1) and process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    kill -= 1
                if process.poll() is None:
                    continue
                running.remove((number, process))
                if process.returncode:
                    left.insert(0, number)
        return time.monotonic() - start

    def make(self, processes, kill=0):
        """@return seconds of the plan, the parts and the join, and the film's MD5"""
        job, film = self.work / f"job-{processes}", self.work / f"made-{processes}.mp4"
        planning, count = self.plan(job)
        parts = self.parts(job, count, processes, kill)
        joining = self.run("join", job, "--quiet", "-o", film)
        return count, planning, parts, joining, hashlib.md5(film.read_bytes()).hexdigest()


def fades(job):
    """The frames, [first, end), in which two parts are mixed."""
    with open(job / "plan.json", encoding="utf-8") as file:
        parts = [part["frames"] for part in json.load(file)["parts"]]
    return [(later[0], earlier[1]) for earlier, later in zip(parts, parts[1:]) if later[0] < earlier[1]]


def changes(film):
    """The mean change of luma of each frame from the one before, in levels of 8 bits."""
    text = subprocess.run(["ffmpeg", "-v", "error", "-i", film, "-an", "-vf",
                           "signalstats,metadata=print:key=lavfi.signalstats.YDIF:file=-", "-f", "null", "-"],
                          check=True, capture_output=True, text=True).stdout
    return [float(value) for value in re.findall(r"YDIF=(\S+)", text)]


def fade_rows(job, film):
    luma = changes(film)
    for first, end in fades(job):
        inside = statistics.mean(luma[first:end + 1])  # a fade ends with the step to the frame after it
        around = statistics.mean(luma[first - 5:first] + luma[end + 1:end + 6])
        yield [f"{first} to {end - 1}", f"{inside:.2f}", f"{around:.2f}", f"{inside / around:.2f}"]


def main():
    program, clips, photos, work = map(pathlib.Path, sys.argv[1:5])
    size = sys.argv[5] if len(sys.argv) > 5 else "320x180"
    folder = work / "farm"
    folder.mkdir(parents=True, exist_ok=True)
    film = make_film(clips, folder, size)
    farm = Farm(program, film, photos, folder)
    farm.run(*farm.settings, "--end", "1", "-o", folder / "first.mp4")  # the photos are prepared now
    plain = farm.run(*farm.settings, "-o", folder / "plain.mp4")
    rows = [["one process, undivided", "", "", f"{plain:.1f}", "", f"{plain:.1f}", "1.00", ""]]
    for processes in PROCESSES:
        killed = KILLED if processes == max(PROCESSES) else 0
        count, planning, parts, joining, md5 = farm.make(processes, killed)
        whole = planning + parts + joining
        name = f"{processes} process{'es' if processes > 1 else ''}, {count} parts"
        rows.append([name + (f", {killed} killed" if killed else ""), f"{planning:.1f}",
                     f"{100 * planning / whole:.1f} %", f"{parts:.1f}", f"{joining:.1f}", f"{whole:.1f}",
                     f"{whole / plain:.2f}", f"`{md5[:8]}`"])
    print(f"{FRAMES} frames of {size}, {os.cpu_count()} cores.\n")
    print(table(["", "plan, s", "of the whole", "drawing, s", "join, s", "whole, s", "beside undivided", "MD5"],
                rows))
    print("\nFades:\n")
    last = PROCESSES[-1]
    print(table(["frames", "change in them", "around", "ratio"],
                fade_rows(folder / f"job-{last}", folder / f"made-{last}.mp4")))


if __name__ == "__main__":
    main()
