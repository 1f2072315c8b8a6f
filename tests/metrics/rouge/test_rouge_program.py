"""The program: what it prints, what it reads, and what it says of bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metrics.rouge.program import ProgramResult, run

TOPICS = {
    "2": ({"1": ["the cat sat on the mat"], "2": ["a dog"]}, {"A": ["the cat was on a mat"], "B": ["dogs bark"]}),
    "10": ({"1": ["hello there"]}, {"A": ["hello world"]}),
}
PRINTED = """\
---------------------------------------------
1 ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.50000 - 0.50000)
1 ROUGE-1 Average_P: 0.41666 (95%-conf.int. 0.33333 - 0.50000)
1 ROUGE-1 Average_F: 0.45000 (95%-conf.int. 0.40000 - 0.50000)
.............................................
1 ROUGE-1 Eval 2.1 R:0.50000 P:0.33333 F:0.40000
1 ROUGE-1 Eval 10.1 R:0.50000 P:0.50000 F:0.50000
---------------------------------------------
1 ROUGE-W-1.20 Average_R: 0.38560 (95%-conf.int. 0.33592 - 0.43528)
1 ROUGE-W-1.20 Average_P: 0.40762 (95%-conf.int. 0.31525 - 0.50000)
1 ROUGE-W-1.20 Average_F: 0.39533 (95%-conf.int. 0.32526 - 0.46540)
.............................................
1 ROUGE-W-1.20 Eval 2.1 R:0.33592 P:0.31525 F:0.32526
1 ROUGE-W-1.20 Eval 10.1 R:0.43528 P:0.50000 F:0.46540
---------------------------------------------
2 ROUGE-1 Average_R: 0.12500 (95%-conf.int. 0.12500 - 0.12500)
2 ROUGE-1 Average_P: 0.25000 (95%-conf.int. 0.25000 - 0.25000)
2 ROUGE-1 Average_F: 0.16667 (95%-conf.int. 0.16667 - 0.16667)
.............................................
2 ROUGE-1 Eval 2.2 R:0.12500 P:0.25000 F:0.16667
---------------------------------------------
2 ROUGE-W-1.20 Average_R: 0.09967 (95%-conf.int. 0.09967 - 0.09967)
2 ROUGE-W-1.20 Average_P: 0.28062 (95%-conf.int. 0.28062 - 0.28062)
2 ROUGE-W-1.20 Average_F: 0.14710 (95%-conf.int. 0.14710 - 0.14710)
.............................................
2 ROUGE-W-1.20 Eval 2.2 R:0.09967 P:0.28062 F:0.14710
"""
"""As ROUGE-1.5.5 printed it."""


@pytest.fixture
def directory(tmp_path: Path, write: Callable[..., Path]) -> Path:
    return write(tmp_path, TOPICS)


def go(directory: Path, options: str) -> ProgramResult:
    return run(options.split(), directory)


def lines(directory: Path, options: str) -> list[str]:
    result = go(directory, options)
    assert result.exit_code == 0, result.stderr
    return [line for line in result.stdout.splitlines() if not line.startswith(("-", "."))]


def test_the_printed_text_is_that_of_rouge_155(directory: Path) -> None:
    result = go(directory, "-n 1 -x -w 1.20 -a -d config.xml")
    assert result.stdout == PRINTED
    assert result.stderr == "*ROUGE Warning: test instance for peer 2 does not exist for evaluation 10\n"
    assert result.exit_code == 0


def test_options_may_share_a_dash_and_touch_their_values(directory: Path) -> None:
    expected = go(directory, "-n 1 -x -d -a -c 90 -r 10 config.xml").stdout
    assert go(directory, "-n1 -xda -c90 -r 10 -e /nowhere config.xml").stdout == expected
    assert "1 ROUGE-1 Average_P: 0.42500 (90%-conf.int. 0.33333 - 0.50000)" in expected


def test_raw_counts(directory: Path) -> None:
    best = lines(directory, "-n 1 -t 2 -f B -d config.xml 1")
    assert best[0] == "1 ROUGE-1 M_count: 8 P_count: 8 H_count: 5"
    assert best[1:3] == ["1 ROUGE-1 Eval 2.1 R:6 P:6 F:4", "1 ROUGE-1 Eval 10.1 R:2 P:2 F:1"]


def test_with_one_resample_the_interval_is_as_odd_as_the_original(directory: Path) -> None:
    assert lines(directory, "-n 1 -x -r 1 config.xml 2")[0].endswith("0.12500 (95%-conf.int. 0.12812 - 0.12812)")


@pytest.mark.parametrize(
    "options, names",
    [
        ("-x -2 4", ["ROUGE-S4"]),
        ("-x -2 4 -u", ["ROUGE-SU4"]),
        ("-x -2 4 -U", ["ROUGE-S4", "ROUGE-SU4"]),
        ("-x -2 4 -u -U", ["ROUGE-SU4"]),
        ("-x -2 -1 -U", ["ROUGE-S*", "ROUGE-SU*"]),
        ("-n 2", ["ROUGE-1", "ROUGE-2", "ROUGE-L"]),
        ("-x", []),
    ],
)
def test_which_measures_are_printed(directory: Path, options: str, names: list[str]) -> None:
    printed = [line.split()[1] for line in lines(directory, f"{options} -r 1 config.xml 1") if "_R:" in line]
    assert printed == names


def test_a_byte_limit_cuts_differently_for_l(tmp_path: Path, write: Any) -> None:
    text = {"1": ["aaaa bbbb", "cccc dddd"]}
    write(tmp_path, {"1": (text, text)})
    printed = lines(tmp_path, "-n 1 -b 10 -a -d -r 1 config.xml")
    assert [line for line in printed if "Eval" in line] == [
        "1 ROUGE-1 Eval 1.1 R:1.00000 P:1.00000 F:1.00000",
        "1 ROUGE-L Eval 1.1 R:0.50000 P:0.66667 F:0.57143",
    ]


def test_white_space_before_a_sentence_counts_as_a_word(tmp_path: Path, write: Any) -> None:
    write(tmp_path, {"1": ({"1": [" aa bb cc"]}, {"A": ["aa bb cc"]})})
    assert lines(tmp_path, "-n 1 -l 2 -t 2 -x -a config.xml") == ["1 ROUGE-1 M_count: 2 P_count: 1 H_count: 1"]


def test_see_pages_hold_sentences_in_lines_that_begin_as_they_must(directory: Path) -> None:
    page = (
        '<html>\n<body>\n<a name="1">[1]</a> <a href="#1" id=1>hello &lt; big</a>\n'
        ' <a name="2">[2]</a> <a href="#2" id=2>not read</a>\n'
        '<a size="3" name="3">[3]</a>\t<a href="#3" id=3>wide <b>world</b></a>\n</body></html>\n'
    )
    (directory / "page.html").write_text(page)
    (directory / "model.html").write_text('<a name="1">[1]</a> <a href="#1" id=1>hello lt wide world</a>')
    (directory / "list").write_text("page.html model.html\n\n page.html\tmodel.html \n")
    printed = lines(directory, "-n 1 -x -d -t 2 -z SEE list")
    assert printed == [
        "X ROUGE-1 M_count: 8 P_count: 8 H_count: 6",
        "X ROUGE-1 Eval 1.X R:4 P:4 F:3",
        "X ROUGE-1 Eval 2.X R:4 P:4 F:3",
    ]


def test_a_list_names_the_system_after_the_last_argument(directory: Path) -> None:
    (directory / "list").write_text("peers/2.1 models/2.A models/2.B\n")
    assert lines(directory, "-n 1 -x -z SPL list sys7")[0].startswith("sys7 ROUGE-1 Average_R: 0.50000")


def test_evaluations_are_printed_by_their_leading_numbers(tmp_path: Path, write: Any) -> None:
    write(tmp_path, {name: ({"1": ["a"]}, {"A": ["a"]}) for name in ("10", "d2", "9", "d10", "02")})
    order = [line.split()[3] for line in lines(tmp_path, "-n 1 -x -d -a config.xml") if "Eval" in line]
    assert order == ["02.1", "9.1", "10.1", "d10.1", "d2.1"]


def test_a_system_without_texts_is_all_warnings_and_zeros(directory: Path) -> None:
    result = go(directory, "-n 1 -x config.xml nobody")
    assert "nobody ROUGE-1 Average_R: 0.00000 (95%-conf.int. 0.00000 - 0.00000)" in result.stdout
    assert result.stderr.count("peer nobody does not exist") == 2


def test_an_empty_model_scores_0_in_w(tmp_path: Path, write: Any) -> None:
    write(tmp_path, {"1": ({"1": ["a b"]}, {"A": ["--"]})})
    assert "1 ROUGE-W-1.2 Average_F: 0.00000" in go(tmp_path, "-x -w 1.2 -a config.xml").stdout


def test_the_jackknife_is_the_mean_of_the_evaluations_with_each_model_left_out(tmp_path: Path, write: Any) -> None:
    models = {"A": ["the cat was on a mat"], "B": ["dogs bark"], "C": ["a cat sat there"]}
    peer = {"1": ["the cat sat on the mat"]}
    write(tmp_path, {"1": (peer, models)})
    jackknifed = go(tmp_path, "-n 1 -x -j -d -f B -r 1 -a config.xml").stdout
    parts = []
    for left_out in models:
        write(tmp_path, {"1": (peer, {name: text for name, text in models.items() if name != left_out})})
        line = next(x for x in lines(tmp_path, "-n 1 -x -d -f B -r 1 -a config.xml") if "Eval" in x)
        parts.append([float(field[2:]) for field in line.split()[4:]])
    means = [sum(column) / 3 for column in zip(*parts, strict=True)]
    assert "Eval 1.1 R:{:.5f} P:{:.5f} F:{:.5f}\n".format(*means) in jackknifed


@pytest.mark.parametrize("options", ["-h", "-H", ""])
def test_usage(directory: Path, options: str) -> None:
    result = go(directory, options)
    assert result.stdout.startswith("usage: rouge")
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "options, message",
    [
        ("-q config.xml", "unknown option: q"),
        ("-n", "option -n needs a value"),
        ("-n x -a config.xml", "-n needs a whole number, not 'x'"),
        ("-w x -a config.xml", "-w needs a number, not 'x'"),
        ("-w 0 -a config.xml", "-w must be greater than 0"),
        ("-c 150 -a config.xml", "-c must be between 0 and 100"),
        ("-p 2 -a config.xml", "-p must be between 0 and 1"),
        ("-r 0 -a config.xml", "-r must be at least 1"),
        ("-t 3 -a config.xml", "-t must be 0, 1 or 2"),
        ("-f C -a config.xml", "-f must be A or B"),
        ("-l 5 -b 5 -a config.xml", "not both"),
        ("-l -5 -a config.xml", "-l must not be negative"),
        ("-j -t 1 -a config.xml", "-j averages scores"),
        ("-3 HM -a config.xml", "not supported"),
        ("-z ISI list", "unknown input format 'ISI'"),
        ("-n 1", "no configuration file"),
        ("-n 1 config.xml", "name a system"),
        ("-n 1 config.xml 1 2", "too many arguments"),
        ("-n 1 -a nowhere.xml", "cannot read the configuration"),
        ("-n 1 -a models", "cannot read the configuration"),
        ("-n 1 -z SPL nowhere", "cannot read the list"),
    ],
)
def test_bad_options_are_one_line(directory: Path, options: str, message: str) -> None:
    result = go(directory, options)
    assert message in result.stderr
    assert result.stderr.startswith("rouge: ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert result.exit_code != 0


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda text: "<a><b></a>", "not well-formed XML"),
        (lambda text: "<a/>", "no EVAL"),
        (lambda text: '<?xml version="1.0" encoding="nonsense"?><a/>', "unknown encoding"),
        (lambda text: BOMB, "entities are not allowed"),
        (lambda text: OUTSIDE, "entities are not allowed"),
        (lambda text: text.replace('ID="10"', 'ID="2"'), "EVAL ID '2' is given twice"),
        (lambda text: text.replace('TYPE="SPL"', 'TYPE="FOO"'), "unknown INPUT-FORMAT TYPE 'FOO'"),
        (lambda text: text.replace("<PEER-ROOT> peers </PEER-ROOT>", ""), "has no PEER-ROOT"),
        (lambda text: text.replace('<M ID="B">', '<M ID="A">'), "MODELS/M 'A' is given twice"),
        (lambda text: text.replace('<P ID="2">', "<P>"), "PEERS/P needs an ID"),
        (lambda text: text.replace("2.2</P>", "gone</P>"), "cannot read the text"),
        (lambda text: text.replace('EVAL ID="10"', "EVAL"), "has no ID"),
    ],
)
def test_bad_configurations_are_one_line(directory: Path, change: Callable[[str], str], message: str) -> None:
    config = directory / "config.xml"
    config.write_text(change(config.read_text()))
    result = go(directory, "-n 1 -a config.xml")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert result.exit_code != 0


@pytest.mark.parametrize(
    "content, message", [("\n", "the list is empty"), ("a\n", "line 1: a peer and at least"), ("a c\0b\n", "null byte")]
)
def test_bad_lists_are_one_line(directory: Path, content: str, message: str) -> None:
    (directory / "list").write_text(content)
    result = go(directory, "-n 1 -z SPL list")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
