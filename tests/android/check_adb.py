#!/usr/bin/env python3
"""Tactus through the real adb server to the built-in phone behind the adb daemon's protocol.

Everything uses a private server port, which is closed at the end. Skips when adb is absent.
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import side_by_side  # noqa: E402
from patience import patience  # noqa: E402

root = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
program = os.environ["TACTUS"]
passed = failed = 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


env = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(free_port()), LC_ALL="C")


def check(name, condition, detail=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}")


def run(*words, limit=120):
    started = time.monotonic()
    try:
        done = subprocess.run(words, env=env, cwd=root, capture_output=True, text=True,
                              timeout=patience(limit), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 124, "", "timed out", limit
    return done.returncode, done.stdout, done.stderr, time.monotonic() - started


def adb(*words, limit=20):
    return run("adb", *words, limit=limit)


def tactus(*words, limit=120):
    return run(program, *words, limit=limit)


class Phone:
    """A running `tactus phone`, connected to the private adb server."""

    def __init__(self, app, *options, connect=True):
        file, hash_mark, activity = app.partition("#")
        self.process = subprocess.Popen([program, "phone", "--adb", "0", *options,
                                         f"sim:examples/apps/{file}.json{hash_mark}{activity}"],
                                        env=env, cwd=root, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.serial = re.search(r"127\.0\.0\.1:\d+", self.process.stdout.readline()).group()
        if connect:
            self.connect()

    def connect(self):
        adb("connect", self.serial)
        for _ in range(50):
            if f"{self.serial}\tdevice" in adb("devices")[1]:
                return
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        adb("disconnect", self.serial)
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        check("the phone ends well", self.process.returncode in (0, 4), self.process.returncode)


def same_model(path):
    """The model's text without the device's serial number and the app's readable name."""
    text = pathlib.Path(path).read_text()
    text = re.sub(r'serialNumber="[^"]*"', "", text)
    text = re.sub(r'<application name="[^"]*"', "<application", text)
    return re.sub(r'(source|name)="(sim|adb):[^"]*"', "", text)


def check_commands(work):
    with Phone("player") as phone:
        package = "com.example.tactus.player"
        code, out, _, _ = adb("shell", "exit 3")
        check("exit codes of the shell", code == 3, code)
        code, out, _, _ = adb("shell", f"am start -W -n {package}/.MusicPlayerActivity")
        check("am start", "Status: ok" in out and "TotalTime:" in out, out)
        check("dump", "UI hierchary dumped to: /sdcard/x.xml" in
              adb("shell", "uiautomator dump /sdcard/x.xml")[1])
        local = os.path.join(work, "x.xml")
        adb("pull", "/sdcard/x.xml", local)
        check("pull", "</hierarchy>" in pathlib.Path(local).read_text())
        code, out, errors, _ = tactus("screen", "--device", f"adb:{phone.serial}")
        code2, direct, _, _ = tactus("screen", "--device", "sim:examples/apps/player.json")
        check("elements of the screen", code == code2 == 0 and out == direct, out + errors)
        data = os.urandom(300000)
        pathlib.Path(work, "data").write_bytes(data)
        adb("push", os.path.join(work, "data"), "/data/local/tmp/data")
        adb("pull", "/data/local/tmp/data", os.path.join(work, "back"))
        check("push and pull", pathlib.Path(work, "back").read_bytes() == data)
        folder = pathlib.Path(work, "folder", "inner")
        folder.mkdir(parents=True)
        pathlib.Path(work, "folder", "one").write_bytes(b"1" * 70000)
        (folder / "two").write_bytes(b"22")
        adb("push", os.path.join(work, "folder"), "/sdcard/")
        listed = sorted(line.split()[-1] for line in adb("ls", "/sdcard/folder")[1].splitlines())
        check("list of a folder", listed == ["inner", "one"], listed)
        adb("pull", "/sdcard/folder", os.path.join(work, "folder-back"))
        again = pathlib.Path(work, "folder-back")
        check("a folder there and back", (again / "one").exists() and
              (again / "one").read_bytes() == b"1" * 70000 and
              (again / "inner" / "two").read_bytes() == b"22", list(again.rglob("*")))
        pathlib.Path(work, "stand-in.apk").write_bytes(data[:70000])
        check("install", "Success" in adb("install", os.path.join(work, "stand-in.apk"))[1])
        check("pull of nothing", adb("pull", "/sdcard/none", work)[0] != 0)
        check("logcat", "START u0" in adb("logcat", "-d")[1])
        check("activity", "mResumedActivity" in adb("shell", "dumpsys activity activities")[1])
        follow = subprocess.Popen(["adb", "logcat"], env=env, stdout=subprocess.PIPE, text=True)
        first = follow.stdout.readline()
        follow.terminate()
        follow.wait()
        follow.stdout.close()
        check("logcat stream", "ActivityTaskManager" in first, first)


