"""The line of keys: as Textual's own, and not built anew for nothing."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import Button
from textual.widgets._footer import FooterKey

from tui.widgets.footer import Keys


class Two(App[None]):
    """Two buttons; the second can be pressed with a key of its own while `ready`."""

    BINDINGS = [Binding("a", "one", "first"), Binding("b", "two", "second")]
    ready = False

    def compose(self) -> ComposeResult:
        yield Button("1")
        yield Button("2")
        yield Keys()

    def check_action(self, action: str, _: tuple[object, ...]) -> bool:
        return action != "two" or self.ready

    def keys(self) -> dict[str, FooterKey]:
        return {key.description: key for key in self.screen.query(FooterKey)}


async def test_the_keys_stay_while_they_are_the_same_and_follow_when_not() -> None:
    app = Two()
    async with app.run_test() as pilot:
        await pilot.pause()
        before = app.keys()
        assert list(before) == ["first"]
        await pilot.press("tab", "tab")
        await pilot.pause()
        assert app.keys() == before, "built anew for nothing"
        app.ready = True
        app.screen.refresh_bindings()
        await pilot.pause()
        assert list(app.keys()) == ["first", "second"]
        app.ready = False
        app.screen.refresh_bindings()
        await pilot.pause()
        assert list(app.keys()) == ["first"]
