#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: settings_test.py PROGRAM: options and settings files of mosaic-temporal, what it says about
wrong ones, and how it finds the element."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from pipelines import launch, make_clip, make_photos  # noqa: E402
from program_case import ProgramCase, main  # noqa: E402

FEW_CELLS = ("--size", "4x3")


class Settings(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        launch("videotestsrc num-buffers=1 ! video/x-raw,width=160,height=120 ! jpegenc ! "
               "filesink location=photo.jpg")
        make_clip("clip.mp4", 2)

    def complaint(self, *arguments, status=2):
        done = self.run_program("photo.jpg", "-o", "a.png", *arguments, status=status)
        return done.stderr.splitlines()[-1]

    def test_unknown_options(self):
        for written, meant in (("--fidelty", "--fidelity"), ("--fidelty=1", "--fidelity"),
                               ("--presets", "--preset"), ("--look-ahead", "--lookahead"),
                               ("--out-put", "--output"), ("-fps", "--fps"), ("--begin", None),
                               ("--colour-variants", "--color-variants"), ("--columns", None)):
            with self.subTest(written):
                complaint = self.complaint(written, "1")
                self.assertIn(f"there is no option {written.split('=')[0]}", complaint)
                if meant:
                    self.assertIn(f"did you mean {meant}?", complaint)
                else:
                    self.assertNotIn("did you mean", complaint)

    def test_wrong_values(self):
        for arguments, text in (
                (("--beta", "7"), "--beta 7: it is out of range: use a number from 0 to 1"),
                (("--beta", "nan"), "from 0 to 1"),
                (("--beta", "much"), "--beta much: it is not a number: use a number from 0 to 1"),
                (("--lookahead", "65"), "use a whole number from 0 to 64"),
                (("--lookahead", "1.5"), "it is not a whole number"),
                (("--max-tile-uses", "-1"), "use a whole number of at least 0"),
                (("--max-tile-uses", "4294967296"), "use a whole number of at least 0"),
                (("--window-size", "-2"), "use a whole number from -1 to 16384"),
                (("--solver", "magic"), "--solver magic: use auto, exact, auction, greedy or diffusion"),
                (("--overlay", "grid+cots"), "use grid, changed, motion, saliency, cost or age"),
                (("--augment=perhaps",), "use true or false"),
                (("--fit", "cut"), "--fit cut: use crop, pad or stretch"),
                (("--output-size", "x"), "or 3840x or x2160"),
                (("--output-size", "20000x"), "at most 16384"),
                (("--fps", "2000"), "at most 1000"),
                (("--save-config", "a.ini"), "must end in .toml, .yaml or .yml"),
        ):
            with self.subTest(arguments):
                self.assertIn(text, self.complaint(*arguments))
        complaint = self.complaint("--preset", "vivd", status=1)
        self.assertIn("there is no profile vivd (did you mean vivid?): use faithful, fast, film", complaint)

    def test_any_property_in_a_file(self):
        pathlib.Path("all.toml").write_text(
            'tile_location = "photos"\ntile_size = 40\nlookahead = 3\noverlay = "grid+cost"\n'
            'max_solve_time = 5000000000\ncontrast_boost = 1.5\ncoherence = "none"\nfidelity = 0.25\n'
            'flow_iterations = 4\naugment = false\ncache_location = ""\n', "utf-8")
        pathlib.Path("all.yaml").write_text(
            pathlib.Path("all.toml").read_text("utf-8").replace(" = ", ": "), "utf-8")
        made = [self.run_program("photo.jpg", "--config", name, "-o", "made.png", "--json").stdout
                for name in ("all.toml", "all.yaml")]
        self.assertEqual(*made)
        self.assertEqual((json.loads(made[0])["cells"], json.loads(made[0])["tiles"]), (12, 40))

    def test_unknown_names_in_a_file(self):
        for text, meant in (("fidelty = 1\n", "fidelity"), ("tile-size = 8\n", "tile_size"),
                            ("lookahed = 3\n", "lookahead")):
            with self.subTest(text):
                pathlib.Path("wrong.toml").write_text("# settings\n" + text, "utf-8")
                complaint = self.complaint("--config", "wrong.toml", status=1)
                self.assertRegex(complaint, rf"wrong.toml, line 2: there is no field \S+ \(did you mean {meant}\?\)")

    def test_saved_settings_are_the_same_settings(self):
        given = ("--preset", "film", "--tiles", "photos", "--size", "16x12", "--saturation-boost", "0.7",
                 "--overlay", "grid+age", "--solver", "greedy", "--augment=false", "--beta", "0.1",
                 "--cache-location", "", "--max-solve-time", "7")
        for name in ("saved.toml", "saved.yml"):
            with self.subTest(name):
                self.run_program(*given, "--save-config", name)
                text = pathlib.Path(name).read_text("utf-8")
                self.assertIn("saturation_boost", text)
                self.assertIn("fidelity", text)
                self.assertNotIn("gamma", text)  # as in the profile
                self.run_program("photo.jpg", *given, "-o", "given.png")
                self.run_program("photo.jpg", "--config", name, "-o", "saved.png")
                self.assertEqual(*(pathlib.Path(file).read_bytes() for file in ("given.png", "saved.png")))
                self.run_program("--config", name, "--save-config", "again" + name)
                self.assertEqual(pathlib.Path("again" + name).read_text("utf-8"), text)

    def test_several_sources_of_tiles(self):
        for folder, count in (("one", 3), ("two; or more", 5)):
            os.mkdir("made")
            make_photos("made", count)
            os.rename("made", folder)
        stats = json.loads(self.run_program(
            "photo.jpg", "--tiles", "one", "--tiles", "two; or more", "-o", "both.png", "--json", *FEW_CELLS,
            "--augment=false").stdout)
        self.assertEqual(stats["tiles"], 8)

    def test_small_cells_warn(self):
        for size, warns in (("60x45", True), ("20x15", False)):
            done = self.run_program("photo.jpg", "--tiles", "photos", "--size", size, "-o", "small.png")
            self.assertEqual("warning: cells of 2.7 x 2.7 pixels show nothing of the photos" in done.stderr,
                             warns, done.stderr)

    def without_element(self):
        return {**os.environ, "GST_PLUGIN_PATH": "", "GST_PLUGIN_SYSTEM_PATH": self.folder,
                "GST_REGISTRY": self.folder + "/empty.bin"}

    def test_help_without_the_element(self):
        shutil.copy(self.program, "alone")
        for arguments, texts in ((("--help",), ("--output", "--help-look", "21 unless set")),
                                 (("--help-look",), ("--gamma=0.1..10", "default 0.94")),
                                 (("--help-properties",),
                                  ("Everyday properties:", "--tile-size=0..256, default 0",
                                   "--solver=auto|exact|auction|greedy|diffusion, default auto",
                                   "--max-tile-uses=0.., default 0", "Properties of the look",
                                   "Properties of the motion", "Properties for compatibility")),
                                 (("--version",), ("mosaic-temporal ",))):
            done = subprocess.run(["./alone", *arguments], capture_output=True, text=True, check=False,
                                  env=self.without_element(), timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            for text in texts:
                self.assertIn(text, done.stdout)
        done = subprocess.run(["./alone", "photo.jpg", "-o", "a.png"], capture_output=True, text=True,
                              check=False, env=self.without_element(), timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not find the element mosaictemporal", done.stderr)

    def test_help_has_every_property(self):
        shown = set(re.findall(r"^  --([a-z-]+)=", self.run_program("--help-properties").stdout, re.M))
        element = Gst.ElementFactory.make("mosaictemporal")
        self.assertEqual(shown, {spec.name for spec in element.list_properties() if spec.flags & 2} -
                         {"name", "parent", "qos", "silent"})

    def test_it_finds_the_element_of_its_build(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GST_P")}
        environment["GST_REGISTRY"] = self.folder + "/own.bin"
        os.symlink(self.program, "linked")
        for program in (self.program, "./linked"):
            self.run_program("photo.jpg", "-o", "found.png", "--tiles", "photos", *FEW_CELLS, env=environment,
                             program=program)


if __name__ == "__main__":
    main()
