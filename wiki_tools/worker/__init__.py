"""The child process: one job in, one outcome out."""
