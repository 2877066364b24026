"""The report of a history is one file that asks for nothing, escapes what the repository says, and works by keys.

What needs a browser is tried in Chromium, and skipped where there is none.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pliant.ci.reports.history_html import page
from pliant.ci.web import Pages

HOSTILE = (
    "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"> & \u2028 @SCRIPT@"
)
MANY = 10_000


def tables(commits: int, findings: int, words: str = "a change") -> tuple[list[dict[str, Any]], ...]:
    """Tables of the right shape: finding i comes with commit i, and every other one is fixed ten commits later."""
    start = datetime(2024, 1, 1, tzinfo=UTC)
    of_commits = [
        {"position": place, "commit": f"{place:040x}", "parents": [], "time": start + timedelta(hours=place),
         "subject": f"{words} {place}", "author": f"{words} ({place})" if place else None,
         "files": 1, "facts_inserted": place % 50, "facts_deleted": place % 7,
         "tuples": place % 300, "introduced": int(place < findings), "fixed": 0,
         "findings": place, "window_number": place // 63, "strategy": "versions" if place % 3 else "update"}
        for place in range(commits)
    ]  # fmt: skip
    said = {"rule": "null.attribute", "fingerprint": "f" * 16, "start_column": 0, "severity": "warning",
            "confidence": "high", "probability": 0.9, "unlikely": False, "suppressed": None}  # fmt: skip
    of_findings, changes = [], []
    for number in range(findings):
        first = number % commits
        last = first + 10 if number % 2 and first + 10 < commits else None
        row = {**said, "file": f"app/file{number % 40}.py", "line": number + 1, "function": f"function{number % 90}",
               "message": f"{words}: finding {number}"}  # fmt: skip
        of_findings.append({**row, "id": number, "began": "new", "first": f"{first:040x}", "first_position": first,
                            "ended": "open" if last is None else "fixed", "last_position": last, "commits": 10,
                            "days": 1.5})  # fmt: skip
        step = {"file": row["file"], "line": 3, "start_column": 0, "function": "", "note": f"{words} comes from here",
                "source": f"use(x)  # {words}"}  # fmt: skip
        changes.append({**row, "position": first, "status": "new", "finding": number, "path": [step],
                        "fails_when": f"Fails when `{words}` is true."})  # fmt: skip
    windows = [{"window_number": 0, "first": f"{0:040x}", "commits": commits, "versions": 64, "strategy": "versions",
                "reason": words, "price_versions": 1.0, "price_update": 2.0, "seconds": 1.0}]  # fmt: skip
    return of_commits, changes, of_findings, windows


def test_the_page_asks_for_nothing_and_escapes_everything() -> None:
    text = page(HOSTILE, *tables(5, 5, HOSTILE))
    assert text.count("<script") == text.count("</script>") == 2
    assert "<img" not in text and 'onerror="' not in text
    assert "default-src 'none'" in text
    asking = r"""(?:src|href)=["'](?!data:)|url\(|@import|https?:|fetch\(|XMLHttp|import\("""
    assert not re.findall(asking, page("a", *tables(5, 5)))
    data = text.split('id="data">')[1].split("</script>")[0]
    assert json.loads(data)["commits"]["subject"][0] == f"{HOSTILE} 0"
    assert page("a", *tables(5, 5)) == page("a", *tables(5, 5))


def test_a_history_without_findings_or_with_one_commit_has_a_page() -> None:
    assert '"findings":{"line":[]' in page("a", *tables(1, 0))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    chromium, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no Chromium with its driver")
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = selenium.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-background-networking",
                 "no-first-run", f"user-data-dir={tmp_path_factory.mktemp('browser')}"):  # fmt: skip
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = selenium.Chrome(options=options, service=selenium.ChromeService(driver))
    yield opened
    opened.quit()


def opened(browser: Any, tmp_path: Path, width: int, *of: Any, title: str = "repository A..B") -> Any:
    from selenium.webdriver.support.wait import WebDriverWait  # noqa: PLC0415

    path = tmp_path / "report.html"
    path.write_text(page(title, *of), encoding="utf-8")
    browser.set_window_size(width, 900)
    browser.get(path.as_uri())
    ready = "return document.documentElement.dataset.ready === 'true'"  # a large page may be loaded before it is drawn
    WebDriverWait(browser, 60).until(lambda at: at.execute_script(ready))
    return browser


def shown(browser: Any) -> str:
    text: str = browser.execute_script("return document.getElementById('details').innerText")
    return text


