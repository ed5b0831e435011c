"""What is known of models without asking them: their provider, its variables and their prices."""

from tenxgraph_tui.evaluation.judging.address import address
from tenxgraph_tui.evaluation.judging.prices import Dollars, Price, price
from tenxgraph_tui.evaluation.judging.providers import (
    BARE_NAMES,
    GOOGLE_WANTS_VERTEX,
    PROVIDERS,
    ModelAccess,
    access,
)

__all__ = [
    "BARE_NAMES",
    "GOOGLE_WANTS_VERTEX",
    "PROVIDERS",
    "Dollars",
    "ModelAccess",
    "Price",
    "access",
    "address",
    "price",
]
