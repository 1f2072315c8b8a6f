"""How fast exponentiated gradient is: `python tests/benchmarks/bench_exponentiated_gradient.py`.

Made-up posts of about 80 words by 20 authors: 1,000 in all, then 1,000 of each author. Compiling is not counted.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from systems.attribution._email_features import extract_features
from systems.attribution.exponentiated_gradient import UPDATES, ExponentiatedGradient
from systems.text.function_words import FUNCTION_WORDS
from systems.text.net_abbreviations import NET_ABBREVIATIONS

AUTHORS, WORDS = 20, 80


def made_up_posts(posts_of_each: int, seed: int = 0) -> tuple[list[str], np.ndarray]:
    rng = random.Random(seed)
    other = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randint(3, 11))) for _ in range(3000)]
    words = [*FUNCTION_WORDS, *NET_ABBREVIATIONS, *other]
    common = [1 / (rank + 5) for rank in range(len(words))]
    texts, labels = [], []
    for author in range(AUTHORS):
        habits = [weight * rng.uniform(0.3, 1.7) for weight in common]
        for _ in range(posts_of_each):
            drawn = rng.choices(words, habits, k=max(3, int(rng.expovariate(1 / WORDS))))
            breaks = rng.choices([" ", ", ", ". ", "\n", "\n\n"], [14, 1, 1, 1, 0.2], k=len(drawn))
            texts.append("Subject: Re: " + drawn[0] + "\n\n" + "".join(map("".join, zip(drawn, breaks, strict=True))))
            labels.append(author)
    return texts, np.array(labels)


def seconds(action: Callable[[], Any]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def report(what: str, figure: float, unit: str = "s") -> None:
    print(f"{what:<72}{figure:8.2f} {unit}")


def bench(posts_of_each: int) -> None:
    texts, labels = made_up_posts(posts_of_each)
    names = [f"author-{number:02d}" for number in range(AUTHORS)]
    features = extract_features(texts)
    print(f"{len(texts):,} posts, {posts_of_each:,} of each author, {features.nnz / len(texts):.0f} features a post")
    report("feature extraction", seconds(lambda: extract_features(texts)))
    for scheme, updates in UPDATES.items():
        for update in updates:
            system = ExponentiatedGradient(scheme=scheme, update=update)
            taken = seconds(lambda system=system: system.fit_features(features, labels, names, seed=0))  # type: ignore[misc]
            report(f"fit, {scheme}, {update}, {system.passes} passes", taken)


def main() -> None:
    tiny = sparse.csr_array(np.eye(3))
    for scheme, updates in UPDATES.items():
        for update in updates:
            ExponentiatedGradient(scheme=scheme, update=update).fit_features(tiny, np.arange(3), list("abc"), seed=0)
    bench(50)
    bench(1000)


if __name__ == "__main__":
    main()
