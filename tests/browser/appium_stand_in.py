#!/usr/bin/env python3
"""Stands in for Appium with UiAutomator2: the built-in phone behind the real adb server, with Appium's endpoints
in front. Page sources name elements by class, as UiAutomator2's do; elements are found by XPath in them.

Knows what Tactus asks for and answers everything else as Appium does: with "unknown command" or "unknown method".
"""
import http.server
import json
import re
import socket
import threading
import time
import xml.etree.ElementTree as tree

DEAD = "cannot be proxied to UiAutomator2 server because the instrumentation process is not running (probably crashed)"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Fault(Exception):
    def __init__(self, code, message=""):
        super().__init__(message)
        self.code = code


class Phone:
    """Shell commands over the adb server's socket."""

    def __init__(self, adb_port, serial):
        self.adb_port, self.serial, self.lock = adb_port, serial, threading.Lock()

    def shell(self, command):
        with self.lock, socket.create_connection(("127.0.0.1", self.adb_port), timeout=20) as link:
            for word in (f"host:transport:{self.serial}", f"exec:{command}"):
                link.sendall(f"{len(word):04x}{word}".encode())
                status = link.recv(4)
                if status != b"OKAY":
                    raise Fault("unknown error", f"adb: {status} {link.recv(4096)}")
            parts = []
            while part := link.recv(65536):
                parts.append(part)
        return b"".join(parts).decode()


def named_by_class(node):
    """A dump's element as Appium writes it: the class is the name, empty descriptions are absent."""
    attributes = dict(node.attrib)
    if not attributes.get("content-desc"):
        attributes.pop("content-desc", None)
    made = tree.Element(attributes["class"].replace("$", "."), dict(attributes, displayed="true"))
    made.extend(named_by_class(child) for child in node)
    return made


def shell_word(text):
    return "'" + text.replace("'", "'\\''") + "'"


def entered(text):
    """Words of `input text`, which takes %s for a blank: a % before an s goes alone."""
    parts = text.replace("%s", "%\0s").split("\0")
    return [part.replace(" ", "%s") for part in parts]


TEST = r"(?:\*/)*@[\w-]+=(?:'[^']*'|\"[^\"]*\")"
PREDICATE = rf"\[(?:\d+|{TEST}(?: and {TEST})*)\]"
STEP = rf"//?(?:\*|hierarchy)(?:{PREDICATE})*"


def holds(node, test):
    """An attribute of the node, or of one that lies as far below it as the test has stars."""
    below, name, value = re.fullmatch(r"((?:\*/)*)@([\w-]+)=['\"](.*)['\"]", test, re.S).groups()
    nodes = [node]
    for _ in range(below.count("*")):
        nodes = [child for one in nodes for child in one]
    return any(one.get(name) == value for one in nodes)


def select(root, xpath):
    """The elements of the forms that Tactus writes: steps with attributes, what they hold, and places."""
    path, place = re.fullmatch(r"\((.*)\)\[(\d+)\]", xpath, re.S).groups() if xpath[0] == "(" else (xpath, None)
    if not re.fullmatch(f"(?:{STEP})+", path, re.S):
        raise Fault("invalid selector", xpath)
    document = tree.Element("document")
    document.append(root)
    found = [document]
    for step in re.findall(STEP, path, re.S):
        predicates = [text[1:-1] for text in re.findall(PREDICATE, step, re.S)]
        parents = [node for one in found for node in one.iter()] if step.startswith("//") else found
        found = []
        for parent in parents:
            nodes = [node for node in parent if "hierarchy" not in step.split("[")[0] or node.tag == "hierarchy"]
            for text in predicates:
                nodes = nodes[int(text) - 1:][:1] if text.isdigit() else [
                    node for node in nodes if all(holds(node, test) for test in re.findall(TEST, text, re.S))]
            found += [node for node in nodes if node not in found]
    order = {node: number for number, node in enumerate(root.iter())}
    found.sort(key=order.get)
    return found[int(place) - 1:][:1] if place else found