@pytest.mark.parametrize("width", [1280, 768, 400])
def test_ten_thousand_findings_are_usable_at_any_width(width: int, browser: Any, tmp_path: Path) -> None:
    opened(browser, tmp_path, width, *tables(1000, MANY))
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.execute_script("return document.querySelectorAll('#findings .row').length") < 60
    assert browser.find_element("id", "finding-count").text == str(MANY)
    browser.execute_script("document.getElementById('findings').scrollTop = 1e9")
    browser.execute_script("document.getElementById('findings').dispatchEvent(new Event('scroll'))")
    assert browser.find_elements("id", f"findings-{MANY - 1}")
    box = browser.find_element("id", "finding-filter")
    box.send_keys("finding 777")
    assert browser.find_element("id", "finding-count").text == "11"
    browser.find_element("css selector", "#findings .row").click()
    assert "finding 777" in shown(browser) and "comes from here" in shown(browser)
    assert browser.execute_script("return location.hash").startswith("#finding=777")
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_points_lead_to_commits_and_commits_to_findings(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys  # noqa: PLC0415

    opened(browser, tmp_path, 1100, *tables(100, 50))
    browser.execute_script("location.hash = ''; document.getElementById('time').focus()")
    chart = browser.switch_to.active_element
    chart.send_keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    assert "a change 2" in shown(browser) and "Introduced" in shown(browser)
    assert browser.execute_script("return location.hash") == f"#commit={2:040x}"
    browser.find_element("css selector", "#details-text li button").click()
    assert "a change: finding 2" in shown(browser) and "Fails when `a change` is true." in shown(browser)
    assert "by a change (2)" in shown(browser)
    assert [each.text for each in browser.find_elements("css selector", "#details li pre")] == ["use(x)  # a change"]
    assert browser.find_element("id", "said").get_attribute("textContent") == "a change: finding 2"
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert browser.execute_script("return document.getElementById('details').hidden")
    for canvas in ("gantt", "scatter"):
        browser.execute_script("document.getElementById(arguments[0]).focus()", canvas)
        browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
        assert not browser.execute_script("return document.getElementById('details').hidden"), canvas
        browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    browser.find_element("id", "time").click()
    assert not browser.execute_script("return document.getElementById('details').hidden")
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    browser.find_element("css selector", "#hot-files button").click()
    assert int(browser.find_element("id", "finding-count").text) < 50


def test_places_are_links_where_the_repository_is_on_the_web(browser: Any, tmp_path: Path) -> None:
    of = tables(3, 3)
    for row in (*of[1], *of[2]):
        row["file"] = "a b/<i>#?{line}.py"
    of[1][0]["path"][0]["file"] = row["file"]
    on_the_web = Pages("https://git.example/x", "/blob/{commit}/{path}#L{line}")
    opened(browser, tmp_path, 1100, *of, on_the_web)
    browser.find_element("css selector", "#findings .row").click()
    links = [each.get_attribute("href") for each in browser.find_elements("css selector", "#details a")]
    place = f"https://git.example/x/blob/{0:040x}/a%20b/%3Ci%3E%23%3F%7Bline%7D.py#L"
    assert links == [f"{place}1", f"{place}3"]
    opened(browser, tmp_path, 1100, *of)
    browser.find_element("css selector", "#findings .row").click()
    assert not browser.find_elements("css selector", "#details a")


def test_months_have_their_numbers(browser: Any, tmp_path: Path) -> None:
    of = tables(1000, 800)  # an hour apart, from the first of January
    of[0][3]["time"] = datetime(2023, 12, 31, tzinfo=UTC)  # earlier than what it follows
    opened(browser, tmp_path, 1100, *of)
    browser.execute_script("document.getElementById('months').focus()")
    keys = browser.switch_to.active_element
    told = []
    for _ in range(4):
        keys.send_keys("\ue014")  # to the right
        told.append(browser.find_element("id", "month").text)
    assert told == [
        "2023-12: 1 introduced, 0 fixed",
        "2024-01: 743 introduced, 0 fixed",
        "2024-02: 56 introduced, 0 fixed",
        "2024-02: 56 introduced, 0 fixed",
    ]
    keys.send_keys("\ue007")  # Enter
    assert "a change 744" in shown(browser)


def test_light_and_dark(browser: Any, tmp_path: Path) -> None:
    opened(browser, tmp_path, 1100, *tables(10, 5))
    back = "return getComputedStyle(document.body).backgroundColor"
    first = browser.execute_script(back)
    browser.find_element("id", "theme").click()
    second = browser.execute_script(back)
    browser.find_element("id", "theme").click()
    assert first != second and browser.execute_script(back) == first


def test_what_a_repository_says_is_text(browser: Any, tmp_path: Path) -> None:
    opened(browser, tmp_path, 1100, *tables(3, 3, HOSTILE), title=HOSTILE)
    browser.find_element("css selector", "#findings .row").click()
    assert "</script><script>" in shown(browser)
    assert browser.execute_script("return document.images.length") == 0
    assert browser.title != "taken"
