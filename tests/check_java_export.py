#!/usr/bin/env python3
"""check_java_export.py: UiAutomator exports of the shipped apps, compiled and run against stand-ins.

The stand-ins have just enough of the API; their Log prints what logcat would. Each app is explored on
the built-in phone, a suite over all transitions is exported, compiled and run, and the log, imported
with the pattern that the export names, must have the events of the suite in order. No action may be
refused, and what the stand-ins of BySelector say they look for must be an XPath of the suite; so must each form
of XPath that locators have, from a suite written here. Skipped (77) where there is no javac.
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
    "android/content/Intent": """public class Intent { public static final int FLAG_ACTIVITY_CLEAR_TASK = 1, FLAG_ACTIVITY_NEW_TASK = 2;
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
        public UiObject2 wait(SearchCondition<UiObject2> s, long t) { return new UiObject2("//node" + s.by); }
        public java.util.List<UiObject2> findObjects(BySelector s) { return UiObject2.children("/hierarchy"); }
        public boolean pressBack() { return true; }
        public boolean pressHome() { return true; }
        public boolean pressKeyCode(int k) { return true; }
        public int getDisplayWidth() { return 1080; }
        public int getDisplayHeight() { return 1920; }
        public boolean swipe(int a, int b, int c, int d, int n) { return true; } }""",
    "org/junit/Test": "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Test {}",
    "org/junit/Before": "public @interface Before {}",
}
SELECTING = {  # method of By and BySelector: where locators say it, and how
    "res": (0, "@resource-id='%s'"), "desc": (1, "@content-desc='%s'"), "text": (2, "@text='%s'"),
    "clazz": (3, "@class='%s'"), "scrollable": (4, "@scrollable='%s'"), "clickable": (5, "@clickable='%s'"),
    "longClickable": (6, "@long-clickable='%s'"), "checkable": (7, "@checkable='%s'"), "hasChild": (8, "node%s")}
KINDS = {name: "BySelector" if name == "hasChild" else "String" if at < 4 else "boolean"
         for name, (at, _) in SELECTING.items()}
STAND_INS |= {
    # A BySelector tells the XPath that it stands for, and a UiObject2 prints it when something is done with it.
    "androidx/test/uiautomator/BySelector": """public class BySelector {
        final java.util.TreeMap<Integer, String> tests = new java.util.TreeMap<>();
        int least = 0, most = 1000;
        BySelector add(int at, String test) {
            if (tests.put(at, "[" + test + "]") != null) throw new IllegalStateException("defined twice: " + test);
            return this; }
        public BySelector depth(int d) { least = most = d; return this; }
        public BySelector minDepth(int d) { least = d; return this; }
        public String toString() { return String.join("", tests.values()); }""" + "".join(
        f' public BySelector {name}({KINDS[name]} v) {{ return add({at}, String.format("{test}", v)); }}'
        for name, (at, test) in SELECTING.items()) + " }",
    "androidx/test/uiautomator/By": "public class By { public static BySelector depth(int d) { return new"
        " BySelector().depth(d); }" + "".join(
        f" public static BySelector {name}({KINDS[name]} v) {{ return new BySelector().{name}(v); }}"
        for name in SELECTING) + " }",
    "androidx/test/uiautomator/Direction": "public enum Direction { LEFT, RIGHT, UP, DOWN }",
    "androidx/test/uiautomator/SearchCondition": """public class SearchCondition<U> { final BySelector by;
        SearchCondition(BySelector by) { this.by = by; } }""",
    "androidx/test/uiautomator/Until": """public class Until {
        public static SearchCondition<UiObject2> findObject(BySelector s) { return new SearchCondition<>(s); } }""",
    "androidx/test/uiautomator/UiObject2": """public class UiObject2 {
        final String path;
        UiObject2(String path) { this.path = path; }
        public UiObject2 wait(SearchCondition<UiObject2> s, long t) {
            if (s.by.least == 0) throw new IllegalStateException("finds itself too: " + s.by);
            return new UiObject2(path + (s.by.most == 1 ? "/node" : "//node") + s.by); }
        public java.util.List<UiObject2> getChildren() { return children(path); }
        static java.util.List<UiObject2> children(String path) {
            java.util.List<UiObject2> all = new java.util.ArrayList<>();
            for (int i = 1; i < 30; i++) all.add(new UiObject2(path + "/node[" + i + "]"));
            return all; }""" + "".join(
        f' public {kind} {name} {{ System.out.println("located " + path); {end} }}' for kind, name, end in (
            ("void", "click()", ""), ("void", "longClick()", ""), ("void", "setText(String s)", ""),
            ("void", "swipe(Direction d, float p)", ""), ("boolean", "scroll(Direction d, float p)", "return true;"),
            ("void", "pinchClose(float p)", ""), ("void", "pinchOpen(float p)", ""))) + " }",
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
FORMS = ("//node[node/@text='Today']", "//node[node/node/node/@resource-id='a:id/x']",
         "//node[@resource-id='a:id/row'][node/@text='Category 1']", "//node[@class='a.B'][node/@content-desc='it']",
         "//node[node/@text='21']/node[@text='SAT']", "//node[@resource-id='a:id/list']//node[@text='and ]/node']",
         "//node[@scrollable='true']", "//node[@class='a.List'][@long-clickable='true']/node",
         "//node[@resource-id='a:id/list']/node[@clickable='true']//node[@class='a.B'][@checkable='true']",
         "//node[@resource-id='a:id/list']/node[2]", "//node[node/@text='21']/node[2]/node[1]",
         "/hierarchy/node[1]/node[3]")


def nested(xpath):
    """node/node/@text='x' as the stand-ins write it, node[node[@text='x']]."""
    return re.sub(r"\[((?:node/)+)(@[\w-]+='[^']*')\]", lambda m: "[node" * m[1].count("/") + f"[{m[2]}]"
                  + "]" * m[1].count("/"), xpath)


def suite_of_forms(path):
    steps = [{"event": f"e{i}", "device": "phone", "kind": "user", "actions": [{"kind": "click", "xpath": xpath}],
              "states": ["S"]} for i, xpath in enumerate(FORMS)]
    start = [{"device": "phone", "application": "a", "package": "a", "states": ["S"]}]
    path.write_text(json.dumps({"kind": "truncated", "model": "forms", "start": start, "steps": steps}) + "\n")


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
        wanted, xpaths = {}, {}
        for app in (*APPS, "forms"):
            if app == "forms":
                suite_of_forms(work / "forms.jsonl")
            else:
                tactus("explore", "--device", f"sim:{root}/examples/apps/{app}.json", "-o", work / f"{app}.xml")
                tactus("flow", "cover", work / f"{app}.xml", "--goal", "transitions", "--format", "jsonl", "-o",
                       work / f"{app}.jsonl")
            done = tactus("flow", "export", work / f"{app}.jsonl", "--to", "uiautomator", "-o",
                          work / "java" / f"{app.capitalize()}.java")
            if done.stderr:
                print(f"{app}: {done.stderr}")
                failures += 1
            steps = [step for line in (work / f"{app}.jsonl").read_text().splitlines()
                     for step in json.loads(line)["steps"]]
            wanted[app] = [step["event"] for step in steps]
            xpaths[app] = [nested(action["xpath"]) for step in steps for action in step.get("actions", [])
                           if "xpath" in action]
        done = subprocess.run("javac -Xlint:-options -d out $(find . -name '*.java')", shell=True,
                              cwd=work / "java", capture_output=True, text=True)
        if done.returncode or done.stdout or done.stderr:
            print(done.stdout + done.stderr)
            return 1
        for app in (*APPS, "forms"):
            log = subprocess.run(["java", "-cp", "out", "Runner", app.capitalize()], cwd=work / "java",
                                 capture_output=True, text=True)
            lines = log.stdout.splitlines(keepends=True)
            (work / f"{app}.logcat").write_text("".join(line for line in lines if not line.startswith("located ")))
            located = [line[len("located "):].rstrip("\n") for line in lines if line.startswith("located ")]
            if set(located) - set(xpaths[app]) or (app == "forms" and located != xpaths[app]):
                print(f"{app}: looked for {located}, the suite has {xpaths[app]}")
                failures += 1
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