class Session:
    def __init__(self, phone, package, activity):
        self.phone, self.package, self.activity = phone, package, activity
        self.elements, self.log_seen, self.turned = {}, 0, False

    def source(self):
        # Time on the phone is moved by commands; here some passes between two looks. UiAutomator2 looks at what does
        # not come to rest, too; the phone's dump does not, so that what plays is paused for it.
        dump = "rm -f /sdcard/w.xml; uiautomator dump /sdcard/w.xml && cat /sdcard/w.xml"
        text = self.phone.shell(f"sleep 0.2; {dump}")
        if "could not get idle state" in text:
            text = self.phone.shell(f"input keyevent 127; {dump}; input keyevent 126")
        start = text.find("<?xml")
        if start < 0:
            raise Fault("unknown error", text.strip())
        dump = tree.fromstring(text[start:])
        root = tree.Element("hierarchy", {"index": "0", "class": "hierarchy", "width": "1080", "height": "1920",
                                          "rotation": dump.get("rotation", "0")})
        root.extend(named_by_class(child) for child in dump)
        return root

    def find(self, xpath):
        hits = select(self.source(), xpath.replace("[not(@displayed='false')]", ""))  # everything is
        if not hits:
            raise Fault("no such element", xpath)
        name = f"e{len(self.elements)}"
        self.elements[name] = hits[0].get("bounds")
        return {ELEMENT: name}

    def tap(self, name):
        if name not in self.elements:
            raise Fault("stale element reference", name)
        left, top, right, bottom = map(int, re.findall(r"-?\d+", self.elements[name]))
        self.phone.shell(f"input tap {(left + right) // 2} {(top + bottom) // 2}")

    def front(self):
        text = self.phone.shell("dumpsys activity activities")
        got = re.search(r"(?:mResumedActivity|topResumedActivity)[^\n]* ([\w.]+)/([\w.$]+)", text)
        return got.groups() if got else ("", "")

    def log(self):
        lines = self.phone.shell("logcat -d -v threadtime").splitlines()
        new, self.log_seen = lines[self.log_seen:], len(lines)
        return [{"timestamp": int(time.time() * 1000), "level": "ALL", "message": line} for line in new]

    def pointer(self, actions):
        steps = actions[0]["actions"]
        places = [(step["x"], step["y"]) for step in steps if step["type"] == "pointerMove"]
        pause = sum(step.get("duration", 0) for step in steps)
        (x1, y1), (x2, y2) = places[0], places[-1]
        downs = [number for number, step in enumerate(steps) if step["type"] == "pointerDown"]
        if len(downs) > 1:
            apart = sum(step.get("duration", 0) for step in steps[downs[0]:downs[1]] if step["type"] == "pause")
            self.phone.shell(f"; sleep {apart / 1000}; ".join(f"input tap {x1} {y1}" for _ in downs))
            return
        if steps[downs[0] + 1].get("duration", 0) >= 500 and (x1, y1) != (x2, y2):
            self.phone.shell(f"input draganddrop {x1} {y1} {x2} {y2}")
            return
        self.phone.shell(f"input swipe {x1} {y1} {x2} {y2} {max(pause, 1)}")

    def mobile(self, command, arguments):
        app = arguments.get("appId")
        if command == "activateApp":
            self.phone.shell(f"am start -W -n {app}/{self.activity}")
        elif command == "startActivity":
            self.phone.shell(f"am start -W -n {arguments['intent']}")
        elif command == "terminateApp":
            self.phone.shell(f"am force-stop {app}")
        elif command == "clearApp":
            self.phone.shell(f"pm clear {app}")
        elif command == "getCurrentPackage":
            return self.front()[0]
        elif command == "getCurrentActivity":
            return self.front()[1]
        elif command == "queryAppState":
            return 4 if self.front()[0] == app else 3 if self.phone.shell(f"pidof {app}").strip() else 1
        elif command == "pressKey":
            self.phone.shell(f"input keyevent {arguments['keycode']}")
        else:
            raise Fault("unknown method", f"unknown mobile: command {command}")
        return None