def check_live_log(work):
    """In real time the log goes on between commands: the blog's splash screen ends by itself."""
    with Phone("blog", "--realtime") as phone:
        follow = subprocess.Popen(["adb", "logcat"], env=env, stdout=subprocess.PIPE, text=True)
        adb("shell", "am start -W -n com.example.tactus.blog/.SplashActivity")
        watchdog = threading.Timer(20, follow.kill)
        watchdog.start()
        lines = iter(follow.stdout.readline, "")
        found = any("SystemEvent" in line and "ready-" in line for line in lines)
        watchdog.cancel()
        follow.kill()
        follow.wait()
        follow.stdout.close()
        check("a line between commands", found)


def check_explore(work):
    for app in ("player", "notes", "calculator", "blog", "quiz"):
        texts = ["--text", "//node[@class='android.widget.EditText']=it's 100% a test"]
        direct, through = (os.path.join(work, f"{app}.{n}.xml") for n in ("sim", "adb"))
        with Phone(app) as phone:
            a = tactus("explore", "--device", f"adb:{phone.serial}", *texts, "-o", through)
        b = tactus("explore", "--device", f"sim:examples/apps/{app}.json", *texts, "-o", direct)
        check(f"explore {app}", a[0] == b[0] and os.path.exists(through), a[2] or a[1])
        if os.path.exists(through) and os.path.exists(direct):
            check(f"model of {app}", same_model(through) == same_model(direct),
                  "the models differ; compare with tactus model diff")


def check_versions(work):
    """The formats of every Android version give the same model."""
    direct = os.path.join(work, "door.direct.xml")
    tactus("explore", "--device", "sim:examples/apps/door.json", "-o", direct)
    for version in range(7, 16):
        through = os.path.join(work, f"door.{version}.xml")
        with Phone("door", "--android", str(version)) as phone:
            release = adb("-s", phone.serial, "shell", "getprop ro.build.version.release")[1].strip()
            code, _, errors, _ = tactus("explore", "--device", f"adb:{phone.serial}", "-o", through)
        check(f"Android {version}", release == str(version) and code in (0, 3) and
              same_model(through) == same_model(direct), errors)


def check_real_time(work):
    """A phone whose seconds last seconds is driven like a real one: settling, looking for changes."""
    direct, through = os.path.join(work, "door.d.xml"), os.path.join(work, "door.r.xml")
    tactus("explore", "--device", "sim:examples/apps/door.json", "-o", direct)
    with Phone("door", "--realtime") as phone:
        code, _, errors, seconds = tactus("explore", "--device", f"adb:{phone.serial}", "--watch",
                                          "0.1", "-o", through)
    check("explore in real time", code == 0 and same_model(through) == same_model(direct), errors)


def check_run(work):
    model, flows = os.path.join(work, "player.sim.xml"), os.path.join(work, "flows.jsonl")
    code, out, errors, _ = tactus("flow", "cover", model, "--length", "12", "--goal",
                                  "transitions", "--format", "jsonl", "-o", flows)
    check("covering flows", code == 0 and os.path.exists(flows), errors)
    with Phone("player") as phone:
        folder = os.path.join(work, "run")
        code, out, errors, _ = tactus("run", "--device", f"adb:{phone.serial}", "--model", model,
                                      "--flows", flows, "-o", folder)
        check("run", code == 0, out + errors)
        traces = sorted(pathlib.Path(folder, "traces").glob("*.jsonl"))
        text = traces[0].read_text() if traces else ""
        for probe in ("rxData", "energy", "power", "batteryEnergy", "pss", "heap", "cpuTime",
                      "responseTime", "launchTime", "frames", "jankyFrames"):
            check(f"probe {probe}", f'"{probe}"' in text)


