# SPDX-License-Identifier: LGPL-2.1-or-later
"""mosaicraft's results for a frame, stage by stage, kept in a cache folder."""
import hashlib
import importlib.metadata
import json
import os
import pathlib
import tempfile

import numpy as np
from mosaicraft.blending import assemble_feather, assemble_laplacian
from mosaicraft.core import MosaicGenerator
from mosaicraft.placement import (FAISS_AVAILABLE, compute_cost_matrix, neighbor_swap_refinement,
                                  place_faiss_diffusion, place_hungarian, ssim_rerank)
from mosaicraft.postprocess import postprocess
from mosaicraft.saliency import compute_saliency_weights
import cv2

from arctangent import DIAGONAL

DEDUP_RADIUS = 4
LIBRARIES = ("mosaicraft", "numpy", "opencv-python-headless", "scipy", "scikit-image", "faiss-cpu")
assert FAISS_AVAILABLE, "without faiss its nearest tiles are not sorted"


class Reference:
    """mosaicraft with the photos of a folder and one side of cells."""

    def __init__(self, photos, side, cache):
        self.side = side
        self.cache = pathlib.Path(cache)
        self.cache.mkdir(parents=True, exist_ok=True)
        self.photos = photos
        self.loaded = None
        versions = [importlib.metadata.version(name) for name in LIBRARIES]
        names = sorted(path.name for path in pathlib.Path(photos).iterdir())
        self.key = json.dumps([versions, names, side, DEDUP_RADIUS, float(DIAGONAL),
                               os.environ.get("OPENBLAS_CORETYPE")])

    def tiles(self):
        """The tiles, loaded only when a result is not in the cache."""
        if self.loaded is None:
            self.loaded = MosaicGenerator(tile_dir=self.photos)._get_tiles(self.side)
        return self.loaded

    def kept(self, kind, inputs, make):
        """The arrays that make() returns, from the cache if they are in it."""
        digest = hashlib.sha256(self.key.encode() + kind.encode())
        for part in inputs:
            digest.update(part)
        path = self.cache / f"{kind}-{digest.hexdigest()[:20]}.npz"
        if path.exists():
            with np.load(path) as stored:
                return dict(stored)
        made = make()
        with tempfile.NamedTemporaryFile(dir=self.cache, delete=False) as file:
            np.savez_compressed(file, **made)
        pathlib.Path(file.name).rename(path)
        return made

    def grid(self, frame):
        return frame.shape[1] // self.side, frame.shape[0] // self.side

    def cells(self, frame):
        """Features, mean Oklab and saliency of the frame's cells."""
        columns, rows = self.grid(frame)

        def make():
            lab = cv2.cvtColor(frame, cv2.COLOR_BGR2LAB).astype(np.float32)
            grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
            features, oklab = MosaicGenerator._extract_grid_features(lab, frame, columns, rows,
                                                                     self.side)
            saliency = compute_saliency_weights(grey, frame, columns, rows, self.side)
            return {"features": features, "oklab": oklab, "saliency": saliency}
        return self.kept("cells", [frame.tobytes()], make)

    def costs(self, frame):
        """The costs, [cells][tiles], and each cell's 100 nearest tiles."""
        cells, tiles = self.cells(frame), self.tiles()
        return compute_cost_matrix(cells["features"], tiles.features, cells["oklab"],
                                   tiles.oklab_means, cells["saliency"])

    def rerank(self, frame, placement, nearest):
        columns, rows = self.grid(frame)
        return ssim_rerank(placement.reshape(rows, columns), self.tiles().grays,
                           cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), columns, rows, self.side,
                           nearest).ravel()

    def placement(self, frame, profile):
        """Tiles before and after the rerank, and how many cells the swaps changed."""
        columns, rows = self.grid(frame)
        rounds = profile["neighbor_swap_rounds"]

        def assigned():
            costs, nearest = self.costs(frame)
            before = place_hungarian(costs, columns, rows)
            swapped = neighbor_swap_refinement(before, costs, rounds, columns, rows)
            after = self.rerank(frame, swapped, nearest)
            return {"before": before.ravel(), "after": after,
                    "swapped": np.array((swapped != before).sum())}

        def diffused():
            strength = profile["error_diffusion_strength"]
            placed = place_faiss_diffusion(self.cells(frame)["features"], self.tiles().features,
                                           columns, rows, DEDUP_RADIUS, strength).ravel()
            return {"before": placed, "after": placed, "swapped": np.array(0)}

        if profile["placement"] == "hungarian":
            return self.kept(f"assigned-{rounds}", [frame.tobytes()], assigned)
        return self.kept("diffused", [frame.tobytes(), json.dumps(profile).encode()], diffused)

    def picture(self, frame, profile):
        """The mosaic, finished."""
        columns, rows = self.grid(frame)

        def make():
            tiles = self.placement(frame, profile)["after"].reshape(rows, columns)
            arguments = (tiles, self.tiles().tiles, frame, columns, rows, self.side, profile,
                         self.cells(frame)["saliency"])
            if profile["laplacian_blend"]:
                drawn = assemble_laplacian(*arguments, profile["laplacian_levels"])
            else:
                drawn = assemble_feather(*arguments)
            return {"picture": postprocess(drawn, profile)}
        return self.kept("picture", [frame.tobytes(), json.dumps(profile).encode()], make)["picture"]
