#!/usr/bin/env python3
"""The portal is killed at every step of a save: at each write, before and after the content is on the disk, before and
after the new file changes places with the old one, before what is left is removed. A library that is loaded before the
others (tests/store/faults.c) kills at the N-th such call.

Afterwards the model is the old or the new one, byte by byte, and whole: a new server lists it alone, saves it, and
leaves nothing behind of what was killed.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from portal import Portal  # noqa: E402

TACTUS = os.path.abspath(os.environ["TACTUS"])
FAULTS = os.environ["TACTUS_FAULT_LIBRARY"]
MODEL = (pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"]) / "examples/uamp/uamp.model.xml").read_text()
OTHER = MODEL.replace("<!--", "<!-- changed,", 1) if "<!--" in MODEL else MODEL + "<!-- changed -->\n"
failures, passed = [], 0


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def save_and_be_killed(folder, fault, new):
    """Whether the server was killed in the save; None when it did not even begin."""
    try:
        portal = Portal(TACTUS, folder, env={"LD_PRELOAD": FAULTS, "TACTUS_FAULT": f"{fault}:kill"})
    except Exception:  # killed at its start: http.client has many ways to say so
        return None
    try:
        seen = None if new else portal.get("/api/file?path=app.model.xml").headers["etag"].strip('"')
        answer = portal.put("app.model.xml", OTHER, match=seen)
        check(answer.status in (200, 201), f"{fault}: saving answers {answer.status}")
        return False
    except Exception:
        portal.process.wait(60)
        return portal.process.returncode == -9
    finally:
        portal.kill()


def after(folder, fault, new):
    """What a person finds."""
    path = pathlib.Path(folder, "app.model.xml")
    text = path.read_text() if path.exists() else None
    check(text in ((None if new else MODEL), OTHER), f"{fault}: the model is neither the old nor the new one")
    with Portal(TACTUS, folder) as portal:
        listed = [one["path"] for one in portal.get("/api/files").json["files"]]
        check(listed == ["app.model.xml"] * (text is not None), f"{fault}: {listed} are listed")
        seen = portal.get("/api/file?path=app.model.xml").headers["etag"].strip('"') if text else None
        check(portal.put("app.model.xml", MODEL, match=seen).status in (200, 201), f"{fault}: it cannot be saved afterwards")
    check(os.listdir(folder) == ["app.model.xml"], f"{fault}: {os.listdir(folder)} are left")
    judged = subprocess.run([TACTUS, "model", "check", str(path)], capture_output=True, text=True)
    check(judged.returncode in (0, 1), f"{fault}: {judged.stderr}")


def main():
    killed, kinds = 0, set()
    for kind, calls in (("write", 10), ("fsync", 3), ("exchange", 2), ("unlink", 2)):
        for at in range(1, calls + 1):
            for new in (False, True):
                with tempfile.TemporaryDirectory(prefix="tactus-kills-") as folder:
                    if not new:
                        pathlib.Path(folder, "app.model.xml").write_text(MODEL)
                    struck = save_and_be_killed(folder, f"{kind}:{at}", new)
                    if struck is None:
                        continue
                    if struck:
                        killed += 1
                        kinds.add((kind, new))
                        left = [name for name in os.listdir(folder) if name != "app.model.xml"]
                        check(all(name.startswith(".tactus-save-") for name in left), f"{kind}:{at}: {left} are left")
                    after(folder, f"{kind}:{at}", new)
    # every kind of step was struck, of new files and of old ones: else nothing was tested
    wanted = {(kind, new) for kind in ("write", "fsync", "exchange", "unlink") for new in (False, True)}
    check(kinds == wanted, f"only {sorted(kinds)} were struck")
    print(f"killed {killed} times in a save")
    for failure in failures:
        print("FAILED", failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


sys.exit(main())
