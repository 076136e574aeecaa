"""What keeps a snippet from everything but its own folder."""
