"""How fast the one-class systems are: `python tests/benchmarks/bench_attribution.py [C50.zip]`.

With the archive of C50, its ten authors; without, made-up documents of the same number and length. Half of the
documents are unlabelled, and then a tenth.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.corpora.c50 import TEN, read_corpus
from harness.corpora.corpus import Source
from systems.attribution._kernels import NAMES, centre, kernel_matrices
from systems.attribution.mkl_ssad import Settings, learn_regions
from systems.text.tagging import tag_texts

NORMS = (1.0, 1.7783, 2.0, 3.1623, 5.6234, 10.0, np.inf)


def made_up() -> tuple[list[str], list[str]]:
    rng = random.Random(0)
    words = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randint(1, 9))) for _ in range(20_000)]
    texts, authors = [], []
    for number in range(1000):
        liked = random.Random(number % 10).sample(words, 3000)
        drawn = rng.choices(liked, [1 / (rank + 3) for rank in range(3000)], k=510)
        texts.append(" ".join(word + rng.choices(["", ",", "."], [20, 1, 1])[0] for word in drawn))
        authors.append(TEN[number % 10])
    return texts, authors


def from_archive(path: Path) -> tuple[list[str], list[str]]:
    corpus = read_corpus("c50-10", [Source(path=path)])
    items: list[Any] = [item for split in corpus.splits.values() for item in split]
    return [item.documents[0].text for item in items], [item.truth["author"] for item in items]


def report(what: str, action: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    value = action()
    print(f"{what:<72}{time.perf_counter() - start:8.2f} s")
    return value


def main() -> None:
    texts, authors = from_archive(Path(sys.argv[1])) if len(sys.argv) > 1 else made_up()
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv("BAKEOFF_HOME", home)
        report(f"tags of {len(texts)} documents, the first time", lambda: tag_texts(texts))
        report("tags from the cache", lambda: tag_texts(texts))
        raw = report("four kernels, tags in the cache", lambda: kernel_matrices(texts, NAMES))
    kernels = [centre(kernel) for kernel in raw]
    _, labels = np.unique(authors, return_inverse=True)
    shuffled = np.random.default_rng(0).permutation(len(texts))
    for share in (0.5, 0.1):
        known = labels.copy()
        known[shuffled[: int(share * len(texts))]] = -1
        for p in NORMS:
            for settings in (Settings(), Settings(kappa=4.0)):
                what = (
                    f"mkl_ssad(p={p:g}), ten authors, {share:.0%} unlabelled, kappa {settings.kappa:g}, kernels given"
                )

                def learn(known: Any = known, settings: Settings = settings, p: float = p) -> Any:
                    return learn_regions(kernels, known, settings, p=p)

                report(what, learn)


if __name__ == "__main__":
    main()
