"""How fast author verification is: `python tests/benchmarks/bench_verification.py`.

The texts are made up, of about 2,500 words each; one thread of work, whatever the libraries add to it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from harness.records import Document, SystemCall
from harness.registry import list_systems, make_system
from harness.tasks.verification import Problem, Truth
from systems.text.ppm import build_model, cross_entropy
from systems.verification._texts import index_texts
from systems.verification.fuzzy_c_means import (
    by_one_author,
    draw_samples,
    extract_features,
    fit_clusters,
    memberships,
    similarities,
)

WORDS = 2500


def made_up_text(rng: random.Random, words: list[str]) -> str:
    drawn = rng.choices(words, [1 / (rank + 1) for rank in range(len(words))], k=WORDS)
    return " ".join(word + rng.choices(["", ",", ".", ";", "?"], [20, 2, 2, 0.2, 0.2])[0] for word in drawn)


def made_up_split(count: int, seed: int) -> tuple[list[Problem], list[Truth]]:
    rng = random.Random(seed)
    words = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randint(1, 9))) for _ in range(5000)]
    problems, truths = [], []
    for number in range(count):
        first, second = (
            Document(id=f"{number}/{side}", text=made_up_text(rng, rng.sample(words, 2000))) for side in "kq"
        )
        problems.append(Problem(id=f"{seed}-{number}", known=(first,), questioned=second))
        truths.append(Truth(same=number % 2 == 0))
    return problems, truths


def seconds(action: Callable[[], Any], repeats: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        action()
    return (time.perf_counter() - start) / repeats


def report(what: str, figure: float, unit: str) -> None:
    print(f"{what:<62}{figure:10.1f} {unit}")


def bench_fuzzy(problems: list[Problem], truths: list[Truth]) -> None:
    index = index_texts(problems)
    texts = list(index.texts())
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    report("fuzzy_c_means: feature extraction", megabytes / seconds(lambda: extract_features(texts), 3), "MB/s")
    features, groups = extract_features(texts), by_one_author(index, np.array([truth.same for truth in truths]))

    def fit_and_score(draws: int) -> None:
        generator = np.random.default_rng(0)
        numbers, present = draw_samples(groups, share=0.2, draws=draws, random=generator)
        clusters = fit_clusters(features[numbers], present, clusters=4, m=3.0, random=generator)
        similarities(memberships(clusters, features), index.known, index.questioned)

    size = len(problems)
    report(f"fuzzy_c_means: one fit and score of {size} problems", 1e3 * seconds(lambda: fit_and_score(1), 5), "ms")
    report(f"fuzzy_c_means: 1,000 draws of {size} problems", seconds(lambda: fit_and_score(1000)), "s")


def bench_ppm(text: str, other: str) -> None:
    model = build_model(text, order=5)
    report("compression: PPM model of a text", 1e3 * seconds(lambda: build_model(text, order=5), 20), "ms")
    report("compression: cross-entropy of a text", 1e3 * seconds(lambda: cross_entropy(model, other), 20), "ms")


def main() -> None:
    train, test = made_up_split(300, 1), made_up_split(300, 2)
    bench_fuzzy(train[0][:100], train[1][:100])
    bench_ppm(train[0][0].questioned.text, train[0][1].questioned.text)
    for info in list_systems("verification"):
        system = make_system(SystemCall(task="verification", name=info.name, parameters={}))

        def run(system: Any = system) -> None:
            system.fit(*train, seed=0)
            system.answer(test[0])

        report(f"{info.name}: fit on 300 pairs and answer 300", seconds(run), "s")


if __name__ == "__main__":
    main()
