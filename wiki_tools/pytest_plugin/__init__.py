"""`pytest --wiki docs/`: every pattern is an item under its page and line.

pytest loads this in every project that has the package installed, so that what reads and runs
pages is imported only where `--wiki` asks for it.
"""

from wiki_tools.pytest_plugin.hooks import (
    pytest_addoption,
    pytest_collect_file,
    pytest_configure,
    pytest_report_header,
    pytest_runtest_makereport,
    pytest_sessionfinish,
)

__all__ = [
    "pytest_addoption",
    "pytest_collect_file",
    "pytest_configure",
    "pytest_report_header",
    "pytest_runtest_makereport",
    "pytest_sessionfinish",
]
