"""What axe-core finds on a page, without what Streamlit itself does wrong."""

from pathlib import Path

import axe_playwright_python

SOURCE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
BEST_PRACTICE = ("heading-order", "empty-table-header", "empty-heading", "page-has-heading-one")
"""Rules that are held beside those of WCAG 2.1 A and AA."""

STREAMLIT = {
    # the navigation puts a div between its list and the entries of a section
    "list": "[data-testid=stSidebarNavItems]",
    "listitem": "[data-testid=stSidebarNavItems]",
    # letters of what was chosen in a list are white on the primary colour in both themes; a darker primary colour would take
    # the letters of segmented controls below 4.5 in turn (pages/server/colour_scheme.py has what our own buttons do)
    "color-contrast": "[data-testid=stMultiSelect]",
}
"""Rule: selector of the part of Streamlit that breaks it, wherever it is used."""

RUN = """
async ([streamlit, practice, chosen]) => {
    const rules = (await axe.getRules(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])).map(rule => rule.ruleId);
    const found = await axe.run(document, {
        resultTypes: ["violations"],
        runOnly: {type: "rule", values: chosen ?? [...rules, ...practice]},
    });
    const told = [];
    for (const {id, impact, nodes} of found.violations) {
        if (!["serious", "critical"].includes(impact) && !practice.includes(id)) continue;
        for (const node of nodes) {
            const element = document.querySelector(node.target.at(-1));
            if (id in streamlit && element?.closest(streamlit[id])) continue;
            told.push(`${id}: ${node.html.slice(0, 160)} ${node.any.map(each => each.message).join(" ")}`);
        }
    }
    return told;
}
"""


OF_A_THEME = ("color-contrast",)
"""Rules whose answer another theme can change."""


def violations(page, rules=None):
    """Return what is serious by these rules, one line each; by all that are held here if none are given."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SOURCE)
    return page.evaluate(RUN, [STREAMLIT, BEST_PRACTICE, rules])


CHART_TEXT = """
() => [...document.querySelectorAll(".js-plotly-plot text")]
    .filter(text => text.checkVisibility() && text.textContent.trim() && text.getBBox().width > 0)
    .map(text => getComputedStyle(text).fill)
"""


INKED = f"ink => ({CHART_TEXT.strip()})().every(fill => fill === ink)"
"""Whether all charts are labelled in the colour that is given."""


def ink_of_charts(page):
    """Return the colours in which charts are labelled; axe-core leaves drawings alone."""
    return set(page.evaluate(CHART_TEXT))
