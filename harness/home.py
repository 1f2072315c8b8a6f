"""Where things live: one home folder with `datasets/`, `runs/`, `submissions/` and `leaderboard/`.

The home is the current folder unless `BAKEOFF_HOME` names another. Datasets that come with bakeoff are found
in the package (or the checkout) and built in the home when first used.
"""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def home() -> Path:
    """The folder that holds the user's datasets, runs and leaderboards."""
    return Path(os.environ.get("BAKEOFF_HOME") or ".")


def datasets_folder() -> Path:
    """Where added and built datasets are."""
    return home() / "datasets"


def runs_folder() -> Path:
    """Where runs are kept, one folder a dataset."""
    return home() / "runs"


def bundled_datasets() -> Path:
    """The manifests and data that come with bakeoff: inside the wheel, or the checkout's own folder."""
    inside = _PACKAGE / "bundled" / "datasets"
    return inside if inside.is_dir() else _PACKAGE.parent / "datasets"
