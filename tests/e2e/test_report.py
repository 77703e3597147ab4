# SPDX-License-Identifier: MIT
"""Report pages: one file, nothing from outside, and what a person does with it, in a real browser where there is one."""
import re
import shutil
from html.parser import HTMLParser

import numpy as np
import pytest
from conftest import ROOT, run_ritz

HOSTILE = ['<script>window.hacked=1</script>', '"><img src=x onerror="window.hacked=2">', "</script><script>window.hacked=3</script>",
           "<!--", "&lt;b&gt;'`${window.hacked=4}", "\u202eevil", "=1+1", ""]

# A fit of every task: what it reads and its options.
FITS = {
    "reduce": ["x.csv", "--label-column", "kind", "--dim", "2", "--kernel", "gaussian(sigma=0.25*median)", "--holdout", "0.3",
               "--bootstrap", "3", "--sparse"],
    "recluster": ["small.csv", "--given", "small.feature1.labels", "--clusters", "2", "--dim", "2", "--views", "2"],
    "kernel": ["board.csv", "--labels", "board.class.labels", "--fraction", "0.4", "--clusters", "2"],
    "unfold": ["roll.csv", "--dim", "3"],
    "isometry": ["squares.csv", "--distortion", "0.4", "--recall", "3"],
    "center": ["s.npz"],
    "depend": ["x.csv", "--label-column", "kind", "--permutations", "199"],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A folder with the page of every task and its model."""
    folder = tmp_path_factory.mktemp("report")
    for name, words in {"sectors": ["sectors", "--samples", "150"], "small": ["small-gauss", "--samples", "80"],
                        "board": ["chessboard", "--samples", "60"], "roll": ["swiss-roll", "--samples", "90"],
                        "squares": ["squares", "--samples", "20"]}.items():
        assert run_ritz("generate", *words, "--output", f"{name}.csv", "--quiet", cwd=folder).status == 0
    kinds = (folder / "sectors.class.labels").read_text().split()
    names = dict(zip(sorted(set(kinds)), HOSTILE))
    head, *rows = (folder / "sectors.csv").read_text().splitlines()
    columns = [f'"{name}"'.replace('"><', '""><').replace('="', '=""').replace('">"', '"">"') for name in HOSTILE[:7]]
    head = ",".join([*columns, *head.split(",")[len(columns):], "kind"])
    quoted = ['"' + names[kind].replace('"', '""') + '"' for kind in kinds]
    (folder / "x.csv").write_text("\n".join([head, *(f"{row},{kind}" for row, kind in zip(rows, quoted))]) + "\n")
    rng = np.random.default_rng(2)
    np.savez(folder / "s.npz", **{f"<b>s{i}</b>": np.linalg.qr(np.eye(9)[:, :2] + 0.2 * rng.normal(size=(9, 2)))[0] for i in range(12)})
    for verb, words in FITS.items():
        run = run_ritz(verb, *words, "--report", f"{verb}.html", "--save-model", f"{verb}.ritz", "--quiet", "--threads", "2", cwd=folder)
        assert run.status in (0, 4), run
    return folder


def page(folder, name):
    return (folder / f"{name}.html").read_text(encoding="utf-8")


class Outside(HTMLParser):
    """Whatever would make a browser ask for something."""
    def __init__(self):
        super().__init__()
        self.found, self.scripts, self.tags = [], 0, []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.scripts += tag == "script"
        for name, value in attributes:
            if name in ("src", "href", "srcset", "action", "data") or name.startswith("on"):
                self.found.append((tag, name, value))


@pytest.mark.parametrize("verb", FITS)
def test_a_page_is_one_file_that_needs_nothing_else(verb, pages):
    text = page(pages, verb)
    outside = Outside()
    outside.feed(text)
    assert outside.found == [] and outside.scripts == 2 and "link" not in outside.tags and "@import" not in text
    assert "default-src 'none'" in text and re.search(r"script-src 'sha256-[\w+/]{43}='", text)
    assert re.search(r'class="verdict (good|fair|bad)"', text)
    assert "Do it again" in text and f"ritz {verb} " in text and "--threads" not in text


@pytest.mark.parametrize("verb", FITS)
def test_a_model_has_the_same_page_later(verb, pages):
    data = {"center": [], "reduce": ["x.csv", "--label-column", "kind"], "depend": []}.get(verb, [FITS[verb][0]])
    run = run_ritz("report", f"{verb}.ritz", *data, "-o", f"{verb}.later.html", cwd=pages)
    assert run.status == 0 and "wrote report" in run.err, run
    heads = [re.search(r"<h1>.*?</dl>", page(pages, name), re.S)[0] for name in (verb, f"{verb}.later")]
    assert heads[0] == heads[1].replace('<div><dt>views</dt><dd>1</dd></div>\n', '') or verb == "recluster"
    assert run_ritz("report", f"{verb}.ritz", cwd=pages).out.startswith("<!DOCTYPE html>")


def test_the_same_run_gives_the_same_page(pages):
    run = run_ritz("reduce", *FITS["reduce"], "--report", "again.html", "--threads", "1", "--quiet", cwd=pages)
    assert run.status in (0, 4) and page(pages, "again") == page(pages, "reduce")


def test_a_page_can_be_read_without_script(pages):
    assert "<noscript><figure class=" in page(pages, "reduce")
    for verb, words in {"isometry": "The worst pairs", "center": "All subspaces", "depend": "All features", "kernel": "Worth asking",
                        "recluster": "Views, one after", "unfold": "Fidelity", "reduce": "Which features matter"}.items():
        assert words in page(pages, verb), verb


def test_names_are_data(pages):
    for verb in ("reduce", "depend", "center"):
        text = page(pages, verb)
        body = text[text.index("<body>"):]
        for name in HOSTILE[:4] + ["<b>s1</b>"]:
            assert name not in body.replace("<script type=\"application/json\"", ""), (verb, name)


def test_a_name_does_not_turn_the_sentence_around_it(pages):
    rng = np.random.default_rng(0)
    kind = np.repeat(["a", "b"], 40)
    X = rng.normal(size=(80, 2)) + 4 * (kind == "a")[:, None]
    rows = [",".join([*map(str, x), y]) for x, y in zip(X.tolist(), kind)]
    (pages / "turned.csv").write_text("\u202eevil,\u2067עברית,kind\n" + "\n".join(rows) + "\n", encoding="utf-8")
    run = run_ritz("reduce", "turned.csv", "--label-column", "kind", "--report", "turned.html", "--plot", "turned.svg", "--quiet", cwd=pages)
    assert run.status == 0, run
    shown = page(pages, "turned").partition('<script type="application/json"')[0]
    assert "evil" in shown and "עברית" in shown and not re.search("[\u202a-\u202e\u2066-\u2069]", shown)
    assert "\u202e" not in (pages / "turned.svg").read_text(encoding="utf-8")


def test_what_cannot_be_reported_is_said(pages):
    run = run_ritz("report", "center.ritz", "x.csv", cwd=pages)
    assert run.status == 2 and "leave X out" in run.err
    run = run_ritz("report", "reduce.ritz", "squares.csv", "-o", "no.html", cwd=pages)
    assert run.status == 3 and "column" in run.err and not (pages / "no.html").exists()
    run = run_ritz("report", "reduce.ritz", "-o", "reduce.ritz", cwd=pages)
    assert run.status == 2 and "which is read" in run.err


def test_sixty_thousand_points_fit_into_two_megabytes(pages):
    assert run_ritz("generate", "sectors", "--samples", "60000", "--output", "many.csv", "--quiet", cwd=pages).status == 0
    rows = (pages / "many.csv").read_text().splitlines()
    head = (pages / "x.csv").read_text().splitlines()[0].rpartition(",")[0]  # the names that the model was fitted to
    (pages / "many.csv").write_text("\n".join([head, *rows[1:]]) + "\n")
    run = run_ritz("report", "reduce.ritz", "many.csv", "--labels", "many.class.labels", "-o", "many.html", "--quiet", cwd=pages)
    assert run.status == 0, run
    assert (pages / "many.html").stat().st_size <= 2_000_000


def test_the_picture_of_the_readme_is_what_the_program_draws(pages):
    """Not byte for byte: another processor may place a point a tenth of a pixel elsewhere."""
    assert run_ritz("generate", "sectors", "--output", "readme.csv", "--quiet", cwd=pages).status == 0
    run = run_ritz("reduce", "readme.csv", "--labels", "readme.class.labels", "--dim", "2", "--kernel", "gaussian(sigma=0.25*median)",
                   "--holdout", "0.3", "--plot", "readme.svg", "--quiet", cwd=pages)
    assert run.status == 0
    shapes = [re.sub(r"-?\d+(\.\d+)?", "0", text) for text in ((ROOT / "docs/images/sectors.svg").read_text(), (pages / "readme.svg").read_text())]
    assert shapes[0] == shapes[1], "run the command of this test again and commit its picture"


def flags_and_noise(folder):
    """A table of yes and no, and one of noise, with the pages of both."""
    rng = np.random.default_rng(3)
    labels = np.repeat(["a", "b"], 40)
    flags = np.where(rng.random((80, 4)) < 0.5, 1, 0)
    flags[:, 0] = labels == "a"
    for name, X in {"flags": flags, "noise": rng.normal(size=(80, 4))}.items():
        rows = [",".join([*map(str, x), y]) for x, y in zip(X.tolist(), labels)]
        (folder / f"{name}.csv").write_text("p,q,r,s,kind\n" + "\n".join(rows) + "\n")
        run = run_ritz("reduce", f"{name}.csv", "--label-column", "kind", "--report", f"{name}.html", "--quiet", cwd=folder)
        assert run.status == 0, run


def test_a_page_says_first_what_chance_and_simpler_ways_do(pages):
    flags_and_noise(pages)
    text = page(pages, "noise")
    assert "Nothing beyond chance. " in text and 'class="verdict bad"' in text and "No more than chance" in text
    text = page(pages, "flags")
    assert "Nothing beyond chance" not in text and "are classified right by their neighbours (cross-validated" in text
    rows = re.findall(r"<td>(whiten \([^<]*)</td>", text)
    assert len(set(rows)) > 1
    rng = np.random.default_rng(0)
    np.savetxt(pages / "cloud.csv", rng.normal(size=(90, 3)), delimiter=",", header="a,b,c", comments="")
    (pages / "thirds.labels").write_text("\n".join("xyz"[i % 3] for i in range(90)) + "\n")
    run = run_ritz("recluster", "cloud.csv", "--given", "thirds.labels", "--clusters", "2", "--dim", "2", "--report", "cloud.html", cwd=pages)
    said = "NOTHING says" in run.err
    assert said == ("Nothing says so. " in page(pages, "cloud")), run


# --- in a browser ---------------------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def browser():
    selenium = pytest.importorskip("selenium.webdriver", reason="python3-selenium is not installed")
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        pytest.skip("Chromium is not installed (Debian packages chromium and chromium-driver)")
    from selenium.webdriver.chrome.service import Service
    options = selenium.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = selenium.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    yield driver
    driver.quit()


def opened(browser, folder, name):
    from selenium.webdriver.support.ui import WebDriverWait
    browser.get_log("browser"), browser.get_log("performance")
    browser.get((folder / f"{name}.html").as_uri())
    WebDriverWait(browser, 60).until(lambda b: b.execute_script("return document.documentElement.dataset.ready") == "yes")
    return browser


def script(browser, text, *arguments):
    return browser.execute_script(text, *arguments)


FIRST = "const section = document.querySelector('.scatter'), points = section.points, view = points.views[0]; "


@pytest.mark.parametrize("verb", FITS)
def test_the_page_draws_without_a_word_or_a_request(verb, pages, browser):
    opened(browser, pages, verb)
    drawn = script(browser, "return [...document.querySelectorAll('canvas.points')].map(c => +c.dataset.drawn)")
    assert drawn and all(count > 0 for count in drawn)
    assert browser.get_log("browser") == []
    asked = re.findall(r'"requestWillBeSent".*?"url":"([^"]+)', "\n".join(entry["message"] for entry in browser.get_log("performance")))
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    assert script(browser, "return window.hacked === undefined && document.querySelectorAll('img').length === 0")


@pytest.mark.parametrize("verb", FITS)
def test_the_page_fits_a_phone(verb, pages, browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    try:
        opened(browser, pages, verb)
        assert script(browser, "return document.documentElement.scrollWidth") <= 390
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_few_points_are_named_and_many_once_they_are_near(pages, browser):
    rng = np.random.default_rng(4)
    for n in (30, 400):
        rows = [f"town {i},{x:.3f},{y:.3f},{x * y:.3f}" for i, (x, y) in enumerate(rng.normal(size=(n, 2)))]
        (pages / f"towns{n}.csv").write_text("name,a,b,price\n" + "\n".join(rows) + "\n")
        run = run_ritz("reduce", f"towns{n}.csv", "--target-column", "price", "--dim", "2", "--report", f"towns{n}.html", "--quiet", cwd=pages)
        assert run.status == 0 and "<h1>Which directions explain price?</h1>" in page(pages, f"towns{n}"), run
    opened(browser, pages, "towns30")
    assert script(browser, FIRST + "return +view.canvas.dataset.named") > 15
    opened(browser, pages, "towns400")
    assert script(browser, FIRST + "return +view.canvas.dataset.named") == 0
    script(browser, FIRST + "view.magnify(12)")
    assert 0 < script(browser, FIRST + "return +view.canvas.dataset.named") <= 60


def test_zoom_hover_legend_lasso_and_keys(pages, browser):
    from selenium.webdriver import ActionChains, Keys
    from selenium.webdriver.common.by import By
    opened(browser, pages, "reduce")
    canvas = browser.find_element(By.CSS_SELECTOR, "canvas.points")
    script(browser, "arguments[0].scrollIntoView({block: 'center'})", canvas)
    everything = script(browser, FIRST + "return +view.canvas.dataset.drawn")
    assert everything == 150
    size = script(browser, FIRST + "return [view.width, view.height]")

    def offset(place):
        return round(place[0] - size[0] / 2), round(place[1] - size[1] / 2)

    ActionChains(browser).move_to_element_with_offset(canvas, *offset(script(browser, FIRST + "return view.place(7)"))).perform()
    tip = browser.find_element(By.CSS_SELECTOR, ".tip")
    assert tip.is_displayed() and "sample" in tip.text and "axis 1" in tip.text
    assert script(browser, FIRST + "return points.hovered") >= 0  # and lit in the other view, too

    browser.find_element(By.CSS_SELECTOR, ".legend button").click()
    hidden = script(browser, FIRST + "return +view.canvas.dataset.drawn")
    assert 0 < hidden < everything
    browser.find_element(By.CSS_SELECTOR, ".legend button").click()
    assert script(browser, FIRST + "return +view.canvas.dataset.drawn") == everything

    half = [round(size[0] * 0.45), round(size[1] * 0.45)]
    lasso = ActionChains(browser).key_down(Keys.SHIFT).move_to_element_with_offset(canvas, -half[0], -half[1]).click_and_hold()
    for x, y in ((0, -half[1]), (half[0], -half[1]), (half[0], half[1]), (-half[0], half[1])):
        lasso = lasso.move_to_element_with_offset(canvas, x, y)
    lasso.release().key_up(Keys.SHIFT).perform()
    selected = script(browser, FIRST + "return points.count")
    assert 0 < selected <= everything
    assert f"{selected} selected" in browser.find_element(By.CSS_SELECTOR, ".chosen").text
    assert len(browser.find_elements(By.CSS_SELECTOR, ".chosen tbody tr")) == min(200, selected)

    canvas.send_keys(Keys.ESCAPE)
    assert script(browser, FIRST + "return points.count") == 0
    canvas.send_keys("+")
    assert float(canvas.get_attribute("data-zoom")) > 1
    canvas.send_keys("0", ".")
    assert browser.find_element(By.CSS_SELECTOR, "[aria-live]").get_attribute("textContent")
    assert browser.get_log("browser") == []


def test_the_list_of_what_is_selected_is_csv_that_no_spreadsheet_obeys(pages, browser):
    opened(browser, pages, "reduce")
    script(browser, "window.saved = []; URL.createObjectURL = blob => { blob.text().then(t => window.saved.push(t)); return '#'; };" +
           FIRST + "points.select(i => i < 3); section.querySelector('.chosen button').click();")
    text = browser.execute_async_script("const done = arguments[0]; setTimeout(() => done(window.saved[0]), 200)")
    lines = text.splitlines()
    assert len(lines) == 4 and lines[0].startswith("row,sample,class") and lines[1].startswith("0,sample 0,")


def test_light_dark_and_axes(pages, browser):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select
    opened(browser, pages, "unfold")
    ground = "return getComputedStyle(document.body).backgroundColor"
    before = script(browser, ground)
    browser.find_element(By.ID, "theme").click()
    assert script(browser, ground) != before
    axis = Select(browser.find_element(By.CSS_SELECTOR, ".controls select"))
    axis.select_by_index(2)
    assert script(browser, FIRST + "return view.x") == 2
    assert browser.get_log("browser") == []


def test_a_row_about_samples_shows_them(pages, browser):
    """The worst pairs of isometry, and the pairs worth asking about: named as the samples are, from 0."""
    from selenium.webdriver.common.by import By
    for verb in ("isometry", "kernel"):
        opened(browser, pages, verb)
        row = browser.find_element(By.CSS_SELECTOR, "tr[data-points]")
        pair = [int(i) for i in row.get_attribute("data-points").split()]
        assert row.text.startswith(f"sample {pair[0]} sample {pair[1]}")
        script(browser, "arguments[0].click()", row.find_element(By.TAG_NAME, "button"))
        assert script(browser, FIRST + "return [...points.selected.keys()].filter(i => points.selected[i])") == sorted(pair)
        assert browser.get_log("browser") == []


def test_given_and_found_cross_in_a_table(pages):
    """Every sample is counted once."""
    table = re.search(r"How the two cross</h2>.*?</table>", page(pages, "recluster"), re.S)[0]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", table, re.S)]
    assert sum(int(count) for row in rows if row for count in row[1:]) == 80


def test_what_a_picture_shows_is_also_said(pages, browser):
    for verb in FITS:
        opened(browser, pages, verb)
        silent = script(browser, "return [...document.querySelectorAll('figure.picture svg, canvas:not([aria-hidden])')]"
                        ".filter(p => !p.closest('[aria-label]')).length")
        assert silent == 0, verb
        assert script(browser, "return [...document.querySelectorAll('button, select')].every(b => b.textContent.trim() || b.title)"), verb


def test_paper_is_light_and_has_everything(pages, browser):
    opened(browser, pages, "isometry")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    try:
        script(browser, "addEventListener('beforeprint', () => window.printed = [getComputedStyle(document.documentElement)"
               ".getPropertyValue('--panel').trim(), document.querySelectorAll('details:not([open])').length])")
        browser.execute_cdp_cmd("Page.printToPDF", {})
        assert script(browser, "return window.printed") == ["#ffffff", 0]
        assert script(browser, "return document.documentElement.dataset.theme === undefined")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_sixty_thousand_points_are_drawn_at_once(pages, browser):
    """Both views, the quickest of some tries: another process may have the processor."""
    test_sixty_thousand_points_fit_into_two_megabytes(pages)
    opened(browser, pages, "many")
    assert script(browser, FIRST + "return +view.canvas.dataset.drawn") == 60000
    took = [script(browser, FIRST + "points.draw(); return points.views.map(v => +v.canvas.dataset.milliseconds)") for _ in range(5)]
    assert min(sum(each) for each in took) < 300, took


def test_equal_values_are_spread_a_little_and_told_as_they_are(pages, browser):
    flags_and_noise(pages)
    opened(browser, pages, "flags")
    spread = script(browser, FIRST + "const c = points.columns.findIndex(c => c.name === 'p'), column = points.columns[c];"
                    "const places = [...column.places].filter((_, i) => points.value(c, i) === 1);"
                    "return [new Set(places).size, Math.max(...places) - Math.min(...places), new Set([...column.data]).size,"
                    " points.facts(0).find(f => f[0] === 'p')[1]]")
    assert script(browser, FIRST + "return +view.canvas.dataset.drawn") == 80
    assert spread[0] > 20 and 0 < spread[1] < 0.4 * 65534 and spread[2] == 2 and spread[3] in ("0", "1")
    assert "Equal values are spread" in browser.page_source
    assert browser.get_log("browser") == []
