"""What a file really is, by its first bytes, whatever it is called."""

from __future__ import annotations

ZIP = "a zip archive"
"""What a zip is said to be that is no workbook and no document."""
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"%PDF", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "a Rich Text document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document (.xls or .doc)"),
    (b"\x89HDF", "an HDF5 file"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3", "an SQLite data base"),
    (b"RDX", "an R data file (.RData)"),
    (b"RDA", "an R data file (.RData)"),
    (b"MATLAB 5", "a MATLAB file"),
    (b"MATLAB 7.3", "a MATLAB file of version 7.3"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"OggS", "a sound file"),
    (b"ID3", "a sound file"),
)


def really_is(data: bytes) -> str:
    """What a file seems to be if it is not text, as a phrase ("a PNG picture"); "" for text."""
    for signature, title in _SIGNATURES:
        if data.startswith(signature):
            return title
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(data)
    if data.startswith(b"\x93NUMPY"):
        return "a NumPy array (.npy)"
    if len(data) > 2 and data[0] == 0x80 and data[1] in range(2, 6):
        return "a Python pickle, which Kernex never opens because it can run programs"
    if wide_encoding(data):
        return ""
    if b"\x00" in data[: 1 << 16]:
        return "a binary file"
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "a web page (HTML), perhaps an error page instead of a download"
    return "an XML document" if start.startswith(b"<?xml") else ""


def wide_encoding(data: bytes) -> str:
    """Name of the two-byte encoding of a text, or "": by its byte order mark, else by the zeros beside plain letters."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = data[:1000]
    if len(start) < 8 or start.count(b"\x00") < 0.4 * len(start):
        return ""
    if not any(start[0::2]) and all(start[1::2]):
        return "utf-16-be"
    return "utf-16-le" if not any(start[1::2]) and all(start[0::2]) else ""


def _zip_kind(data: bytes) -> str:
    if b"[Content_Types].xml" in data and b"xl/" in data:
        return "an Excel workbook (.xlsx)"
    if b"word/" in data[:4096]:
        return "a Word document (.docx)"
    return ZIP
