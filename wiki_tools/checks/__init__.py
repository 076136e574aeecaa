"""What is wrong with a wiki, without running it."""
