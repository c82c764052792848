"""A computation in steps, and the function that does all of them."""

from kernex_core.runtime.progress import blocking


@blocking
def counted(n: int, *, step: int = 1):
    """Count."""
    for k in range(0, n, step):
        yield k / n
    return n


def test_what_waits_is_made_of_its_steps():
    assert counted(4, step=2) == 4
    assert list(counted.steps(4, step=2)) == [0.0, 0.5]
    assert counted.__name__ == "counted"
    assert counted.__doc__ == "Count."
