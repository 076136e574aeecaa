"""Makes sure that a card computes before anything is run on it."""

from wiki_tools.environment import Environment
from wiki_tools.errors import UsageError
from wiki_tools.protocol import Cell, Job, Status
from wiki_tools.runner import Executor

PROOF = "import torch\nx = torch.ones(4, device='cuda')\nassert float(x.sum()) == 4"
TIMEOUT = 120.0


def check_card(executor: Executor, environment: Environment) -> None:
    """Have torch add four numbers on the card, where there is a torch.

    Raises:
        UsageError: it cannot. Each pattern would be skipped for want of a card that is there.
    """
    if environment.device != "cuda" or not environment.torch:
        return
    job = Job(
        snippet="card",
        cells=(Cell(role="pattern", code=PROOF),),
        device=environment.device,
        frameworks=("torch",),
        timeout=TIMEOUT,
    )
    for outcome in executor.run([job]):
        if outcome.status is not Status.PASSED:
            found = f"torch {environment.torch} cannot use the {environment.device_name}"
            remedy = f"its driver is {environment.driver}; is torch built for it?"
            raise UsageError(f"--device cuda: {found}: {outcome.message}; {remedy}")
