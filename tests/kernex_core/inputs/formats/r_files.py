"""Files of R, written by hand: R's serialisation (XDR) of numbers, texts, lists and what hides behind them.

rds(K)  rdata(K=K, y=y)        bytes of a file, from the values below
real([1, None], dim=...)  integer([1, None])  logical([True, None])  texts(["a", None])
listed([…], names)  frame(x=…)  factor(["u", "v"])  dist(values, n, labels)  matrix(K, rows, columns)
"""

import struct

import numpy as np

NA = -(2**31)
NA_REAL = struct.pack(">Q", 0x7FF00000000007A2)
NIL = 254


def word(*numbers):
    return struct.pack(f">{len(numbers)}i", *numbers)


class Value:
    """A vector or list: its type, a function that writes its content, and attributes in their order."""

    def __init__(self, kind, write, attributes):
        self.kind, self.write = kind, write
        self.attributes = {key.rstrip("_"): value for key, value in attributes.items() if value is not None}

    def bytes(self, seen):
        flags = self.kind | (0x200 if self.attributes else 0) | (0x100 if "class" in self.attributes else 0)
        return word(flags) + self.write(seen) + (pairs(self.attributes, seen) if self.attributes else b"")


class Raw:
    """Bytes as they are."""

    def __init__(self, content):
        self.content = content

    def bytes(self, seen):
        return self.content


def symbol(name, seen):
    if name in seen:
        return word(255 | (1 + seen.index(name)) << 8)
    seen.append(name)
    return word(1) + characters(name)


def characters(text, flags=0x40009):
    if text is None:
        return word(9, -1)
    raw = text if isinstance(text, bytes) else text.encode()
    return word(flags if isinstance(text, bytes) or text.isascii() else 0x8009, len(raw)) + raw


def pairs(named, seen):
    """A pairlist: a cell for each name, each holding the rest."""
    return b"".join(word(0x402) + symbol(n, seen) + v.bytes(seen) for n, v in named.items()) + word(NIL)


def real(values, **attributes):
    packed = b"".join(NA_REAL if value is None else struct.pack(">d", value) for value in values)
    return Value(14, lambda seen: word(len(values)) + packed, attributes)


def integer(values, **attributes):
    return Value(13, lambda seen: word(len(values), *(NA if v is None else v for v in values)), attributes)


def logical(values, **attributes):
    return Value(10, integer(values).write, attributes)


def texts(values, **attributes):
    return Value(16, lambda seen: word(len(values)) + b"".join(map(characters, values)), attributes)


def listed(values, names=None, **attributes):
    named = {"names": texts(names)} if names is not None else {}
    return Value(
        19, lambda seen: word(len(values)) + b"".join(v.bytes(seen) for v in values), {**named, **attributes}
    )


NULL = Raw(word(NIL))


def matrix(values, rows=None, columns=None, write=real, more=()):
    """An array with dimnames; entries that are NaN become NA."""
    values = np.asarray(values, dtype=float)
    flat = [None if v != v else (v if write is real else int(v)) for v in values.ravel(order="F").tolist()]
    axes = [NULL if axis is None else texts(axis) for axis in (rows, columns, *more)]
    axes += [NULL] * (values.ndim - len(axes))
    given = any(axis is not NULL for axis in axes)
    return write(flat, dim=integer(values.shape), dimnames=listed(axes) if given else None)


class Written(Raw):
    """What is written with the symbols that were there before."""

    def bytes(self, seen):
        return self.content(seen)


def dist(values, n, labels=None, *, classes=("dist",)):
    call = Written(
        lambda seen: (
            word(6)
            + symbol("dist", seen)
            + word(0x402)
            + symbol("x", seen)
            + real([1]).bytes(seen)
            + word(NIL)
        )
    )
    return real(
        values, Size=integer([n]), Labels=texts(labels) if labels else None, call=call, class_=texts(classes)
    )


def factor(values, names=None):
    levels = sorted({value for value in values if value is not None})
    codes = [None if value is None else 1 + levels.index(value) for value in values]
    return integer(
        codes, levels=texts(levels), class_=texts(["factor"]), names=texts(names) if names else None
    )


def frame(rows=None, **columns):
    n = -len(next(iter(columns.values())).bytes([]))  # R's own number; readers count the columns
    names = texts(rows) if rows else integer([None, n])
    return listed(list(columns.values()), [*columns], **{"class": texts(["data.frame"]), "row.names": names})


def by_columns(rows, columns, values, shape, axes=(None, None), kind="dgCMatrix", **more):
    """A sparse matrix of the package Matrix; `columns` are where each column begins."""
    named = listed([NULL if axis is None else texts(axis) for axis in axes])
    said = {"i": integer(rows), "p": integer(columns), "Dim": integer(shape), "Dimnames": named}
    said |= {} if values is None else {"x": real(values)}
    said |= {**more, "class": texts([kind])}
    return Written(lambda seen: word(25 | 0x200 | 0x100 | 1 << 16) + pairs(said, seen))


def head(version=3):
    return word(version, 0x40202, 0x20300) + (word(5) + b"UTF-8" if version == 3 else b"")


def rds(value, version=3):
    return b"X\n" + head(version) + value.bytes([])


def rdata(version=3, **named):
    return b"RDX%d\nX\n" % version + head(version) + pairs(named, [])


def short(name, state):
    """What R writes shortly: the class of the form, and its state."""

    def write(seen):
        info = (
            word(2)
            + symbol(name, seen)
            + word(2)
            + symbol("base", seen)
            + word(2)
            + word(13, 1, 13)
            + word(NIL)
        )
        return word(238) + info + state + word(NIL)

    return Written(write)


def sequence(count, start=1.0, step=1.0, form="compact_intseq"):
    return short(form, word(14, 3) + struct.pack(">3d", count, start, step))


def function():
    """function(x) x, in the global environment."""
    return Written(
        lambda seen: word(0x403, 253, 0x402) + symbol("x", seen) + word(251) + word(NIL) + symbol("x", seen)
    )
