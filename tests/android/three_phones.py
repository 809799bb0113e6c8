"""One app on the three kinds of phones: the built-in one, the same through the real adb, and through Appium's stand-in.

What lies behind adb is left out where adb is absent.
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
sys.path.insert(1, os.path.dirname(sys.path[0]))
from browser_testing import check, closing, patience, root, tactus  # noqa: E402, F401
from check_appium import Appium  # noqa: E402


class Phones:
    """The three kinds, by name, each as words of a command line."""

    def __init__(self, work, file, package, activity=".MainActivity", options=()):
        self.devices, self.appium = {"sim": ["--device", f"sim:{file}"]}, None
        if not shutil.which("adb"):
            print("  adb is not installed: nothing is compared with it")
            return
        self.appium = Appium(str(work), pathlib.Path(file).stem, activity, file=file, package=package, options=options)
        self.devices["adb"] = ["--device", f"adb:{self.appium.serial}", "--app", package]
        self.devices["appium"] = self.appium.device

    def __enter__(self):
        return self

    def __exit__(self, *how):
        if self.appium:
            self.appium.__exit__(*how)

    def run(self, kind, *words, limit=300):
        env = self.appium.env if self.appium else dict(os.environ)
        return subprocess.run([tactus, "run", *self.devices[kind], *words], capture_output=True, text=True,
                              timeout=patience(limit), cwd=root, env=env)
