"""Other people's software, run blind and safely: no network, read-only inputs, one writable folder, and limits.

`run_job` runs a command under an engine and says how it ended. Engines differ in how they wall the command in; what is
watched, measured and killed is the same for all of them (`supervision`).
"""

from __future__ import annotations

from harness.sandbox.engines import ENGINES, find_engine, run_job
from harness.sandbox.job import Ending, Job, Limits
from harness.sandbox.staging import staged

__all__ = ["ENGINES", "Ending", "Job", "Limits", "find_engine", "run_job", "staged"]
