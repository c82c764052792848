"""Memory of another process, where the system has no limit that it could set itself: macOS and Windows."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path


def resident_bytes(pid: int) -> int:
    """Bytes that a process has in memory; 0 where there is none, or where nobody can tell."""
    if not pid:
        return 0
    try:
        if sys.platform == "win32":
            return _on_windows(pid)
        if (counts := Path(f"/proc/{pid}/statm")).exists():
            return int(counts.read_text().split()[1]) * 4096
        said = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False, timeout=5.0
        )
        return 1024 * int(said.stdout or b"0")
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return 0


def _on_windows(pid: int) -> int:
    """PROCESS_MEMORY_COUNTERS of a process: its working set is the fourth of its fields of a pointer's size."""

    class Counters(ctypes.Structure):
        _fields_ = [("size", ctypes.c_ulong), ("faults", ctypes.c_ulong)] + [
            (f"of{k}", ctypes.c_size_t) for k in range(8)
        ]

    system = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = system.OpenProcess(0x1000 | 0x0010, False, pid)
    try:
        found = Counters(size=ctypes.sizeof(Counters))
        told = system.K32GetProcessMemoryInfo(ctypes.c_void_p(handle), ctypes.byref(found), found.size)
        return int(found.of1) if told else 0
    finally:
        system.CloseHandle(ctypes.c_void_p(handle))
