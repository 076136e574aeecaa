# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
# Written by `wiki extract` from docs/10_Wiki/Topics/Hardware/GPU.md:41; edit the page, not this file.

# %% [markdown]
# # Occupancy from four limits
#
# From `docs/10_Wiki/Topics/Hardware/GPU.md:41`.

# %% imports

# %% pattern: docs/10_Wiki/Topics/Hardware/GPU.md:41
LIMITS = {
    "8.0": {"warps": 64, "blocks": 32, "registers": 65536, "shared": 164 << 10},
    "8.6": {"warps": 48, "blocks": 16, "registers": 65536, "shared": 100 << 10},
}


def warps_on_sm(capability, threads, registers, shared=0):
    limit = LIMITS[capability]
    warps = -(-threads // 32)
    handed_out = -(-registers // 8) * 8 * 32 * warps
    blocks = min(
        limit["blocks"],
        limit["warps"] // warps,
        limit["registers"] // handed_out,
        limit["shared"] // (shared + 1024),  # the system keeps 1 KiB a block
    )
    return blocks * warps


resident = {registers: warps_on_sm("8.0", 256, registers) for registers in (32, 33, 64, 128)}

# %% check: docs/10_Wiki/Topics/Hardware/GPU.md:64
assert resident == {32: 64, 33: 48, 64: 32, 128: 16}
assert warps_on_sm("8.0", 32, 32) == 32  # one warp a block: the blocks run out first
assert warps_on_sm("8.6", 512, 40) == 48 and warps_on_sm("8.6", 1024, 40) == 32
assert warps_on_sm("8.6", 224, 32) == 42 and warps_on_sm("8.6", 256, 32, 99 << 10) == 8
assert [warps_on_sm("8.0", 256, 32, kib << 10) for kib in (0, 19, 48, 163)] == [64, 64, 24, 8]


def warps_needed(schedulers, latency, independent):
    return schedulers * latency / independent


assert warps_needed(4, 4, 1) == 16
assert warps_needed(4, 4, 2) == 8

# %% result
for _name in ('LIMITS', 'resident'):
    _value = globals().get(_name)
    _shape = getattr(_value, "shape", None)
    _text = str(tuple(_shape)) if isinstance(_shape, tuple) else type(_value).__name__
    print(f"{_name}: {_text} {getattr(_value, 'dtype', '')}".rstrip())
