"""Where everything of a still picture lies: what is drawn outside of its canvas nobody sees."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np

NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
SVG = "{http://www.w3.org/2000/svg}"
SLACK = 1.5
"""Pixels by which a line's middle may lie on the rim."""


def outside(data):
    """Whatever lies outside of the canvas, as a phrase each; raises where it is no XML."""
    root = ElementTree.fromstring(data)
    _, _, width, height = map(float, root.get("viewBox").split())
    return [
        f"{element.tag.removeprefix(SVG)} at {x:.0f}, {y:.0f}: {''.join(element.itertext())[:30]}"
        for element, points in placed(root, np.eye(3))
        for x, y in points
        if not (np.isfinite([x, y]).all() and -SLACK <= x <= width + SLACK and -SLACK <= y <= height + SLACK)
    ]


def placed(element, matrix):
    """Every element that draws, with its points on the canvas; what a picture inside cuts off is not drawn."""
    for child in element:
        kind, inner = child.tag.removeprefix(SVG), matrix @ moved(child.get("transform", ""))
        if kind == "svg":
            yield child, at(inner, corners(child))
        elif kind in ("rect", "image"):
            yield child, at(inner, corners(child)) if "%" not in child.get("width", "0") else []
        elif kind == "circle":
            yield child, at(inner, [(float(child.get("cx")), float(child.get("cy")))])
        elif kind == "text":
            yield child, at(inner, [(float(child.get("x")), float(child.get("y")))])
        elif kind == "path":
            yield child, at(inner, points_of(child.get("d")))
        else:
            yield from placed(child, inner)


def corners(element):
    x, y, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
    return [(x, y), (x + width, y + height)]


def points_of(d):
    """Ends of the lines of a path; steps are relative to the point before."""
    x = y = 0.0
    found = []
    for command, given in re.findall(r"([MLHVZmlhva])([^MLHVZmlhvaz]*)", d):
        numbers = [float(each) for each in NUMBER.findall(given)]
        if command in "ML":
            pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
            found += pairs
            x, y = pairs[-1] if pairs else (x, y)
        elif command == "H":
            x = numbers[-1]
            found.append((x, y))
        elif command == "V":
            y = numbers[-1]
            found.append((x, y))
    return found


def moved(transform):
    matrix = np.eye(3)
    for kind, given in re.findall(r"(translate|rotate)\(([^)]*)\)", transform):
        numbers = [float(each) for each in NUMBER.findall(given)]
        step = np.eye(3)
        if kind == "translate":
            step[:2, 2] = numbers if len(numbers) == 2 else (numbers[0], 0.0)
        else:
            angle = np.deg2rad(numbers[0])
            step[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        matrix = matrix @ step
    return matrix


def at(matrix, points):
    return [tuple((matrix @ (x, y, 1.0))[:2]) for x, y in points]
