#!/usr/bin/env python3
"""tactus doctor where something is wrong: programs that are absent, a driver of another version, phones that cannot be
used, a dead address. Stand-ins on the PATH play adb and chromedriver; each problem must be named with its remedy.
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

TACTUS = os.path.abspath(os.environ["TACTUS"])
passed, failed = 0, 0
with socket.socket() as probe:  # a port where no server of adb listens
    probe.bind(("127.0.0.1", 0))
    PORT = probe.getsockname()[1]


def check(what, condition, more=""):
    global passed, failed
    passed += bool(condition)
    failed += not condition
    if not condition:
        print("FAILED", what, more)


def doctor(path, *words):
    done = subprocess.run([TACTUS, "doctor", "--json", *words], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, PATH=path, ANDROID_ADB_SERVER_PORT=str(PORT)))
    text = subprocess.run([TACTUS, "doctor", *words], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, PATH=path, ANDROID_ADB_SERVER_PORT=str(PORT))) if not words else None
    document = json.loads(done.stdout)
    check("exit", done.returncode == (0 if document["works"] else 1), done.returncode)
    for problem in document["problems"]:
        check("a remedy", problem["remedy"], problem)
        check("in text", not text or (problem["problem"] in text.stdout and problem["remedy"] in text.stdout), problem)
    return document


def named(document, key, name):
    return next(item for item in document[key] if item["name"] == name)


def stand_in(folder, name, body):
    path = pathlib.Path(folder, name)
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)


with tempfile.TemporaryDirectory() as empty:
    document = doctor(empty)
    for name, package in (("adb", "adb"), ("chromedriver", "chromium-driver"), ("dot", "graphviz"), ("java", "default-jdk")):
        item = named(document, "programs", name)
        check(f"{name} is absent", not item["works"] and item["problem"] == "it is not installed" and
              item["remedy"].startswith("sudo apt-get install -y " + package), item)
    kind = named(document, "devices", "adb")
    check("phones do not work without adb", not kind["works"] and kind["remedy"] == "sudo apt-get install -y adb", kind)
    check("the built-in phone works", named(document, "devices", "sim")["works"])
    check("no phones", document["phones"] == [] and document["device"] is None)

with tempfile.TemporaryDirectory() as folder:
    stand_in(folder, "chromedriver", 'echo "ChromeDriver 1.2.3.4 (0000)"\n')
    stand_in(folder, "adb", """case $1 in
version) printf 'Android Debug Bridge version 1.0.41\\nVersion 34.0.4-debian\\n' ;;
devices) printf '* daemon started successfully\\nList of devices attached\\n'
    printf '0A1B  unauthorized usb:1-1 transport_id:1\\n'
    printf 'ok1   device usb:1-2 product:sunfish model:Pixel_4a device:sunfish transport_id:2\\n'
    printf 'off   offline usb:1-3 transport_id:3\\n'
    printf 'rec   recovery usb:1-3 transport_id:3\\n'
    printf 'usb   no permissions; see [http://developer.android.com/tools/device.html] usb:1-4 transport_id:4\\n\\n' ;;
kill-server) : > "${0%/*}/killed" ;;
esac
""")
    stand_in(folder, "java", "exit 1\n")
    document = doctor(folder)
    check("the server that was started is ended", pathlib.Path(folder, "killed").exists())
    adb = named(document, "programs", "adb")
    check("adb's version", adb["works"] and adb["version"] == "34.0.4", adb)
    java = named(document, "programs", "java")
    check("a program that does not start", "does not start" in (java["problem"] or "") and "--reinstall" in java["remedy"], java)
    driver = named(document, "programs", "chromedriver")
    if named(document, "programs", "chromium")["works"]:
        check("another version", "1.2.3.4 does not fit Chromium" in (driver["problem"] or "") and
              "chromium-driver" in driver["remedy"], driver)
        check("pages do not work then", not named(document, "devices", "chromium")["works"])
        tried = doctor(folder, "--device", "chromium:http://127.0.0.1:1/")["device"]
        check("the device that needs it", not tried["works"] and "chromium-driver" in tried["steps"][0]["remedy"], tried)
    phones = {phone["name"]: phone for phone in document["phones"]}
    check("phones", list(phones) == ["0A1B", "ok1", "off", "rec", "usb"], document["phones"])
    check("unauthorised", "allow USB debugging" in phones["0A1B"]["problem"] and
          phones["0A1B"]["remedy"] == "adb -s 0A1B reconnect" and phones["0A1B"]["state"] == "unauthorized", phones)
    check("ready", phones["ok1"]["works"] and phones["ok1"]["model"] == "Pixel_4a", phones["ok1"])
    check("others", "reconnect offline" in phones["off"]["remedy"] and "reboot" in phones["rec"]["remedy"] and
          "android-sdk-platform-tools-common" in phones["usb"]["remedy"], phones)
    check("how many", named(document, "devices", "adb")["found"] == "1 of 5 phones ready", document["devices"])
    stand_in(folder, "adb", 'case $1 in version) echo "Version 34.0.4" ;; *) exit 1 ;; esac\n')
    document = doctor(folder)
    check("a server that does not answer", document["phones"][0]["remedy"] == "adb kill-server", document["phones"])

with socket.socket() as probe:  # nobody listens there any more
    probe.bind(("127.0.0.1", 0))
    dead = f"http://127.0.0.1:{probe.getsockname()[1]}/"
document = doctor(os.environ["PATH"], "--device", dead)
bad = [step for step in document["device"]["steps"] if not step["works"]]
check("a dead address", not document["works"] and len(bad) == 1, document["device"])
if named(document, "devices", "chromium")["works"]:
    check("a dead address is named with its remedy", dead in bad[0]["problem"] and bad[0]["remedy"] == f"curl -sSI {dead}", bad)
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed))
