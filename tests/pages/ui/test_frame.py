from dataclasses import replace

from streamlit.testing.v1 import AppTest

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.inputs.samples import Labels
from pages.server.navigation import explaining
from tests.conftest import REPOSITORY
from tests.pages.conftest import switch

DEMO = DATASETS[0]
MAIN = str(REPOSITORY / "pages" / "main.py")


def start(**query):
    at = AppTest.from_file(MAIN)
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def box(at):
    return at.sidebar.selectbox(key="data")


def test_every_demo_is_one_choice_away():
    at = start()
    assert box(at).options == [demo.title for demo in DATASETS]
    box(at).set_value(DEMO.title).run()
    assert not at.exception
    description = at.sidebar.caption[1].value
    assert "items" in description
    assert "kernel" in description


def test_a_demo_is_opened_by_its_address():
    at = start(data=DEMO.title)
    assert box(at).value == DEMO.title
    assert at.query_params["data"] in (DEMO.title, [DEMO.title])
    switch(at, "complete/complete.py").run()
    assert not at.exception
    assert box(at).value == DEMO.title


def test_a_name_that_is_not_there_is_ignored():
    at = start(data="somebody else's data")
    assert box(at).value is None


def test_a_page_that_opens_on_a_demo_asks_for_the_data_of_its_address_instead(open_page_test):
    at = open_page_test("networks/networks.py", query={"data": "somebody else's data", "tau": "20"})
    assert box(at).value is None
    assert "somebody else" in at.info[0].value
    assert "settings of the address are kept" in at.info[0].value
    switch(at, "graphs/graphs.py").run()
    assert not at.exception
    assert box(at).value is not None  # its own address asks for nothing


def test_an_address_without_data_leaves_the_box_of_what_is_open_as_it_is(open_page_test, small_dataset):
    at = open_page_test("data/data.py", small_dataset)
    for path in ("kernels/kernels.py", "complete/complete.py"):
        at.query_params.clear()
        # what the browser sends where a bound name is not in the address
        at.session_state["data"] = None
        switch(at, path).run()
        assert not at.exception
        assert box(at).value == "thirty", path
        assert "30 items" in at.sidebar.caption[1].value


def test_closing_the_last_data_set_empties_the_workspace():
    at = start(data=DEMO.title)
    at.sidebar.button(key="workspace.remove").click().run()
    assert not at.exception
    assert box(at).value is None
    assert "Nothing is open" in at.sidebar.caption[1].value


def test_simulated_data_are_called_simulated(open_page_test):
    at = open_page_test("complete/complete.py", DEMO.load(0))
    assert any("badge[:material/science: simulated]" in badge.value for badge in at.markdown)


def test_two_data_sets_can_be_switched(open_page_test, small_dataset):
    at = open_page_test("data/data.py", small_dataset)
    assert box(at).value == "thirty"
    box(at).set_value(DEMO.title).run()
    assert box(at).options[:2] == ["thirty", DEMO.title]
    box(at).set_value("thirty").run()
    assert "30 items · 3 classes" in at.sidebar.caption[1].value


def test_names_of_users_do_not_become_markdown(open_page_test, small_dataset):
    hostile = small_dataset.with_kernel("*x* $y$ :red[z]", small_dataset.kernels["source"])
    at = open_page_test("data/data.py", hostile)
    assert r"\*x\* \$y\$ \:red\[z\]" in at.sidebar.caption[1].value


def test_a_page_that_needs_data_offers_the_demos(tmp_path):
    # links need a navigation that knows the page Data
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "data.py").write_text("")
    (tmp_path / "needs.py").write_text(
        "import streamlit as st\n"
        "from pages.ui.frame import need_data, open_page\n"
        "open_page('A page', 'Why?')\n"
        "st.code(need_data().name)\n"
    )
    (tmp_path / "main.py").write_text(
        "import streamlit as st\nst.navigation(['needs.py', 'data/data.py']).run()\n"
    )
    at = AppTest.from_file(str(tmp_path / "main.py")).run()
    assert not at.exception
    assert len(at.code) == 0
    assert [button.label for button in at.main.button] == [demo.title for demo in DATASETS]
    at.main.button[0].click().run()
    assert at.code[0].value == DEMO.title


def test_badges_formula_and_panel_titles():
    def app():
        import streamlit as st

        from pages.ui.frame import formula_text, open_page, panel_title

        page = open_page("A page", "Why?")
        panel_title("Known", "222 of 296 items")
        st.markdown(formula_text([r"K = \Phi^\top \Phi", r"\lambda = 1"], ["Items are independent"]))
        page.badge("transductive", help="Sees all items.")

    at = AppTest.from_function(app).run()
    assert not at.exception
    texts = [line.value for line in at.markdown]
    assert "**Known** :small[:gray[222 of 296 items]]" in texts
    assert any("transductive" in text for text in texts)
    assert "$$\nK = \\Phi^\\top \\Phi\n$$\n\n$$\n\\lambda = 1\n$$\n\n- Items are independent" in texts


def test_the_head_of_a_working_page_leads_to_the_lessons_that_explain_it(open_page_test):
    at = open_page_test("kernels/kernels.py")
    expected = [each.title for each in explaining("kernels")]
    assert [each.label for each in at.page_link if each.label in expected] == expected


def test_labels_that_are_measured_are_not_counted_as_classes(open_page_test, small_dataset):
    y = [f"{0.37 * i:.2f}" for i in range(small_dataset.n)]
    measured = replace(small_dataset, labels=Labels(small_dataset.ids, y))
    at = open_page_test("evaluate/evaluate.py", measured)
    assert "30 items · 30 different numbers" in at.sidebar.caption[1].value
    at = open_page_test("data/data.py", replace(small_dataset, labels=Labels(measured.ids, list("012") * 10)))
    assert "30 items · 3 classes" in at.sidebar.caption[1].value
