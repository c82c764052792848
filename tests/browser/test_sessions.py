"""What one visitor uploads stays theirs; names from a file are shown as text, never run or drawn."""

import re

from tests.browser.script_runs import click
from tests.browser.test_upload import button, choose, small

MINE = b",privateone,privatetwo\nprivateone,2,1\nprivatetwo,1,2\n"
LABELS = b"id,label\nprivateone,secretx\nprivatetwo,secrety\n"
OTHER = b",p,q,r\np,3,1,1\nq,1,3,1\nr,1,1,3\n"


def text_of(page):
    return page.locator("body").inner_text()


def test_data_of_one_visitor_never_reach_another(visit):
    one = visit("data")
    choose(one, small("confidential.csv", MINE), small("l.csv", LABELS))
    button(one, "Add as new data set")
    sidebar = one.get_by_test_id("stSidebar")
    sidebar.get_by_text("2 items").first.wait_for()
    assert "confidential" in text_of(one)
    shared_link = one.url.split("/", 3)[3]
    other = None
    for path in ("", shared_link, "kernels?data=confidential", "complete?data=confidential", "data"):
        other = visit(path, instead_of=other)
        assert not re.search("private|secret", text_of(other)), path
        assert other.get_by_test_id("stSidebar").get_by_text("confidential").count() == 0, path
    choose(other, small("confidential.csv", OTHER))  # even under the same name
    button(other, "Add as new data set")
    other.get_by_test_id("stSidebar").get_by_text("3 items").first.wait_for()
    assert not re.search("private|secret", text_of(other))
    click(sidebar.get_by_role("link", name="Kernels", exact=True))
    one.get_by_role("heading", name="Kernels", level=1).wait_for()
    sidebar.get_by_text("2 items").first.wait_for()


def test_names_with_markup_are_shown_as_text(visit):
    mark = "<img src=x onerror=alert(1)>"
    ids = (mark, r"$\frac{1}{2}$", "=cmd()", "**bold** :red[x]")
    rows = [",".join(["", *ids])] + [
        ",".join([name, *("2" if i == j else "1" for j in range(4))]) for i, name in enumerate(ids)
    ]
    labels = "id,label\n" + "".join(
        f"{name},{kind}\n" for name, kind in zip(ids, [mark, mark, "$x^2$", "$x^2$"], strict=True)
    )
    page = visit("data")
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    name = "../../" + "\N{GRINNING FACE}<b>x</b> $y$ " + "long" * 60 + ".csv"
    choose(page, small(name.rsplit("/", 1)[1], "\n".join(rows).encode()), small("l.csv", labels.encode()))
    button(page, "Add as new data set")
    page.get_by_test_id("stSidebar").get_by_text("4 items").first.wait_for()
    page.get_by_text(mark).first.wait_for()
    assert page.get_by_test_id("stException").count() == 0
    assert page.locator("img[src=x], .katex").count() == 0
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    assert not dialogs
