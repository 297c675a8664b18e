"""structlog for all our modules: they take it from here, so that it never loads rich.

structlog loads rich, if that is installed, to colour tracebacks on a terminal. It always is
installed, since litestar asks for it; our lines are JSON, and rich takes a tenth of the time in
which a process starts.
"""

import sys

_KNOWN = "rich" in sys.modules
if not _KNOWN:
    sys.modules["rich"] = None  # type: ignore[assignment]  # which makes `import rich` fail
import structlog  # noqa: E402 (not before rich is out of its way)
from structlog import get_logger  # noqa: E402 (same)

if not _KNOWN:
    del sys.modules["rich"]

__all__ = ["get_logger", "structlog"]
