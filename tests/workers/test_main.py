"""The command line of the workers."""

from __future__ import annotations

import pytest

from workers.__main__ import main


@pytest.mark.parametrize("what", ["clock", "work"])
def test_wrong_settings_end_with_2(
    what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PARLOUR_STOER_URL", "x")
    assert main([what]) == 2
    assert capsys.readouterr().err == "parlour: unknown setting PARLOUR_STOER_URL\n"


def test_an_unknown_word_ends_with_2() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sleep"])
    assert ended.value.code == 2
