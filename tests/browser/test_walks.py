"""How many acts a stranger needs from Start to an answer: a click, a drop of files, a choice, a code typed is one each.

`pytest -s --durations 5` prints the acts, and how long each walk took.
"""

import re
from contextlib import contextmanager

import numpy as np

from pages.learn.heat_and_walks import QUESTION
from tests.browser.look import own_files
from tests.browser.script_runs import click, rerunning, settle

PERCENT = re.compile(r"\d\s%")
LABELS = ["id", "label"]


class Walk:
    """A stranger on a page that is open: what they do is counted."""

    def __init__(self, page):
        self.page, self.acts = page, 0
        self.main = page.get_by_test_id("stMain")

    def click(self, role, name, *, exact=True):
        """Click on what stands on the screen: to look for it would be an act, too."""
        self.acts += 1
        target = self.main.get_by_role(role, name=name, exact=exact).first
        target.wait_for()
        box = target.bounding_box()
        assert 0 <= box["y"] <= self.page.viewport_size["height"] - box["height"], f"{name} is not in sight"
        click(target)

    def go(self, line):
        """Choose a line of the sidebar."""
        self.acts += 1
        click(self.page.get_by_test_id("stSidebar").get_by_role("link", name=line, exact=True))

    def choose(self, answer):
        self.acts += 1
        with rerunning(self.page):
            self.main.get_by_test_id("stRadioOption").filter(has_text=answer).or_(
                self.main.get_by_test_id("stRadio").get_by_text(answer)
            ).first.click()

    def drop(self, files):
        self.acts += 1
        with rerunning(self.page):
            self.page.locator("input[type=file]").first.set_input_files(files)

    def bring(self, files, page):
        """Drop files, make them a data set, and follow what comes next."""
        self.drop(files)
        self.click("button", "Add as new data set", exact=False)
        self.click("link", page)

    def type(self, label, text):
        """Type and press Enter."""
        self.acts += 1
        box = self.page.get_by_role("textbox", name=label)
        box.fill(text)
        with rerunning(self.page):
            box.press("Enter")

    def is_answered(self, name):
        """Whether the verdict stands there with a percentage of that name."""
        tile = self.page.locator("[class*=st-key-tile]").filter(has_text=name)
        tile.get_by_text(PERCENT).last.wait_for()
        assert self.page.locator(".st-key-sentence").inner_text().strip()
        assert self.page.get_by_test_id("stAlert").count() == 0


@contextmanager
def walking(page, most, whither):
    """Walk from here; fails where more acts were needed than `most`."""
    settle(page)
    walk = Walk(page)
    yield walk
    print(f"\n{whither}: {walk.acts} acts of {most}")
    assert walk.acts <= most


def table(name, rows):
    text = "".join(",".join(row) + "\n" for row in rows)
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def fasta():
    """Forty sequences of two classes, which differ in the letters that they use."""
    rng = np.random.default_rng(3)
    letters = {"a": "ACDEFGHIKL", "b": "GHIKLMNPQR"}
    made = [(f"s{k}", "ab"[k % 2], "".join(rng.choice(list(letters["ab"[k % 2]]), 30))) for k in range(40)]
    text = "".join(f">{name}\n{sequence}\n" for name, _, sequence in made)
    return [
        {"name": "own.fa", "mimeType": "text/plain", "buffer": text.encode()},
        table("labels.csv", [LABELS, *((name, label) for name, label, _ in made)]),
    ]


def edges():
    """Two rings that are joined once."""
    ring = [(k, (k + step) % 15) for k in range(15) for step in (1, 2)]
    pairs = [*ring, *((i + 15, j + 15) for i, j in ring), (0, 15)]
    return [
        table("edges.csv", [["source", "target"], *((f"v{i}", f"v{j}") for i, j in pairs)]),
        table("labels.csv", [LABELS, *((f"v{k}", "near" if k < 15 else "far") for k in range(30))]),
    ]


def test_a_matrix_with_gaps_its_source_and_labels_to_a_verdict(visit):
    with walking(
        visit(width=1280, height=720), 4, "matrix with gaps, source and labels to a verdict"
    ) as walk:
        walk.bring(own_files(), "Complete")
        walk.is_answered("Extrapolated")
        walk.is_answered("Joint")


def test_sequences_and_labels_to_an_accuracy_and_to_p(visit):
    with walking(visit(width=1280, height=720), 5, "FASTA and labels to an accuracy and to p") as walk:
        walk.bring(fasta(), "Strings")
        walk.is_answered("Neighbour")
        walk.click("link", "Power p")
        walk.is_answered("SVM loss")
        walk.page.get_by_role("slider", name="p, in the picture").wait_for()


def test_a_list_of_edges_and_labels_to_accuracy_over_tau(visit):
    with walking(visit(width=1280, height=720), 4, "list of edges and labels to accuracy over τ") as walk:
        walk.bring(edges(), "Networks")
        walk.is_answered("Choice of τ")
        assert walk.page.get_by_role("tab", name="Accuracy").get_attribute("aria-selected") == "true"
        walk.page.locator(".js-plotly-plot").nth(1).wait_for()


def test_the_code_of_a_lecturer_to_a_bet_of_a_student(visit):
    lecturer = visit("lecture")
    click(lecturer.get_by_role("button", name="Make a code"))
    code = re.search(
        r"class=([\w-]+)", lecturer.locator(".st-key-join, [data-testid=stMain]").first.inner_text()
    )
    assert code is not None
    with walking(visit(width=1280, height=720), 5, "code of a lecturer to a bet") as walk:
        walk.go("Learn")
        walk.type("Class code", code[1])
        walk.click("link", re.compile("Heat and walks"))
        walk.choose(next(iter(QUESTION.answers.values())))
        walk.click("button", "Bet")
        walk.page.get_by_role("button", name="Ask me again").wait_for()
        assert f"class={code[1]}" in walk.page.url


def test_the_address_of_a_class_to_a_bet_of_a_student(visit):
    begun = visit("learn?class=twelve-2")
    with walking(begun, 3, "address of a class to a bet") as walk:
        walk.click("link", re.compile("Heat and walks"))
        walk.choose(next(iter(QUESTION.answers.values())))
        walk.click("button", "Bet")
        walk.page.get_by_role("button", name="Ask me again").wait_for()
