#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The examples that have other programs make the parts of a film.

usage: farm_test.py FOLDER_OF_EXAMPLES PROGRAM [OPENJD] CLASS

CLASS is Parallel, OpenJd or Slurm. Each compares the film with the one that `--jobs 1` makes. Skipped where
the other program is missing.
"""
import getpass
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from pipelines import Gst, make_photos

EXAMPLES = pathlib.Path(sys.argv[1]).absolute() / "farm"
PROGRAM = pathlib.Path(sys.argv[2]).absolute()
OPENJD = sys.argv[3] if len(sys.argv) > 4 else "openjd"
HERE = pathlib.Path(__file__).absolute().parent
LOOK = ["--tiles", "photos", "--size", "10x6", "--window-frames", "120", "--window-frames-overlap", "16"]


def wait_for(what, check, seconds):
    end = time.monotonic() + seconds
    while not (found := check()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} seconds")
        time.sleep(0.1)
    return found


class FarmCase(unittest.TestCase):
    tools = ()

    @classmethod
    def setUpClass(cls):
        for tool in cls.tools:
            if not shutil.which(tool):
                raise unittest.SkipTest(f"{tool} is not installed")
        folder = tempfile.TemporaryDirectory(prefix="mosaic-temporal-farm-")
        cls.addClassCleanup(folder.cleanup)
        cls.addClassCleanup(os.chdir, "/")
        os.chdir(folder.name)
        os.environ["PATH"] = f"{PROGRAM.parent.absolute()}:/usr/sbin:{os.environ['PATH']}"
        pathlib.Path("photos").mkdir()
        make_photos("photos", 40, side=64)
        subprocess.run(
            ["ffmpeg", "-y", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=320x192:rate=25",
             "-f", "lavfi", "-i", "mandelbrot=size=320x192:rate=25", "-f", "lavfi", "-i", "sine=duration=24",
             "-filter_complex", "[0]trim=end_frame=300[a];[1]trim=end_frame=300[b];[a][b]concat[v]",
             "-map", "[v]", "-map", "2", "-pix_fmt", "yuv420p", "-shortest", "film.mp4"], check=True)
        cls.run_program("film.mp4", *LOOK, "--jobs", "1", "--quiet", "-o", "expected.mp4")
        cls.run_program("plan", "film.mp4", *LOOK, "--quiet", "-o", "job")
        cls.parts = len(json.loads(pathlib.Path("job/plan.json").read_text(encoding="utf-8"))["parts"])

    @staticmethod
    def run_program(*arguments):
        subprocess.run([PROGRAM, *arguments], check=True, timeout=300)

    def assert_made(self, film):
        made, expected = (hashlib.md5(pathlib.Path(name).read_bytes()).hexdigest()
                          for name in (film, "expected.mp4"))
        self.assertEqual(made, expected)


class Parallel(FarmCase):
    tools = ["parallel"]

    def make(self):
        return subprocess.run(["sh", EXAMPLES / "parallel.sh", "job", "film-made.mp4", "--jobs", "2"],
                              timeout=300, check=True, capture_output=True, text=True)

    def test_makes_the_film_and_goes_on(self):
        self.make()
        self.assert_made("film-made.mp4")
        log = pathlib.Path("job/parallel.log").read_text(encoding="utf-8")
        self.assertEqual(len(log.splitlines()), self.parts + 1)
        self.make()
        self.assertEqual(pathlib.Path("job/parallel.log").read_text(encoding="utf-8"), log)


class OpenJd(FarmCase):
    tools = [OPENJD]

    def command(self, *more):
        return [OPENJD, "run", EXAMPLES / "openjd.yaml", "-p", f"Folder={os.getcwd()}/job",
                "-p", f"LastPart={self.parts - 1}", "-p", f"Output={os.getcwd()}/film-made.mp4", *more]

    def test_two_sessions_and_a_join(self):
        sessions = [subprocess.Popen(self.command("--step", "Part", "-tp", f"Part={part}"),
                                     stdout=subprocess.PIPE, text=True) for part in (0, 1)]
        for session in sessions:
            said = session.communicate(timeout=300)[0]
            self.assertEqual(session.returncode, 0, said)
        self.assertTrue(pathlib.Path("job/part-00001.json").exists())
        subprocess.run(self.command("--step", "Join", "--run-dependencies"), check=True, timeout=300,
                       stdout=subprocess.DEVNULL)
        self.assert_made("film-made.mp4")


class Slurm(FarmCase):
    tools = ["/usr/sbin/slurmctld", "/usr/sbin/munged"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path("slurm").absolute()
        for name in ("state", "spool", "run", "munge", "log"):
            (folder / name).mkdir(parents=True)
        text = (HERE / "slurm.conf.in").read_text(encoding="utf-8")
        for name, value in {"HOST": socket.gethostname().split(".")[0], "DIR": str(folder),
                            "USER": getpass.getuser()}.items():
            text = text.replace(f"@{name}@", value)
        (folder / "slurm.conf").write_text(text, encoding="utf-8")
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        (folder / "munge" / "key").write_bytes(os.urandom(1024))
        (folder / "munge" / "key").chmod(0o600)
        # The daemons refuse what others could write to.
        for path in (folder.parent, folder, folder / "munge"):
            path.chmod(0o755)
        cls.start("munged", "--force", "--foreground", f"--socket={folder}/munge/munge.socket",
                  f"--key-file={folder}/munge/key", f"--pid-file={folder}/munge/pid",
                  f"--log-file={folder}/munge/log", f"--seed-file={folder}/munge/seed")
        wait_for("munge", (folder / "munge" / "munge.socket").exists, 30)
        cls.start("slurmctld", "-D")
        cls.start("slurmd", "-D")
        wait_for("a node that is idle", lambda: "idle" in cls.ask("sinfo", "--noheader"), 60)

    @classmethod
    def start(cls, *command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(process.wait, 60)
        cls.addClassCleanup(process.send_signal, signal.SIGTERM)

    @staticmethod
    def ask(*command):
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout

    def test_an_array_with_a_task_that_is_killed(self):
        said = subprocess.run(["sh", EXAMPLES / "slurm.sh", f"{os.getcwd()}/job",
                               f"{os.getcwd()}/film-made.mp4", "--output=task-%A-%a.log"],
                              capture_output=True, text=True, check=True, timeout=60)
        join = said.stdout.split()[-1]
        self.kill_a_part()
        # Slurm lets two minutes pass before a task begins that was requeued.
        state = wait_for("the end of the join", lambda: self.end_of(join), 400)
        logs = "".join(path.read_text() for path in pathlib.Path().glob("task-*.log"))
        self.assertEqual(state, "COMPLETED", logs)
        self.assert_made("film-made.mp4")
        self.assertIn("Restarts=1", self.ask("scontrol", "show", "job", str(int(join) - 1)))

    def end_of(self, job):
        for word in self.ask("scontrol", "show", "job", job).split():
            if word.startswith("JobState=") and word[9:] not in ("PENDING", "RUNNING", "COMPLETING"):
                return word[9:]
        return None

    def kill_a_part(self):
        """Kills the process of a part, and not Slurm's."""
        def some_part():
            found = self.ask("pgrep", "-f", f"^mosaic-temporal part [0-9]+ {os.getcwd()}/job").split()
            return found or None
        os.kill(int(wait_for("a part that runs", some_part, 60)[-1]), signal.SIGKILL)


if __name__ == "__main__":
    Gst.init(None)
    unittest.main(argv=[sys.argv[0], sys.argv[-1], "-v"])
