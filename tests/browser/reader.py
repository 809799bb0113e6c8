"""A reader of a page in headless Chromium, driven by W3C WebDriver: clicks, keys, sizes, schemes."""
import json
import re
import shutil
import subprocess
import time
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
ENTER, TAB, ESCAPE = "\ue007", "\ue004", "\ue00c"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def wait_for(condition, seconds=20):
    """The value of the condition as soon as it is true, or its last value."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return value


class Reader:
    def __init__(self, work):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        self.base = f"http://127.0.0.1:{found.group(1)}/session"
        options = {"binary": shutil.which("chromium"),
                   "args": [*FLAGS, "--window-size=1440,1000", f"--user-data-dir={work}/reader"]}
        made = self.call("", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/" + made["sessionId"]

    def call(self, path, data=None, method=None):
        request = urllib.request.Request(self.base + path, method=method, headers={
            "Content-Type": "application/json"}, data=None if data is None else
            json.dumps(data).encode())
        return json.load(urllib.request.urlopen(request, timeout=120))["value"]

    def open(self, page, state=""):
        self.call("/url", {"url": "about:blank"})
        self.call("/url", {"url": f"file://{page}{state}"})
        return wait_for(lambda: self.do("return document.documentElement.hasAttribute('data-ready')"))

    def do(self, script, *arguments):
        return self.call("/execute/sync", {"script": script, "args": list(arguments)})

    def wait_do(self, script, *arguments):
        """A script that ends by calling its last argument."""
        return self.call("/execute/async", {"script": script, "args": list(arguments)})

    def click(self, selector):
        found = self.call("/element", {"using": "css selector", "value": selector})
        self.call(f"/element/{found[ELEMENT]}/click", {})

    def point(self, x, y):
        self.call("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}]}]})

    def press(self, key):
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def command(self, name, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def look(self, width, dark=False):
        """The size of the window and the reader's colour scheme."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=1000,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def console(self):
        return [entry["message"] for entry in self.call("/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.call("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait(20)
