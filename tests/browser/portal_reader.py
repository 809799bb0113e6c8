"""The portal in a browser: starts `tactus serve`, and finds what a person would look for by its words."""
import os
import re
import signal
import subprocess

from reader import ELEMENT, Reader, wait_for

PATIENCE = float(os.environ.get("TACTUS_PATIENCE", 90))  # seconds a person under load waits for one thing

CONTROL = """
const [label, within] = arguments
const named = (e) => [...(e.labels ?? [])].map(l => (l.querySelector('span') ?? l).textContent.trim())
const all = [...document.querySelectorAll(`${within} input, ${within} select, ${within} textarea`)]
return all.find(e => e.getAttribute('aria-label') === label || named(e).includes(label)) ?? null"""
BUTTON = """
const [text, within] = arguments
const all = [...document.querySelectorAll(`${within} button, ${within} a`)]
return all.find(e => e.textContent.trim() === text && !e.disabled) ?? null"""


class Server:
    """`tactus serve` on a folder, ended by the signal a person would send."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "serve", str(folder)], stdout=subprocess.PIPE, text=True,
                                        start_new_session=True)
        line = self.process.stdout.readline()
        self.address = re.search(r"open (\S+)", line).group(1)

    def close(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)
        self.process.stdout.close()


class Person(Reader):
    def __init__(self, work):
        super().__init__(work)
        self.call("/timeouts", {"script": 600000})

    def visit(self, address):
        self.call("/url", {"url": address})
        return wait_for(lambda: self.do("return document.documentElement.hasAttribute('data-ready')"), PATIENCE)

    def page(self, state):
        """Another state of the page that is open."""
        self.do("location.hash = arguments[0]", state)

    def sees(self, text, within="main"):
        """Whether the text appears in time."""
        return bool(wait_for(lambda: self.do(
            "return [...document.querySelectorAll(arguments[1])].some(e => e.innerText.includes(arguments[0]))", text, within), PATIENCE))

    def shows(self, selector, patience=PATIENCE):
        return bool(wait_for(lambda: self.do("return !!document.querySelector(arguments[0])", selector), patience))

    def _find(self, script, text, within):
        found = wait_for(lambda: self.do(script, text, within), PATIENCE)
        if not found:
            raise LookupError(f"there is no {text!r} in {within}")
        return f"/element/{found[ELEMENT]}"

    def press_button(self, text, within="main"):
        self.call(self._find(BUTTON, text, within) + "/click", {})

    def type(self, label, text, within="main", end=""):
        """Replaces what a field holds, key by key, as a person does: all of it is selected and typed over."""
        field = self._find(CONTROL, label, within)
        self.call(field + "/value", {"text": "\ue009a\ue000" + (text or "\ue017") + end})

    def keys(self, label, text, within="main"):
        self.call(self._find(CONTROL, label, within) + "/value", {"text": text})

    def choose(self, label, option, within="main"):
        """An option by the beginning of its words; it may take a while to appear."""
        script = """const select = (() => {""" + CONTROL + """})(...arguments)
            return select && [...select.options].find(o => o.textContent.startsWith(arguments[2])) || null"""
        script = script.replace("const [label, within] = arguments", "const [label, within] = [arguments[0], arguments[1]]", 1)
        found = wait_for(lambda: self.do(script, label, within, option), PATIENCE)
        if not found:
            raise LookupError(f"{label!r} offers no {option!r}")
        self.call(f"/element/{found[ELEMENT]}/click", {})

    def tick(self, label, within="main"):
        self.call(self._find(CONTROL, label, within) + "/click", {})

    def value(self, label, within="main"):
        return self.do(f"const e = (() => {{{CONTROL}}})(...arguments); return e && e.value", label, within)

    def new_window(self):
        return self.call("/window/new", {"type": "window"})["handle"]

    def window(self, handle=None):
        if handle is None:
            return self.call("/window")
        return self.call("/window", {"handle": handle})

    def frame(self, index):
        self.call("/frame", {"id": index})

    def chord(self, held, key):
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": held}, {"type": "keyDown", "value": key},
            {"type": "keyUp", "value": key}, {"type": "keyUp", "value": held}]}]})

    def click_at(self, x, y):
        self.call("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})
