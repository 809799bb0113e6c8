#!/usr/bin/env python3
"""Recorded outputs of real phones behind the real adb: explore and run work against them.

The screens, the memory, the frames and the traffic are public recordings (TACTUS_CORPUS); the folder
is put together here. Skips where adb or the recordings are absent."""
import json
import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile
import zipfile

import check_adb as rig
from check_adb import Phone, adb, check, tactus

corpus = pathlib.Path(os.environ.get("TACTUS_CORPUS", "../shared/corpus"))
activities = """ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)
Display #0 (activities from top to bottom):
  * Task{c2a8f5 #7 type=standard A=10141:PACKAGE U=0 visible=true}
      * Hist  #0: ActivityRecord{1a2b3c u0 PACKAGE/.MainActivity} t7}
  topResumedActivity=ActivityRecord{1a2b3c u0 PACKAGE/.MainActivity} t7}
"""


def middle(path, description):
    """The bounds of the element that holds this description, as ranges for a tap."""
    text = path.read_text()
    node = re.search(r'<node[^>]*content-desc="%s"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"' %
                     re.escape(description), text)
    left, top, right, bottom = (int(value) for value in node.groups())
    return f"{left - 60}-{right + 60} {top - 60}-{bottom + 60}"


def record(folder):
    """A folder of command -> output with two screens of real apps."""
    package = re.search(r'package="([^"]+)"', (corpus / "ui/habits.xml").read_text()).group(1)
    for name, source in {"home.xml": "ui/habits.xml", "second.xml": "ui/melofy.xml",
                         "memory.txt": "android/meminfo/compose_emulator.txt",
                         "traffic.txt": "android/netstats/bpf_maps.txt",
                         "frames.txt": "android/gfxinfo/framestats_bom.txt"}.items():
        shutil.copy(corpus / source, folder / name)
    (folder / "front.txt").write_text(activities.replace("PACKAGE", package))
    (folder / "start.txt").write_text(
        f"Starting: Intent {{ cmp={package}/.MainActivity }}\nStatus: ok\nLaunchState: COLD\n"
        f"Activity: {package}/.MainActivity\nTotalTime: 812\nWaitTime: 820\nComplete\n")
    (folder / "replay.txt").write_text(f"""# recorded outputs
start home
getprop ro.build.version.release = "16"
pm list packages -3 = "package:{package}"
pm clear {package} > home = "Success"
cmd package resolve-activity --brief {package} = "{package}/.MainActivity"
dumpsys package {package} = "    appId=10141"
am start > home = start.txt
am force-stop {package} > home
pidof {package} = "14242"
dumpsys activity activities = front.txt
dumpsys meminfo {package} = memory.txt
dumpsys netstats --poll = "Forced poll"
dumpsys netstats detail --full = traffic.txt
dumpsys gfxinfo {package} framestats = frames.txt
cat /proc/net/xt_qtaguid/stats = "cat: /proc/net/xt_qtaguid/stats: No such file or directory"
input tap * * = ""
input swipe * * * * * = ""
[home]
uiautomator dump = home.xml
input tap {middle(corpus / 'ui/habits.xml', 'Add Habit')} > second = ""
input keyevent 4 = ""
[second]
uiautomator dump = second.xml
input keyevent 4 > home = ""
""")
    return package


def expected(file, name):
    for line in (corpus / "android/expected.tsv").read_text().splitlines():
        row = line.split("\t")
        if row[0] == file and row[2] == name:
            return float(row[3])
    return None


def check_recorded(work):
    folder = pathlib.Path(work, "recorded")
    folder.mkdir()
    package = record(folder)
    with Phone("door", "--replay", str(folder)) as phone:
        device = ["--device", f"adb:{phone.serial}", "--app", package]
        model = os.path.join(work, "recorded.xml")
        code, out, errors, _ = tactus("explore", *device, "--watch", "0", "-o", model)
        text = pathlib.Path(model).read_text() if os.path.exists(model) else ""
        check("explore", code in (0, 3) and text.count("<state ") >= 2, f"{code} {out} {errors}")
        check("no position is needed", 'fragile="true"' not in text, text[:2000])
        flows = os.path.join(work, "recorded.jsonl")
        code, out, errors, _ = tactus("flow", "cover", model, "--length", "6", "--goal", "transitions",
                                      "--format", "jsonl", "-o", flows)
        check("flows", code == 0, errors)
        short = pathlib.Path(work, "recorded-short.jsonl")
        short.write_text("".join(pathlib.Path(flows).read_text().splitlines(True)[:2]))
        runs = os.path.join(work, "recorded-runs")
        code, out, errors, _ = tactus("run", *device, "--model", model, "--flows", str(short), "-o",
                                      runs)
        check("run", code == 0 and "2 passed" in out, f"{code} {out} {errors}")
        rows = [json.loads(line)
                for line in pathlib.Path(runs, "traces/000000.jsonl").read_text().splitlines()]
        seen = {name: row["vars"][name] for row in rows for name in row.get("vars", {})} or \
               {name: row[name] for row in rows for name in row}
        pss = expected("meminfo/compose_emulator.txt", "total_pss_kB")
        check("the memory is the recorded one", seen.get("pss") == pss * 1024, seen)
        frames = expected("gfxinfo/framestats_bom.txt", "framestats_slowest_ms")
        check("so are the frames", abs(seen.get("slowestFrame", 0) - frames / 1000) < 1e-6, seen)
        check("the traffic is counted", seen.get("rxData") == 0, seen)
    silent_phone(folder, package)
    (folder / "replay.txt").write_text("am start = none.txt\n")
    code, out, errors, _ = tactus("phone", "--adb", "0", "--replay", str(folder),
                                  "sim:examples/apps/door.json")
    check("a file that is missing is named", code == 4 and "replay.txt:1" in errors and
          "none.txt" in errors, errors)