def check_crash(work):
    code, out, _, _ = run("grep", "-l", "crashes", *map(str, (root / "examples/apps").glob("*.json")))
    apps = [pathlib.Path(line).stem for line in out.split()]
    if not apps:
        print("  skipped: no app with a planted crash")
        return
    answers = {}
    for kind in ("sim", "adb"):
        words = ["--monkey", "6", "--steps", "40", "--seed", "3", "--json"]
        with Phone(apps[0]) as phone:
            device = f"adb:{phone.serial}" if kind == "adb" else f"sim:examples/apps/{apps[0]}.json"
            code, out, errors, _ = tactus("run", "--device", device, *words, "-o",
                                          os.path.join(work, f"monkey-{kind}"))
        found = re.findall(r"[a-z.]+\.[A-Za-z]*(?:Exception|Error)", out)
        answers[kind] = (code, sorted(set(found)))
        check(f"crash through {kind}", found, f"exit {code}: {(out + errors)[:300]}")
    check("same exceptions", answers["sim"][1] == answers["adb"][1], answers)


def refuses(name, device, message, *options, code=4, limit=6):
    """The whole message, with SERIAL for the numbers that differ from run to run."""
    got, out, errors, seconds = tactus("explore", "--device", device, *options, limit=60)
    said = re.sub(r"127\.0\.0\.1:\d+", "SERIAL", errors.strip().splitlines()[-1] if errors else "")
    check(name, got == code and re.fullmatch(message, said) and seconds < patience(limit),
          f"exit {got} after {seconds:.1f} s: {errors}")


