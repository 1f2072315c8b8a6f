"""Leaderboards as files: every number there, nothing executable slips through, and a browser can use the page."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import board, entrant
from rich.console import Console

from harness.leaderboard import Board, Entrant
from harness.report.html import render
from harness.report.tables import terminal_table, to_csv, to_json, to_latex

HOSTILE = "<script>alert(1)</script>&\"'"


@pytest.fixture(scope="module")
def made() -> Board:
    absent = Entrant(name=HOSTILE, reason=f"it said {HOSTILE}", summary=HOSTILE)
    return board(entrant("best", 0.9), entrant("middle_one", 0.7), entrant("worst", 0.5), absent)


def test_csv_has_every_digit(made: Board) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(made))))
    assert [row["system"] for row in rows] == ["best", "middle_one", "worst", HOSTILE]
    assert [row["rank"] for row in rows] == ["1", "2", "3", ""]
    for row, standing in zip(rows, made.standings[:3], strict=False):
        assert float(row["c_at_1"]) == standing.scores[0].value
        assert (float(row["c_at_1_low"]), float(row["c_at_1_high"])) == standing.scores[0].interval


def test_json_gives_the_board_back(made: Board) -> None:
    content = json.loads(to_json(made))
    assert [standing["name"] for standing in content["standings"]] == [s.name for s in made.standings]
    assert content["standings"][0]["scores"][0]["signature"] == made.standings[0].scores[0].signature


def test_latex_is_escaped_and_marks_the_best(made: Board) -> None:
    text = to_latex(made)
    assert r"middle\_one" in text
    assert r"\&" in text
    assert f"\\textbf{{{made.standings[0].scores[0].value:.3f}}}" in text


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_the_terminal_table_names_every_system_at_any_width(made: Board, width: int) -> None:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(terminal_table(made, width))
    lines = console.export_text().split("\n")
    assert max(map(len, lines)) <= width
    if width >= 80:
        for standing in made.standings[:3]:
            (line,) = [line for line in lines if standing.name in line]
            assert f"{standing.scores[0].value:.3f}" in line
        assert any(HOSTILE in line and "n/a" in line for line in lines)


def test_hostile_names_are_inert_in_html(made: Board) -> None:
    page = render([made])
    assert HOSTILE not in page
    assert page.count("<script>") == 1  # the page's own
    assert "http://" not in page
    assert "https://" not in page


@pytest.fixture(scope="module")
def browser() -> Iterator:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("NO BROWSER: install Debian's chromium and chromium-driver to test the pages")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    flags = (
        "headless no-sandbox disable-gpu disable-dev-shm-usage no-first-run disable-background-networking disable-sync"
    )
    for flag in (*flags.split(), "disable-background-networking", "disable-component-update"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    window = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    yield window
    window.quit()


def test_sorting_in_a_real_browser(made: Board, browser, tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text(render([made]), encoding="utf-8")
    browser.get(page.as_uri())

    def systems() -> list[str]:
        return [cell.text for cell in browser.find_elements("css selector", "tbody th")]

    def sort_by(heading: str) -> None:
        buttons = browser.find_elements("css selector", "thead button")
        next(button for button in buttons if button.text.startswith(heading)).click()

    assert systems()[:3] == ["best", "middle_one", "worst"]
    sort_by("c_at_1")
    assert systems() == ["worst", "middle_one", "best", HOSTILE]
    sort_by("c_at_1")
    assert systems() == ["best", "middle_one", "worst", HOSTILE]  # n/a stays last either way
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", [375, 1440])
def test_the_page_fits_a_phone_and_a_desk(made: Board, browser, tmp_path: Path, width: int) -> None:
    page = tmp_path / "index.html"
    page.write_text(render([made]), encoding="utf-8")
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    browser.get(page.as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    first = browser.find_element("css selector", "tbody th").rect
    assert 0 <= first["x"] < width
