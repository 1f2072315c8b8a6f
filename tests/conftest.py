"""Fixtures that many tests share: a home of their own, the real corpora, and the command."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from builders import Command, Result
from hypothesis import settings

settings.register_profile("project", deadline=None, max_examples=60)  # no timed tests: speed is in the benchmarks
settings.load_profile("project")
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The datasets that come with bakeoff as they come: manifests alone, whatever was built in this checkout."""
    folder = tmp_path_factory.mktemp("bundled")
    for manifest in (ROOT / "datasets").glob("*/dataset.toml"):
        (folder / manifest.parent.name).mkdir()
        shutil.copy(manifest, folder / manifest.parent.name)
    return folder


@pytest.fixture
def home(tmp_path: Path, manifests: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder that nobody else uses."""
    folder = tmp_path / "home"
    monkeypatch.setenv("BAKEOFF_HOME", str(folder))
    monkeypatch.setattr("harness.store.bundled_datasets", lambda: manifests)
    return folder


@pytest.fixture
def corpora() -> Path:
    """The folder of the real corpora, as distributed."""
    folder = Path(os.environ.get("BAKEOFF_CORPORA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"NO REAL CORPORA in {folder}: set BAKEOFF_CORPORA to the folder that holds the archives")
    return folder


@pytest.fixture
def bakeoff(home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process, errors and exit codes included."""
    from harness.cli.main import main

    def call(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["bakeoff", *map(str, arguments)])
        capfd.readouterr()
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        out, err = capfd.readouterr()
        return Result(code=code, out=out, err=err)

    return call
