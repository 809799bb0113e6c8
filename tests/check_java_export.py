#!/usr/bin/env python3
"""check_java_export.py: UiAutomator exports of the shipped apps, compiled and run against stand-ins.

The stand-ins have just enough of the API; their Log prints what logcat would. Each app is explored on
the built-in phone, a suite over all transitions is exported, compiled and run, and the log, imported
with the pattern that the export names, must have the events of the suite in order. No action may be
refused. Skipped (77) where there is no javac.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STAND_INS = {
    "android/util/Log": """public class Log {
        static int second;
        public static int v(String tag, String message) {
            System.out.printf("05-01 16:%02d:%02d.000 13414 13420 V %s: %s%n", second / 60 % 60, second++ % 60, tag,
                              message);
            return 0;
        } }""",
    "android/content/Intent": """public class Intent { public static final int FLAG_ACTIVITY_CLEAR_TASK = 1;
        public Intent addFlags(int f) { return this; } }""",
    "android/content/pm/PackageManager": """public class PackageManager {
        public android.content.Intent getLaunchIntentForPackage(String p) { return new android.content.Intent(); } }""",
    "android/content/Context": """public class Context {
        public android.content.pm.PackageManager getPackageManager() { return new android.content.pm.PackageManager(); }
        public void startActivity(Intent i) {} }""",
    "android/app/Instrumentation": """public class Instrumentation {
        public android.content.Context getContext() { return new android.content.Context(); } }""",
    "androidx/test/platform/app/InstrumentationRegistry": """public class InstrumentationRegistry {
        public static android.app.Instrumentation getInstrumentation() { return new android.app.Instrumentation(); } }""",
    "androidx/test/uiautomator/UiObjectNotFoundException": """public class UiObjectNotFoundException extends Exception {
        public UiObjectNotFoundException(String m) { super(m); } }""",
    "androidx/test/uiautomator/UiSelector": "public class UiSelector {" + "".join(
        f" public UiSelector {name}(String s) {{ return this; }}" for name in (
            "className", "classNameMatches", "resourceId", "text", "textContains", "textStartsWith", "description",
            "descriptionContains", "descriptionStartsWith")) + " public UiSelector instance(int i) { return this; } }",
    "androidx/test/uiautomator/UiObject": "public class UiObject { public boolean waitForExists(long t) { return true; }"
        + "".join(f" public boolean {name} throws UiObjectNotFoundException {{ return true; }}" for name in (
            "click()", "longClick()", "setText(String s)", "swipeLeft(int n)", "swipeRight(int n)", "swipeUp(int n)",
            "swipeDown(int n)", "pinchIn(int p, int n)", "pinchOut(int p, int n)")) + " }",
    "androidx/test/uiautomator/UiScrollable": """public class UiScrollable extends UiObject {
        public UiScrollable(UiSelector s) {}
        public boolean scrollForward() throws UiObjectNotFoundException { return true; }
        public boolean scrollBackward() throws UiObjectNotFoundException { return true; } }""",
    "androidx/test/uiautomator/UiDevice": """public class UiDevice {
        public static UiDevice getInstance(android.app.Instrumentation i) { return new UiDevice(); }
        public UiObject findObject(UiSelector s) { return new UiObject(); }
        public boolean pressBack() { return true; }
        public boolean pressHome() { return true; }
        public boolean pressKeyCode(int k) { return true; }
        public int getDisplayWidth() { return 1080; }
        public int getDisplayHeight() { return 1920; }
        public boolean swipe(int a, int b, int c, int d, int n) { return true; } }""",
    "org/junit/Test": "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Test {}",
    "org/junit/Before": "public @interface Before {}",
}
RUNNER = """public class Runner {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Object suite = Class.forName(name).getConstructor().newInstance();
            suite.getClass().getMethod("prepare").invoke(suite);
            for (int flow = 1;; flow++)
                try {
                    suite.getClass().getMethod("flow" + flow).invoke(suite);
                } catch (NoSuchMethodException end) {
                    break;
                }
        }
    }
}
"""
APPS = ("blog", "calculator", "notes", "player", "quiz")


def tactus(*words):
    done = subprocess.run([os.environ["TACTUS"], *map(str, words)], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"tactus {' '.join(map(str, words))}: {done.stderr}")
    return done


def write_stand_ins(folder):
    for name, text in STAND_INS.items():
        path = folder / f"{name}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"package {os.path.dirname(name).replace('/', '.')};\n{text}\n")
    (folder / "Runner.java").write_text(RUNNER)


def main():
    if not shutil.which("javac"):
        print("skipped: javac is not installed")
        return 77
    root = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tactus-java-") as work:
        work = pathlib.Path(work)
        write_stand_ins(work / "java")
        wanted = {}
        for app in APPS:
            tactus("explore", "--device", f"sim:{root}/examples/apps/{app}.json", "-o", work / f"{app}.xml")
            tactus("flow", "cover", work / f"{app}.xml", "--goal", "transitions", "--format", "jsonl", "-o",
                   work / f"{app}.jsonl")
            done = tactus("flow", "export", work / f"{app}.jsonl", "--to", "uiautomator", "-o",
                          work / "java" / f"{app.capitalize()}.java")
            if done.stderr:
                print(f"{app}: {done.stderr}")
                failures += 1
            wanted[app] = [step["event"] for line in (work / f"{app}.jsonl").read_text().splitlines()
                           for step in json.loads(line)["steps"]]
        done = subprocess.run("javac -Xlint:-options -d out $(find . -name '*.java')", shell=True,
                              cwd=work / "java", capture_output=True, text=True)
        if done.returncode or done.stdout or done.stderr:
            print(done.stdout + done.stderr)
            return 1
        for app in APPS:
            log = subprocess.run(["java", "-cp", "out", "Runner", app.capitalize()], cwd=work / "java",
                                 capture_output=True, text=True)
            (work / f"{app}.logcat").write_text(log.stdout)
            java = (work / "java" / f"{app.capitalize()}.java").read_text()
            pattern = re.search(r"--pattern '(.*)'", java).group(1)
            tactus("trace", "import", work / f"{app}.logcat", "--pattern", pattern, "-o", work / f"{app}.trace.jsonl")
            got = []
            for line in (work / f"{app}.trace.jsonl").read_text().splitlines():
                state = json.loads(line)
                if state.get("event"):
                    got.append(state["event"])
            if got != wanted[app] or log.stderr:
                print(f"{app}: {len(got)} events came back of {len(wanted[app])}: {got[:5]} {wanted[app][:5]} {log.stderr}")
                failures += 1
            else:
                print(f"{app}: {len(got)} events of the log are those of the suite")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
