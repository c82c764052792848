"""Zips of graphs, small enough to be read at a glance."""

import io
import zipfile

# two paths: a-b-c of class 1, a-b of class -1
FOLDER = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n",
    "graph_labels": "1\n-1\n",
    "node_labels": "0\n1\n2\n0\n1\n",
    "edge_labels": "7\n7\n8\n8\n7\n7\n",
    "node_attributes": "0.5, 1\n1.5, 2\n2, 3\n1, 4\n1e3, 5\n",
}


def zipped(members, compression=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return out.getvalue()


def folder(name="DS", **changed):
    """A TUDataset folder; a part that is None is left out."""
    parts = {part: text for part, text in {**FOLDER, **changed}.items() if text is not None}
    return zipped({f"{name}/{name}_{part}.txt": text for part, text in parts.items()})


def graphml(nodes, edges, keys="", about="", directed=False):
    """GraphML of nodes {id: label} and edges {(a, b): label}; the attribute of both is called `type`."""

    def data(key, value):
        return "" if value is None else f'<data key="{key}">{value}</data>'

    vertices = "".join(f'<node id="{n}">{data("t", label)}</node>' for n, label in nodes.items())
    lines = "".join(
        f'<edge source="{a}" target="{b}">{data("e", label)}</edge>' for (a, b), label in edges.items()
    )
    way = "directed" if directed else "undirected"
    return (
        '<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="t" for="node" attr.name="type" attr.type="string"/>'
        f'<key id="e" for="edge" attr.name="type" attr.type="string"/>{keys}'
        f'<graph edgedefault="{way}">{about}{vertices}{lines}</graph></graphml>'
    )


PATH = graphml({"x": "C", "y": "C", "z": "O"}, {("x", "y"): "1", ("y", "z"): "2"})
PAIR = graphml({"x": "C", "y": "O"}, {("y", "x"): "1"})
