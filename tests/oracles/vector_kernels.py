"""Kernels on vectors straight from their formulas, one pair and one coordinate at a time."""

import itertools
import math

from scipy.special import kv


def linear(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def polynomial(x, y, degree, constant):
    """By the multinomial expansion: all ways to draw `degree` factors from the coordinates and the constant."""
    terms = [a * b for a, b in zip(x, y, strict=True)] + [constant]
    total = 0.0
    for powers in itertools.product(range(degree + 1), repeat=len(terms)):
        if sum(powers) == degree:
            ways = math.factorial(degree)
            for power in powers:
                ways //= math.factorial(power)
            total += ways * math.prod(term**power for term, power in zip(terms, powers, strict=True))
    return total


def gaussian(x, y, sigma):
    return math.exp(-sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / (2.0 * sigma**2))


def laplace(x, y, gamma):
    return math.exp(-gamma * sum(abs(a - b) for a, b in zip(x, y, strict=True)))


def minimum(x, y):
    return sum(min(a, b) for a, b in zip(x, y, strict=True))


def sinc(x, y, omega):
    return math.prod(
        omega / math.pi if a == b else math.sin(omega * (a - b)) / (math.pi * (a - b))
        for a, b in zip(x, y, strict=True)
    )


def all_subsets(x, y):
    return sum(anova(x, y, degree) for degree in range(len(x) + 1))


def anova(x, y, degree):
    products = [a * b for a, b in zip(x, y, strict=True)]
    return sum(math.prod(chosen) for chosen in itertools.combinations(products, degree))


def cosine(x, y):
    lengths = math.sqrt(linear(x, x)) * math.sqrt(linear(y, y))
    return linear(x, y) / lengths if lengths else 0.0


def tanimoto(x, y):
    """Of the sets of places that hold a 1."""
    a, b = ({k for k, value in enumerate(each) if value == 1} for each in (x, y))
    return len(a & b) / len(a | b) if a | b else 1.0


def minmax(x, y):
    most = sum(max(a, b) for a, b in zip(x, y, strict=True))
    return minimum(x, y) / most if most else 1.0


def matern(x, y, sigma, nu):
    """By the Bessel function of the second kind, for any ν."""
    r = math.sqrt(2.0 * nu) * math.dist(x, y) / sigma
    return 2.0 ** (1.0 - nu) / math.gamma(nu) * r**nu * kv(nu, r) if r else 1.0


def rational_quadratic(x, y, sigma, alpha):
    return (1.0 + math.dist(x, y) ** 2 / (2.0 * alpha * sigma**2)) ** -alpha


def median_distance(X):
    distances = sorted(math.dist(X[i], X[j]) for i in range(len(X)) for j in range(i))
    middle = len(distances) // 2
    return distances[middle] if len(distances) % 2 else (distances[middle - 1] + distances[middle]) / 2


def gram(pair, X, **parameters):
    return [[pair(x, y, **parameters) for y in X] for x in X]
