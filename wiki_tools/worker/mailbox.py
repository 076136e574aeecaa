"""Memory that a parent shares with one child, through which the child's results come back.

There is no descriptor that a snippet could close or write to, nothing to read while it runs, and
no more than `SIZE` bytes to believe. A message counts when it begins with the mailbox's nonce:
what a snippet scribbles is no message.
"""

import mmap
import os
import struct

SIZE = 4 << 20
_HEAD = struct.Struct("=iI")
"""Index of the running cell, -1 before the first; number of messages."""
_LENGTH = struct.Struct("=I")


class Mailbox:
    """Made before the fork; written by the child, read by the parent once the child has ended."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, SIZE)
        self._memory.madvise(mmap.MADV_DONTFORK)
        self._nonce = os.urandom(16)
        self._end = _HEAD.size
        self._count = 0
        _HEAD.pack_into(self._memory, 0, -1, 0)

    def share(self, shared: bool) -> None:
        """Say whether a process that is forked from now on sees this; at first none does."""
        self._memory.madvise(mmap.MADV_DOFORK if shared else mmap.MADV_DONTFORK)

    def watch(self, cell: int) -> None:
        """Note which cell is about to run."""
        _HEAD.pack_into(self._memory, 0, cell, self._count)

    def fits(self, text: str) -> bool:
        """Say whether there is room for a message."""
        return self._end + 20 + len(text) <= SIZE

    def send(self, text: str) -> None:
        """Add a message of ASCII text.

        Raises:
            ValueError: there is no room for it.
        """
        data = text.encode("ascii")
        if not self.fits(text):
            raise ValueError(f"a message of {len(data)} bytes is larger than the mailbox")
        start = self._end
        self._memory[start : start + 16] = self._nonce
        _LENGTH.pack_into(self._memory, start + 16, len(data))
        self._memory[start + 20 : start + 20 + len(data)] = data
        self._end = start + 20 + len(data)
        self._count += 1
        cell, _ = _HEAD.unpack_from(self._memory, 0)
        _HEAD.pack_into(self._memory, 0, cell, self._count)

    def cell(self) -> int:
        """Index of the cell that was running last."""
        return int(_HEAD.unpack_from(self._memory, 0)[0])

    def close(self) -> None:
        """Release this process's view of the memory."""
        self._memory.close()

    def take(self) -> list[bytes]:
        """Give the messages that are whole and carry the nonce."""
        _, count = _HEAD.unpack_from(self._memory, 0)
        messages: list[bytes] = []
        at = _HEAD.size
        while len(messages) < count and at + 20 <= SIZE:
            (length,) = _LENGTH.unpack_from(self._memory, at + 16)
            if self._memory[at : at + 16] != self._nonce or at + 20 + length > SIZE:
                break
            messages.append(self._memory[at + 20 : at + 20 + length])
            at += 20 + length
        return messages