def check_errors(work):
    refuses("no device", "adb:", "tactus: no Android device is connected; plug one in with USB "
            "debugging allowed, or adb connect HOST:PORT")
    with Phone("player") as one, Phone("notes") as two:
        refuses("two devices", "adb:", r"tactus: 2 devices are connected; say which: adb:SERIAL with "
                r"one of SERIAL \(phone\), SERIAL \(phone\)", code=2)
        refuses("unknown serial", "adb:nobody", r"tactus: there is no device adb:nobody; connected "
                r"are SERIAL \(phone\), SERIAL \(phone\)")
        refuses("unknown app", f"adb:{two.serial}",
                "tactus: adb:SERIAL: the app com.example.none is not installed",
                "--app", "com.example.none")
        refuses("not a name", f"adb:{two.serial}",
                r"tactus: 'a;reboot' is not a package or package/activity", "--app", "a;reboot", code=2)
    with Phone("player", "--unauthorized", connect=False) as phone:
        adb("connect", phone.serial)
        refuses("unauthorized", f"adb:{phone.serial}", "tactus: adb:SERIAL is unauthorized; unlock "
                "the phone and allow USB debugging for this computer")
    with Phone("player", "--offline", connect=False) as phone:
        subprocess.run(["timeout", "3", "adb", "connect", phone.serial], env=env,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        refuses("offline", f"adb:{phone.serial}",
                "tactus: adb:SERIAL is offline; plug it in again, or adb reconnect offline",
                "--deadline", "2")
    for call in ("1", "7", "60"):
        with Phone("player", "--faults", f"hang@{call}") as phone:
            refuses(f"command {call} hangs", f"adb:{phone.serial}", "tactus: .*: no answer within the "
                    r"deadline; is the device awake and reachable \(adb devices\)\?",
                    "--deadline", "1", limit=5)
    with Phone("player", "--faults", "die@60") as phone:
        refuses("a phone that dies", f"adb:{phone.serial}",
                "tactus: .*(the connection broke; the adb server was stopped or the device unplugged "
                r"\(adb devices shows what is left\)|adb:SERIAL: device .* not found; adb devices lists "
                "what is connected|adb:SERIAL: device offline; plug it in again, or adb reconnect "
                "offline|adb:SERIAL: closed.*)", "--deadline", "2")


def check_protocol(work):
    """Whoever does not speak adb is dropped with a message, and the phone lives on."""
    words = [program, "phone", "--adb", "0", "sim:examples/apps/notes.json"]
    phone = subprocess.Popen(words, env=env, cwd=root, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    port = int(re.search(r":(\d+)", phone.stdout.readline()).group(1))

    def packet(command, a, b, data=b"", size=None, total=None, magic=None):
        word = struct.unpack("<I", command)[0]
        return struct.pack("<6I", word, a, b, len(data) if size is None else size,
                           sum(data) if total is None else total,
                           word ^ 0xffffffff if magic is None else magic) + data

    hello = packet(b"CNXN", 0x01000001, 1 << 20, b"host::")
    for wrong in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", packet(b"CNXN", 0, 0, magic=7),
                  packet(b"CNXN", 0x01000000, 0, b"host::", total=1),
                  hello + packet(b"OPEN", 1, 0, b"", size=(1 << 20) + 1)):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as other:
            other.sendall(wrong)
            while other.recv(65536):
                pass
    with socket.create_connection(("127.0.0.1", port), timeout=10) as other:
        other.sendall(packet(b"OPEN", 1, 0, b"shell:date\0") + packet(b"CLSE", 9, 9) + hello)
        check("the first answer is the greeting", other.recv(65536)[:4] == b"CNXN")
    phone.send_signal(signal.SIGINT)
    errors = phone.communicate(timeout=10)[1].splitlines()
    wrong = ["what connected does not speak adb: the command 20544547 has the inverse 0d78203a",
             "what connected does not speak adb: the command 4e584e43 has the inverse 00000007",
             "a packet of 6 bytes whose sum is 562, not 1 as its head says",
             "a packet of 1048577 bytes; at most 1048576 are taken"]
    check("what was wrong is said",
          errors == [f"tactus: phone: {why}; the connection is dropped" for why in wrong], errors)


def check_killed_server(work):
    """kill-server in the middle of an exploration: it goes on. Then the phone goes away: a clear end, and
    resuming gives the whole model.

    The phone that is left in the middle is slow (real time), so it is certainly in the middle; the
    one that resumes has virtual time."""
    model, direct = os.path.join(work, "killed.xml"), os.path.join(work, "whole.xml")
    tactus("explore", "--device", "sim:examples/apps/calculator.json", "--watch", "0.2", "-o", direct)
    with Phone("calculator", "--realtime") as phone:
        words = [program, "explore", "--device", f"adb:{phone.serial}", "--deadline", "3", "--watch",
                 "0.2", "-o", model]
        running = subprocess.Popen(words, env=env, cwd=root, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(4)
        check("the exploration is in its middle", running.poll() is None)
        adb("kill-server")
        time.sleep(5)
        check("kill-server does not end the exploration", running.poll() is None)
        phone.process.send_signal(signal.SIGINT)
        errors = running.communicate(timeout=patience(60))[1]
        check("a phone that went away ends it", running.returncode == 4 and
              re.search("(not found|offline|the connection broke|no adb server|closed)", errors),
              f"exit {running.returncode}: {errors}")
        check("a checkpoint is left", os.path.exists(model + ".checkpoint"))
    with Phone("calculator") as phone:
        code, out, errors, _ = tactus("explore", "--device", f"adb:{phone.serial}", "-o", model,
                                      "--resume", model + ".checkpoint", "--watch", "0.2")
        check("resume", code in (0, 3) and os.path.exists(model), f"exit {code}: {out}{errors}")
        code, out, errors, _ = tactus("model", "diff", direct, model)
        check("the resumed model is the whole model", code == 0, out + errors)


# What needs a server of its own, or phones that no other part connects, is a group.
GROUPS = (("check_commands", "check_errors"), ("check_explore", "check_run"),
          ("check_versions", "check_live_log", "check_crash"),
          ("check_killed_server", "check_real_time", "check_protocol"))


def main():
    if not shutil.which("adb"):
        print("skipped: adb is not installed")
        return 77
    if len(sys.argv) < 2:
        return side_by_side.run(__file__, GROUPS)
    with tempfile.TemporaryDirectory(prefix="tactus-adb-") as work:
        try:
            adb("start-server")
            for name in sys.argv[1:]:
                started = time.monotonic()
                globals()[name](work)
                print(f"{name}: {time.monotonic() - started:.1f} s")
        finally:
            adb("kill-server")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