def answer(server, method, path, body):
    """The value of one call."""
    if path == "/status":
        return {"ready": True, "message": ""}
    if path == "/session":
        wanted = body["capabilities"].get("alwaysMatch", {})
        if wanted.get("platformName") != "Android":
            raise Fault("session not created", "platformName must be Android")
        name = f"s{len(server.sessions) + len(server.ended)}"
        server.sessions[name] = Session(server.phone, wanted["appium:appPackage"], wanted["appium:appActivity"])
        return {"sessionId": name, "capabilities": dict(wanted, platformVersion="14", deviceUDID=server.phone.serial)}
    _, _, name, *rest = path.split("/", 3)
    session, call = server.sessions.get(name), (method, "/" + rest[0] if rest else "")
    if not session:
        raise Fault("invalid session id", name)
    element = re.fullmatch(r"/element/(\w+)/(click|clear|value)", call[1])
    if call == ("DELETE", ""):
        server.ended.append(server.sessions.pop(name))
    elif call == ("GET", "/context"):
        return "NATIVE_APP"
    elif call == ("GET", "/source"):
        return tree.tostring(session.source(), encoding="unicode", xml_declaration=True)
    elif call == ("POST", "/element"):
        return session.find(body["value"])
    elif element and method == "POST":
        session.tap(element[1])
        if element[2] == "clear":
            session.phone.shell("input keyevent KEYCODE_MOVE_END; " + ("input keyevent" + " 67" * 500 + "; ") * 2)
        elif element[2] == "value":
            session.phone.shell("; ".join(f"input text {shell_word(part)}" for part in entered(body["text"])))
    elif call == ("POST", "/actions"):
        session.pointer(body["actions"])
    elif call == ("GET", "/orientation"):
        return "LANDSCAPE" if session.turned else "PORTRAIT"
    elif call == ("POST", "/orientation"):
        session.turned = body["orientation"] == "LANDSCAPE"
        session.phone.shell(f"settings put system user_rotation {int(session.turned)}")
    elif call == ("POST", "/back"):
        session.phone.shell("input keyevent 4")
    elif call == ("POST", "/se/log"):
        return session.log()
    elif call == ("POST", "/execute/sync") and body["script"].startswith("mobile: "):
        return session.mobile(body["script"][8:], body["args"][0])
    else:
        raise Fault("unknown command", f"{method} {call[1]}")
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def log_message(self, *_):
        pass

    def break_down(self, how):
        """As servers do whose other end has died (DEAD), that forget their sessions, or that are none."""
        if how == "drop":
            self.close_connection = True
            self.connection.close()
            return
        status, text = {"dead": (500, json.dumps({"value": {"error": "unknown error", "message": DEAD, "stacktrace": ""}})),
                        "forgets": (404, json.dumps({"value": {"error": "invalid session id", "message": "terminated"}})),
                        "garbage": (200, "<html><body>It works!</body></html>")}[how]
        self.reply(status, text.encode())

    def reply(self, status, text):
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def handle_call(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size) or b"{}")
        self.server.calls.append((self.command, re.sub(r"/session/\w+", "", self.path)))
        while self.server.mute:
            time.sleep(0.1)
        after, how = self.server.breaks
        if how and len(self.server.calls) > after:
            self.break_down(how)
            return
        try:
            status, value = 200, answer(self.server, self.command, self.path, body)
        except Fault as fault:
            status, value = 404, {"error": fault.code, "message": str(fault), "stacktrace": ""}
        self.reply(status, json.dumps({"value": value}).encode())

    do_GET = do_POST = do_DELETE = handle_call


def start(adb_port, serial):
    """A running stand-in; .server_port, .sessions, .ended and .calls tell what it saw. shutdown() ends it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.phone, server.sessions, server.ended, server.calls = Phone(adb_port, serial), {}, [], []
    server.mute = False  # True: takes calls and never answers
    server.breaks = (0, None)  # how it answers after so many calls, see break_down
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
