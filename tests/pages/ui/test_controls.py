import pytest
from streamlit.testing.v1 import AppTest


def app(only=None, named=False, changed=None, start=None):
    from dataclasses import dataclass

    import streamlit as st

    from kernex_core.base.parameters import check_parameters, parameter
    from pages.server.declared import declared, of
    from pages.server.messages import guard
    from pages.ui import settings as held
    from pages.ui.widget import controls

    @dataclass(frozen=True)
    class Study:
        lam: float = parameter(
            0.25, help="Weight.", label="Weight", symbol=r"\lambda", low=0.0, high=1.0, step=0.05
        )
        hidden: float = parameter(0.25, help="Share.", unit="%", low=0.0, high=1.0, open_high=True, step=0.05)
        nugget: float = parameter(0.1, help="Nugget.", symbol=r"\rho", low=0.0, open_low=True, step=0.01)
        seed: int = parameter(0, help="Seed.", low=0)
        folds: int = parameter(2, help="Folds.", choices=(2, 5, 10))
        matrix: str = parameter(
            "BLOSUM62", help="Scores.", choices=("BLOSUM62", "BLOSUM45", "BLOSUM80", "PAM250", "PAM30")
        )
        sigma: float | None = parameter(
            None, help="Width.", low=0.0, open_low=True, optional=True, auto="median distance"
        )
        C: float = parameter(10.0, help="Cost.", low=0.01, high=1000.0, logarithmic=True)
        log: bool = parameter(False, help="Logarithm.")
        pattern: str = parameter("", help="Pattern.")
        weights: tuple[float, ...] = parameter((), help="Operands.", hidden=True)

        def __post_init__(self):
            check_parameters(self)

    if named:  # as a page does that declares them
        held.opens(declared(*of(Study)))
    with guard():
        key = "" if named else "study"
        made = controls(Study(**start) if start else Study, key, only=only, changed=changed)
        st.code(repr(made).split("Study")[1])


def run(query=None, **kwargs):
    at = AppTest.from_function(app, kwargs=kwargs)
    for name, value in (query or {}).items():
        at.query_params[name] = value
    return at.run()


def result(at):
    assert not at.exception
    return at.code[0].value


DEFAULTS = (
    "(lam=0.25, hidden=0.25, nugget=0.1, seed=0, folds=2, matrix='BLOSUM62', sigma=None, C=10.0, log=False, "
    "pattern='', weights=())"
)


def test_untouched_widgets_give_the_defaults():
    assert result(run()) == DEFAULTS


def test_each_field_gets_the_widget_that_fits():
    at = run()
    slider, hidden, C = (
        at.slider(key="study.lam"),
        at.select_slider(key="study.hidden"),
        at.select_slider(key="study.C"),
    )
    assert (slider.label, slider.min, slider.max, slider.step) == ("Weight λ", 0.0, 1.0, 0.05)
    assert slider.help == "Weight."
    assert hidden.options[0] == "0 %"
    assert hidden.options[-1] == "95 %"
    assert C.options == [
        "0.01",
        "0.02",
        "0.05",
        "0.1",
        "0.2",
        "0.5",
        "1",
        "2",
        "5",
        "10",
        "20",
        "50",
        "100",
        "200",
        "500",
        "1000",
    ]
    nugget = at.number_input(key="study.nugget")
    assert (nugget.label, nugget.min, nugget.step) == ("Nugget ρ", 0.01, 0.01)
    assert at.number_input(key="study.sigma").proto.placeholder == "median distance"
    assert at.selectbox(key="study.matrix").options[1] == "BLOSUM45"
    assert at.toggle(key="study.log").value is False


def test_hidden_fields_have_no_widget():
    at = run()
    assert all("weights" not in str(widget.key) for widget in [*at.slider, *at.number_input, *at.text_input])


def test_what_is_set_comes_back_and_auto_can_be_restored():
    at = run()
    at.number_input(key="study.sigma").set_value(2.5)
    at.select_slider(key="study.C").set_value(0.5)
    at.toggle(key="study.log").set_value(True)
    at.run()
    assert "sigma=2.5, C=0.5, log=True" in result(at)
    at.number_input(key="study.sigma").set_value(None).run()
    assert "sigma=None" in result(at)


def test_an_instance_gives_the_defaults_and_only_draws_some():
    at = run(only=["seed"], start={"lam": 0.5, "seed": 7})
    assert "lam=0.5" in result(at)
    assert "seed=7" in result(at)
    assert len(at.slider) == 0


def test_bound_fields_are_read_from_the_address():
    at = run({"lam": "0.3", "hidden": "50 %"}, named=True)
    assert "lam=0.3, hidden=0.5" in result(at)


def test_nonsense_in_the_address_is_ignored():
    at = run({"lam": "7", "hidden": "many"}, named=True)
    assert result(at) == DEFAULTS


NONSENSE = (
    "nan",
    "inf",
    "-inf",
    "1e400",
    "-5e300",
    "1e308",
    "9" * 400,
    "",
    "x" * 3000,
    "[1]",
    "null",
    "0x1F",
    "½",
)


@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda text: text[:8] or "empty")
def test_no_widget_fails_on_nonsense_in_the_address(nonsense):
    names = ["lam", "hidden", "nugget", "seed", "folds", "matrix", "sigma", "C", "log"]
    at = run(dict.fromkeys(names, nonsense), named=True)
    assert not at.exception
    # a number that is huge but a number may reach the core, which refuses it with a sentence
    assert at.error or at.code[0].value == DEFAULTS or "e+308" in at.code[0].value


def test_a_bound_whole_number_stays_whole():
    at = run({"seed": "3"}, named=True)
    assert "seed=3," in result(at)
    at.number_input(key="seed").set_value(4.0).run()
    assert "seed=4," in result(at)


def test_a_description_can_be_narrowed():
    at = run(changed={"lam": {"high": 0.5}})
    assert at.slider(key="study.lam").max == 0.5


def test_the_core_has_the_last_word():
    # a bound that the widget was not told of
    at = run(changed={"seed": {"low": -5}})
    at.number_input(key="study.seed").set_value(-3).run()
    assert "at least 0" in at.error[0].value + str(at.error[0].proto)
    assert len(at.code) == 0


def test_letters_of_an_alphabet_can_be_typed():
    def alphabets():
        import streamlit as st

        from kernex_core.kernels.sequences.spectrum import Spectrum
        from pages.ui.widget import controls

        st.code(repr(controls(Spectrum, "own", only=["alphabet"]).alphabet))

    at = AppTest.from_function(alphabets)
    # AppTest cannot type into a select box
    at.session_state["own.alphabet"] = "HP"
    at.run()
    assert at.selectbox(key="own.alphabet").proto.accept_new_options
    assert result(at) == "'HP'"
