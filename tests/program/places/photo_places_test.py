#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: photo_places_test.py PROGRAM: the table of which photo is shown where, and the counts that a run ends with."""

import collections
import csv
import json
import os

from PIL import Image

from program_case import ProgramCase, ffmpeg, main

COLOURS = [(r, g, b) for r in (0, 90, 180, 255) for g in (0, 85, 170, 255) for b in (0, 128, 255)]
PLAIN = ["--preset", "plain", "--fidelity", "0", "--rerank", "0", "--temporal-blend", "0"]


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Places(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.mkdir("plain, \"quoted\"")
        for number, colour in enumerate(COLOURS):
            Image.new("RGB", (32, 32), colour).save(f"plain, \"quoted\"/{number}.png")
        noise = Image.effect_noise((160, 96), 90)
        Image.merge("RGB", (noise, noise.rotate(180), noise.transpose(Image.Transpose.FLIP_LEFT_RIGHT))).save("in.png")
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25", "-frames:v", "40", "-qp", "8", "film.mp4")

    def shown(self, source, output, *more, tiles="plain, \"quoted\""):
        done = self.run_program(source, "--tiles", tiles, "--size", "10x6", *PLAIN, "--json", *more,
                                "-o", output)
        return json.loads(done.stdout)

    def expect_rows_to_be_the_picture(self, rows, picture):
        """Each photo is of one colour, and so is each cell."""
        for row in rows:
            number = int(os.path.splitext(os.path.basename(row["photo"]))[0])
            at = (int(row["x"]) + int(row["width"]) // 2, int(row["y"]) + int(row["height"]) // 2)
            difference = max(abs(a - b) for a, b in zip(picture.getpixel(at), COLOURS[number]))
            self.assertLessEqual(difference, 3, f"{row} shows {picture.getpixel(at)}")

    def test_a_film_of_indices_has_the_same_table(self):
        self.run_program("pack", "plain, \"quoted\"", "-o", "all.mospack")
        tables = []
        for name in ("indices.mosaic", "pictures.mkv"):
            said = self.shown("film.mp4", name, "--places", "places.csv", tiles="all.mospack")
            self.assertGreater(said["photos_shown"], 1)
            tables.append(rows_of("places.csv"))
        self.assertGreater(len(tables[0]), 60)
        self.assertEqual(*tables)

    def test_a_picture_has_a_line_for_each_cell(self):
        said = self.shown("in.png", "out.png", "--places", "places.csv", "--augment", "false", "--unit", "photo")
        rows = rows_of("places.csv")
        self.assertEqual([(int(row["row"]), int(row["column"])) for row in rows],
                         [(row, column) for row in range(6) for column in range(10)])
        self.assertTrue(all(row["seconds"] == "0.000" for row in rows))
        self.assertTrue(all(os.path.exists(row["photo"]) for row in rows), "names with commas and quotation marks")
        self.expect_rows_to_be_the_picture(rows, Image.open("out.png").convert("RGB"))
        uses = collections.Counter(row["photo"] for row in rows)
        self.assertEqual((said["photos"], said["photos_shown"], said["most_uses"]),
                         (len(COLOURS), len(uses), max(uses.values())))
        at = collections.defaultdict(list)
        for row in rows:
            at[row["photo"]].append((int(row["row"]), int(row["column"])))
        nearest = min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for cells in at.values() for a in cells for b in cells
                      if a != b)
        self.assertEqual(said["nearest_pair"], nearest)

    def test_a_film_has_a_line_for_each_change(self):
        self.shown("film.mp4", "film.mkv", "--places", "film.csv", "--augment", "false", "--cq", "0")
        now, at = {}, 0
        rows = rows_of("film.csv")
        ffmpeg("-i", "film.mkv", "frame%d.png")
        for frame in range(40):
            while at < len(rows) and float(rows[at]["seconds"]) < frame / 25 + 0.001:
                row = rows[at]
                cell = row["row"], row["column"]
                self.assertNotEqual(row["photo"], now.get(cell, {}).get("photo"), "a line without a change")
                now[cell] = row
                at += 1
            self.assertEqual(len(now), 60)
            picture = Image.open(f"frame{frame + 1}.png").convert("RGB")
            for row in now.values():
                number = int(os.path.splitext(os.path.basename(row["photo"]))[0])
                pixel = picture.getpixel((int(row["x"]) + 8, int(row["y"]) + 8))
                # The video's colours are coarser.
                self.assertLess(max(abs(a - b) for a, b in zip(pixel, COLOURS[number])), 30, (frame, row))
        self.assertEqual(at, len(rows))
        self.assertGreater(len(rows), 60)

    def test_an_older_table_stays_if_the_mosaic_fails(self):
        with open("old.csv", "w", encoding="utf-8") as file:
            file.write("old")
        self.run_program("missing.png", "--tiles", "photos", "--places", "old.csv", "-o", "never.png", status=1)
        with open("old.csv", encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_refuses_what_is_no_table(self):
        for name, word in (("in.png", "must end in .csv"), ("nowhere/a.csv", "No such file")):
            done = self.run_program("in.png", "--tiles", "photos", "--places", name, "-o", "never.png",
                                    status=2 if word.startswith("must") else 1)
            self.assertIn(word, done.stderr)
        with Image.open("in.png") as picture:
            self.assertEqual(picture.size, (160, 96))
        for more in (["--jobs", "2"], ["film.mp4"], ["--compare-looks"]):
            self.run_program("in.png", "--tiles", "photos", "--places", "a.csv", "-o", "folder/", *more, status=2)


if __name__ == "__main__":
    main()
