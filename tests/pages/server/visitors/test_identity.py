import base64

import pytest

from pages.server.visitors import store as identity


def test_a_cookie_has_192_random_bits_and_names_one_visitor():
    cookies = {identity.new_cookie() for _ in range(100)}
    visitors = {identity.visitor_of(cookie) for cookie in cookies}
    assert len(visitors) == 100
    assert {8 * len(base64.urlsafe_b64decode(visitor)) for visitor in visitors} == {192}


@pytest.mark.parametrize("change", [
    lambda cookie: cookie[:-1] + ("A" if cookie[-1] != "A" else "Q"),
    lambda cookie: ("A" if cookie[0] != "A" else "B") + cookie[1:],
    lambda cookie: "",
    lambda cookie: cookie.split(".")[0],
    lambda cookie: cookie + "\n",
    lambda cookie: cookie + "x",
    lambda cookie: "x" * 10_000,
    lambda cookie: f"{'é' * 32}.{'é' * 22}",
    lambda cookie: None,
    lambda cookie: 7,
])  # fmt: skip
def test_what_this_server_has_not_given_names_nobody(change):
    assert identity.visitor_of(change(identity.new_cookie())) is None