def silent_phone(folder, package):
    """A phone whose services do not answer has not shown that the app is not in front."""
    recorded = (folder / "replay.txt").read_text()
    for answer, told in (('"*** SERVICE \'activity\' DUMP TIMEOUT (10000ms) EXPIRED ***"', "DUMP TIMEOUT (10000ms)"),
                         ('"Can\'t find service: activity"', "Can't find service"), ('""', "no answer")):
        (folder / "replay.txt").write_text(recorded.replace("dumpsys activity activities = front.txt",
                                                            f"dumpsys activity activities = {answer}"))
        with Phone("door", "--replay", str(folder)) as phone:
            code, _, errors, _ = tactus("screen", "--device", f"adb:{phone.serial}", "--app", package)
            check(f"a phone that says {answer}", code == 4 and "does not say which app is in front" in errors and told in errors,
                  f"{code} {errors}")


def binary_manifest(package, activity):
    """AndroidManifest.xml in Android's binary form: one activity for the launcher."""
    words = ["name", "package", "manifest", "activity", "intent-filter", "action", "category", package,
             activity, "android.intent.action.MAIN", "android.intent.category.LAUNCHER"]
    data, offsets = b"", b""
    for word in words:
        offsets += struct.pack("<I", len(data))
        data += bytes([len(word), len(word)]) + word.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    body = struct.pack("<HHIIIIII", 1, 28, 28 + len(offsets) + len(data), len(words), 0, 0x100,
                       28 + len(offsets), 0) + offsets + data
    body += struct.pack("<HHII", 0x180, 8, 12, 0x01010003)

    def start(element, attribute=None, value=None):
        count = 0 if value is None else 1
        text = struct.pack("<HHIIIIIHHHHHH", 0x102, 16, 36 + 20 * count, 1, 0xffffffff, 0xffffffff,
                           words.index(element), 20, 20, count, 0, 0, 0)
        if count:
            number = words.index(value)
            text += struct.pack("<IIIHBBI", 0xffffffff, words.index(attribute), number, 8, 0, 3, number)
        return text

    def end(element):
        return struct.pack("<HHIIIII", 0x103, 16, 24, 1, 0xffffffff, 0xffffffff, words.index(element))

    body += start("manifest", "package", package) + start("activity", "name", activity)
    body += start("intent-filter") + start("action", "name", words[9]) + end("action")
    body += start("category", "name", words[10]) + end("category") + end("intent-filter")
    body += end("activity") + end("manifest")
    return struct.pack("<HHI", 3, 8, 8 + len(body)) + body


def check_app_file(work):
    """--app FILE.apk: its package is read, installed and started."""
    path = os.path.join(work, "door.apk")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("AndroidManifest.xml", binary_manifest("com.example.door", ".DoorActivity"))
    model = os.path.join(work, "door.xml")
    with Phone("door") as phone:
        device = ["--device", f"adb:{phone.serial}"]
        code, out, errors, _ = tactus("explore", *device, "--app", path, "--gestures",
                                      "click,back,rotate,background,network,media", "-o", model)
        text = pathlib.Path(model).read_text() if os.path.exists(model) else ""
        check("an app file is explored", code == 0 and 'value="system:background"' in text,
              f"{code} {out} {errors}")
        pathlib.Path(work, "none.apk").write_bytes(b"not an archive")
        code, out, errors, _ = tactus("explore", *device, "--app", os.path.join(work, "none.apk"), "-o",
                                      model)
        check("what is not one is refused", code == 4 and "is not an app package" in errors, errors)


def main():
    if not shutil.which("adb") or not corpus.is_dir():
        print("skipped: adb or the public corpus is not here")
        return 77
    with tempfile.TemporaryDirectory(prefix="tactus-replay-") as work:
        try:
            adb("start-server")
            check_recorded(work)
            check_app_file(work)
        finally:
            adb("kill-server")
    print(f"{rig.passed} passed, {rig.failed} failed")
    return 1 if rig.failed else 0


if __name__ == "__main__":
    sys.exit(main())
