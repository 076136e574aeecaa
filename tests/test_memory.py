"""Large pages hold what the small ones held."""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="madvise is Linux's")


def test_what_a_process_holds_survives_the_move_and_a_fork() -> None:
    code = """
        import os
        from wiki_tools.worker.memory import _own, use_large_pages
        held = [bytes([n % 256]) * 1000 for n in range(40_000)]
        assert sum(end - start for start, end in _own()) > 16 << 20
        use_large_pages()
        pid = os.fork()
        right = all(row == bytes([n % 256]) * 1000 for n, row in enumerate(held))
        if pid == 0:
            held[:] = [b"other"] * len(held)
            os._exit(0 if right else 1)
        assert os.waitpid(pid, 0)[1] == 0
        assert right
        assert held[-1] == bytes([39_999 % 256]) * 1000
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
