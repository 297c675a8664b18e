"""The maps of the game as text (§2.11; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DEFAULT20: Final = """\
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|. . . . . . . . . . . . . . . . . . . .|
+                                       +
|. . . . . . . . . . . . . . . . . . . .|
+   +-+-+-+-+-+   +-+-+-+-+ +-+-+-+-+   +
|. .|m m m|m m|. .|p pDp p|.|s s|s s|. .|
+   +     +   +   +   +   + +   +   +   +
|. .|m m mDm m|. .|p p|p p|.|s s|s s|. .|
+   +     +   +   +   +   + +D+-+-+D+   +
|. .|m m m|m mD. .|p p|p p|.Ds s s sD. .|
+   +     +   +   +D+-+-+-+ +-+D+-+-+   +
|. .|m m m|m m|. . . . . . .|s s s s|. .|
+   +-+D+-+-+-+             +       +   +
|. . . . . . . . . . . . . .|s s s s|. .|
+                           +-+-+D+-+   +
|. . . . . . . . . . . . . . . . . . . .|
+   +-+D+-+ +-+-+                       +
|. .|h h h|.|i i|. . . . . . . . . . . .|
+   +     + +   +         +-+-+-+-+-+   +
|. .|h h hD.|i i|. . . . .Do o o o o|. .|
+   +     + +D+-+         +         +   +
|. .|h h h|. . . . . . . .|o o o o o|. .|
+   +-+-+-+               +-+D+-+-+D+   +
|. . . . . . . . . . . . .|o o o|o oD. .|
+                         +     +   +   +
|. . . . . . . . . . . . .|o o o|o o|. .|
+   +-+-+-+-+   +-+D+-+-+ +-+D+-+-+-+   +
|. .|c c c c|. .|k k k k|. . . . . . . .|
+   +       +   +-+-+D+-+               +
|. .|c c c cD. .|k k k k|. . . . . . . .|
+   +       +   +       +   +-+D+-+     +
|. .|c c c c|. .|k k k k|. .|g g g|. . .|
+   +       +   +       +   +     +     +
|. .|c c c c|. .|k k k kD. .Dg g g|. . .|
+   +-+D+-+-+   +       +   +     +     +
|. . . . . . . .|k k k k|. .|g g g|. . .|
+               +-+-+-+-+   +-+-+-+     +
|. . . . . . . . . . . . . . . . . . . .|
+                                       +
|. . . . . . . . . . . . . . . . . . . .|
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
"""
"""The default map: 20 x 20 cells."""

MAPS: Final[Mapping[str, str]] = {"default20": DEFAULT20}
"""The maps that a table may choose, by the value of the option ``map`` (§11)."""
