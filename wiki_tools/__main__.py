"""`python -m wiki_tools` is the command `wiki`."""

from wiki_tools.cli import main

main()
