"""What is drawn outlives an address that comes late."""

from pages.learn.heat_and_walks.pictures import BARBELL_SKETCH, ONE_NODE
from tests.pages.learn.walk import Walk


def nodes(walk):
    return len(walk.picture()["picture"]["panels"][0]["marks"][1]["x"])


def test_an_address_from_before_the_last_click_takes_nothing_back():
    walk = Walk("heat_and_walks", bet="-", haw_graph=ONE_NODE.text)
    assert nodes(walk) == 1
    walk.at.button(key="heat_and_walks.Barbell").click().run()
    assert nodes(walk) == 6
    assert walk.at.query_params["haw_graph"] == BARBELL_SKETCH.text
    walk.at.query_params["haw_graph"] = ONE_NODE.text  # of a click that was on its way
    walk.run()
    assert nodes(walk) == 6
    assert walk.at.query_params["haw_graph"] == BARBELL_SKETCH.text
    walk.at.button(key="heat_and_walks.Path").click().run()
    assert "haw_graph" not in walk.at.query_params
    assert nodes(walk) == 6
