# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:143; edit the page, not this file.

# %% [markdown]
# # Waves: the last one is paid in full
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:143`.

# %% imports

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:143
def waves(M, N, tile=(128, 256), sms=108):
    tiles = -(-M // tile[0]) * -(-N // tile[1])
    return tiles, -(-tiles // sms)


def busy(M, N, tile=(128, 256), sms=108):
    """The share of what the waves could do that is asked for."""
    return M * N / (waves(M, N, tile, sms)[1] * sms * tile[0] * tile[1])


full, over = busy(128 * 12, 256 * 9), busy(128 * 12, 256 * 9 + 1)

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:157
assert waves(128 * 12, 256 * 9) == (108, 1) and full == 1
assert waves(128 * 12, 256 * 9 + 1) == (120, 2)
assert over == (128 * 12) * (256 * 9 + 1) / (2 * 108 * 128 * 256) < 0.51
assert waves(129, 257) == (4, 1)
assert waves(1, 1) == (1, 1) and busy(256, 512) == 4 / 108

# %% result
for _name in ('full', 'over'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
