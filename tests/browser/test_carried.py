"""A workspace leaves one browser as a file and comes back in another; a link is copied also where pages may not copy."""

from tests.browser.script_runs import click, rerunning, settle

NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })"


def lid(page):
    with rerunning(page):
        page.get_by_text("Save or open a workspace").click()


def test_a_workspace_as_a_file_and_a_link(visit, tmp_path):
    page = visit("kernels?data=An+indefinite+matrix&repair=flip")
    page.evaluate(NO_CLIPBOARD)
    page.get_by_role("button", name="Copy link").click()
    field = page.get_by_label("Address of this page with its settings")
    assert "repair=flip" in field.input_value()
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("status").get_by_text("Copied.").or_(page.get_by_text("press Ctrl+C")).wait_for()
    page.keyboard.press("Escape")
    click(page.get_by_role("button", name="Keep this kernel"))
    settle(page)
    click(page.get_by_test_id("stSidebar").get_by_role("link", name="Data"))
    lid(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save workspace").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "An-indefinite-matrix.kernex"

    other = visit("data")
    lid(other)
    with rerunning(other):
        other.locator("input[type=file]").last.set_input_files(file)
    other.get_by_text("1 kept kernel").wait_for()
    click(other.get_by_role("button", name="Open it"))
    sidebar = other.get_by_test_id("stSidebar")
    sidebar.get_by_text("An indefinite matrix").first.wait_for()
    click(other.get_by_role("link", name="Kernels, with its settings"))
    settle(other)
    assert "repair=flip" in other.url
    other.get_by_role("heading", name="Kernels", level=1).wait_for()
