"""Datalog in, derived relations and their differences out.

Comes in: a `Program` (text) and a `Batch` of facts. Goes out: an `Evaluation`, which holds every derived tuple with
level and count, takes further batches, and says what they changed. Knows nothing of source code, git or findings.
"""

from .bound import Bound
from .datalog.program import Program
from .errors import DatalogError, Diagnostic, EngineError, FactError, StateError, TooLarge, TooMuch
from .evaluation import Evaluation
from .facts import Batch
from .memory import keep_freed_memory, peak_memory
from .proofs import Proof
from .report import Difference, RuleCost, StratumReport, profile_text
from .versions import VersionedFacts, Versions

__all__ = [
    "Batch",
    "Bound",
    "DatalogError",
    "Diagnostic",
    "Difference",
    "EngineError",
    "Evaluation",
    "FactError",
    "Program",
    "Proof",
    "RuleCost",
    "StateError",
    "StratumReport",
    "TooLarge",
    "TooMuch",
    "VersionedFacts",
    "Versions",
    "keep_freed_memory",
    "peak_memory",
    "profile_text",
]
