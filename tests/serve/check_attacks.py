#!/usr/bin/env python3
"""Those who are not meant to get in, or to get out of the folder, or to be in everybody's way."""
import ctypes
import http.client
import json
import os
import random
import re
import resource
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

from portal import Portal, read, scratch, wait_until, write

TACTUS = os.environ["TACTUS"]
SECRET = "the secret outside of the folder"
SCRIPT = "<script>alert(1)</script>"
failures = []
passed = 0


def check(what, holds):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(what)
        print("FAILED", what)


# --- who may ask ---

def without_the_secrets(portal):
    for path in ("/api/files", "/api/session", "/api/file?path=a.txt", "/api/jobs", "/api/openapi.json", "/api/none"):
        check(f"{path} without the cookie", portal.get(path, drop=["Cookie"]).status == 401)
        check(f"{path} with another cookie",
              portal.get(path, headers={"Cookie": f"tactus_{portal.port}={'0' * 64}"}).status == 401)
    check("the page without the cookie", portal.get("/", drop=["Cookie"]).status == 401)
    check("the page with a wrong secret", portal.get(f"/?token={'0' * 64}").status == 401)
    check("the page with the beginning of the secret", portal.get(f"/?token={portal.start[:-1]}").status == 401)
    check("the page", portal.get("/").status == 200)
    for headers, drop in (({}, ["X-Tactus-Token"]), ({"X-Tactus-Token": "0" * 64}, []),
                          ({"X-Tactus-Token": portal.start}, [])):
        answer = portal.ask("PUT", "/api/file?path=new.txt", "text", headers={"If-None-Match": "*", **headers}, drop=drop)
        check(f"a change with {headers}", answer.status == 403)
    check("no file came of it", not os.path.exists(os.path.join(portal.folder, "new.txt")))
    for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
        check(f"the cookie is {part}", part in portal.set_cookie)
    policy = portal.get("/").headers["content-security-policy"]
    check("no inline code", "unsafe" not in policy and "default-src 'none'" in policy and "script-src 'self'" in policy)
    page = portal.get("/").body.decode().lower()
    check("the page has no inline script", "<script>" not in page and "onload=" not in page and "javascript:" not in page)


def from_other_places(portal):
    own = f"127.0.0.1:{portal.port}"
    for origin in ("http://evil.example", "null", f"https://{own}", "http://127.0.0.1", f"http://{own}.evil.example",
                   f"http://127.0.0.1:{portal.port + 1}"):
        check(f"reading from {origin}", portal.get("/api/files", headers={"Origin": origin}).status == 403)
        check(f"a change from {origin}", portal.post("/api/model", {"text": "<a/>"}, headers={"Origin": origin}).status == 403)
    for site in ("cross-site", "same-site"):
        check(f"from a page that is {site}", portal.get("/api/files", headers={"Sec-Fetch-Site": site}).status == 403)
    check("from its own page", portal.post("/api/model", {"text": "<a/>"}, headers={
        "Origin": f"http://{own}", "Sec-Fetch-Site": "same-origin"}).status == 200)
    for host in ("evil.example", f"evil.example:{portal.port}", "127.0.0.1", f"127.0.0.1:{portal.port + 1}", "",
                 f"{own}@evil.example", f"evil.example#{own}"):
        check(f"Host: {host}", raw(portal, f"GET / HTTP/1.1\r\nHost: {host}\r\n{cookie(portal)}\r\n") in (400, 421))
    check("no Host", raw(portal, f"GET / HTTP/1.1\r\n{cookie(portal)}\r\n") in (400, 421))
    check("no Host, HTTP/1.0", raw(portal, f"GET / HTTP/1.0\r\n{cookie(portal)}\r\n") in (400, 421))
    check("two Hosts", raw(portal, f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\n{cookie(portal)}\r\n") in (400, 421))
    check("its own name", raw(portal, f"GET / HTTP/1.1\r\nHost: localhost:{portal.port}\r\n{cookie(portal)}\r\n") == 200)


def cookie(portal):
    return f"Cookie: {portal.cookie}\r\nX-Tactus-Token: {portal.token}\r\nConnection: close\r\n"


def raw(portal, text, more=b""):
    """The status of an answer to these bytes; None: it was hung up."""
    with portal.connect() as connection:
        connection.sendall(text.encode() + more)
        try:
            line = connection.makefile("rb").readline()
        except ConnectionError:
            return None
    return int(line.split()[1]) if line.startswith(b"HTTP/1.1 ") else None


# --- out of the folder ---

def escapes():
    names = ["../secret.txt", "x/../../secret.txt", "x/../a.txt", "./a.txt", "x//a.txt", "/etc/passwd", "//etc/passwd", "..",
             ".", "", "x/", "/", ".hidden", "x/.hidden", ".tactus/jobs", "link.txt", "linked/secret.txt", "a" * 5000,
             "a/" * 600 + "a", "a.txt\n", "proc", "fifo", "x", "a\\..\\..\\secret.txt", "\ufeff", "http://127.0.0.1/", "~"]
    encoded = ["%2e%2e/secret.txt", "%2e%2e%2fsecret.txt", "..%2fsecret.txt", "%252e%252e%252fsecret.txt", "a.txt%00",
               "..%00/secret.txt", "%00", "%c0%ae%c0%ae/secret.txt", "%e0%80%ae%e0%80%ae/secret.txt", "..%c0%afsecret.txt",
               "%ff%fe", "%u002e%u002e/secret.txt", "x/%2e%2e/%2e%2e/secret.txt", "%2Fetc%2Fpasswd", "a.txt%"]
    return [urllib.parse.quote(name, safe="/.~:") for name in names] + encoded


def out_of_the_folder(portal, outside):
    write(portal.folder, "x/a.txt", "inside")
    write(portal.folder, ".hidden", SECRET)
    os.symlink(os.path.join(outside, "secret.txt"), os.path.join(portal.folder, "link.txt"))
    os.symlink(outside, os.path.join(portal.folder, "linked"))
    os.symlink("/proc/self/environ", os.path.join(portal.folder, "proc"))
    os.mkfifo(os.path.join(portal.folder, "fifo"))
    for path in escapes():
        for place in (f"/api/file?path={path}", f"/api/trace?path={path}", f"/api/campaign?path={path}",
                      f"/api/report.json?campaign={path}"):
            answer = portal.get(place)
            check(f"{place[:80]} is refused", 400 <= answer.status < 500)
            check(f"{place[:80]} tells nothing", SECRET.encode() not in answer.body and b"root:" not in answer.body)
        answer = portal.put(path, "written")
        check(f"PUT {path[:60]}", 400 <= answer.status < 500 or answer.status == 201)
        check(f"PUT {path[:60]} stays inside", sorted(os.listdir(outside)) == ["secret.txt"])
        for body in ({"path": urllib.parse.unquote(path, errors="replace")},):
            for place in ("/api/model", "/api/rules", "/api/automation", "/api/flows"):
                more = {"mode": "count", "length": 2, "model": body["path"]} if place == "/api/flows" else body
                answer = portal.post(place, more)
                check(f"{place} {path[:60]} tells nothing", SECRET.encode() not in answer.body)
    for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/portal.js/../../secret.txt", "/api/../secret.txt", "/a.txt",
                 "/.hidden", "/api/file/../../x", "/api/jobs/../../x", "/api/jobs/%2e%2e", "/api/jobs/.."):
        answer = portal.get(path)
        check(f"GET {path}", answer.status in (400, 404) and SECRET.encode() not in answer.body)
    check("the secret is as it was", read(outside, "secret.txt") == SECRET)
    check("nothing was written outside", sorted(os.listdir(outside)) == ["secret.txt"])
    listed = [entry["path"] for entry in portal.get("/api/files").json["files"]]
    check("links and hidden files are not listed",
          "a.txt" in listed and not {"link.txt", "linked/secret.txt", ".hidden", "fifo", "proc"} & set(listed))
    job = portal.post("/api/jobs", {"kind": "run", "device": "sim:../secret.txt", "output": "c"})
    check("a job on a file outside", job.status == 422)
    for field, value in (("output", "../c"), ("output", "/tmp/c"), ("output", "linked/c"), ("output", "linked"),
                         ("output", "link.txt"), ("flows", "link.txt"), ("properties", "linked/secret.txt"),
                         ("device", "sim:link.txt"), ("device", "sim:/etc/passwd"), ("device", "chromium:file:///etc/passwd"),
                         ("app", "../x.apk"), ("scenarios", ["--help"]), ("scenarios", ["../x"]), ("device", "adb:x;ls"),
                         ("seed", "1; ls"), ("seed", -1), ("monkey", "--help"), ("unknown", 1), ("subject", "a=b"),
                         ("device", "adb:a\nb"), ("devices", "nothing")):
        body = {"kind": "run", "device": "adb:x", "output": "c", field: value}
        check(f"a job with {field} {value}", portal.post("/api/jobs", body).status == 422)
    check("no job came of it", portal.get("/api/jobs").json["jobs"] == [])


def a_job_that_came_with_the_folder(portal):
    """Words that somebody else wrote into job.json are not run; what was asked for is looked at anew."""
    made = os.path.join(portal.folder, "made")
    words = ["trace", "record", "--methods=x", "--output=t", "--", "touch", made]
    for number, asked in enumerate((None, {"kind": "run", "device": "sim:a.txt", "output": "../c"},
                                    {"kind": "trace"}, [], {"kind": "run", "device": "adb:x;ls", "output": "c"})):
        job = f"20200101-000000-000-00000{number}"
        folder = os.path.join(portal.folder, ".tactus", "jobs", job)
        os.makedirs(folder)
        about = {"kind": "run", "words": words, "started": 1.0, "output": "c", "boot": "x"}
        if asked is not None:
            about["asked"] = asked
        write(folder, "job.json", json.dumps(about))
        answer = portal.post(f"/api/jobs/{job}/resume", None)
        check(f"a job of somebody else, asked for {asked}", answer.status == 422)
        check("and what an earlier version wrote is told apart", ("start it anew" in str(answer.json)) == (asked is None))
        shutil.rmtree(folder)
    check("its words were not run", not os.path.exists(made))


def links_that_come_and_go(portal, outside):
    """A folder that is exchanged for a link while it is asked for."""
    write(portal.folder, "swap/secret.txt", "inside")
    write(portal.folder, "swap/digest.txt", "x")
    real, link = os.path.join(portal.folder, "swap"), os.path.join(portal.folder, "other")
    os.symlink(outside, link)
    done = threading.Event()

    libc = ctypes.CDLL(None)

    def swap():
        while not done.is_set():
            libc.renameat2(-100, real.encode(), -100, link.encode(), 2)
    thread = threading.Thread(target=swap)
    thread.start()
    statuses = set()
    for number in range(150):
        answer = portal.get("/api/file?path=swap/secret.txt")
        statuses.add(answer.status)
        if SECRET.encode() in answer.body:
            check("a link was followed", False)
        answer = portal.put(f"swap/new{number}.txt", "mine")
        statuses.add(answer.status)
    done.set()
    thread.join()
    check(f"exchanged links: {statuses}", statuses <= {200, 201, 404, 409, 422, 500})
    check("nothing was written behind a link", sorted(os.listdir(outside)) == ["secret.txt"])


# --- in everybody's way ---

def slow_clients(portal):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard < 4096 else 4096, hard))
    begun = [b"G", b"GET / HTTP/1.1\r\nHost: ", f"PUT /api/file?path=s.txt HTTP/1.1\r\nHost: 127.0.0.1:{portal.port}\r\n"
             f"Content-Length: 100000\r\nIf-None-Match: *\r\n{cookie(portal)}\r\nx".encode()]
    slow, kept = [], portal.connect()
    asked = f"GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:{portal.port}\r\nCookie: {portal.cookie}\r\n\r\n".encode()

    def ask_again():
        kept.sendall(asked)
        return kept.recv(4096).startswith(b"HTTP/1.1 200")
    check("a connection that is kept", ask_again())
    fine = 0
    for number in range(1000):
        try:
            connection = portal.connect()
            connection.sendall(begun[number % 2 if number % 50 else 2])
            slow.append(connection)
        except OSError:
            pass
        if number % 100 == 99:
            fine += portal.get("/api/session").status == 200
            for one in slow[-50:]:
                try:
                    one.sendall(b"x")
                except OSError:
                    pass
    check(f"{len(slow)} slow clients", len(slow) > 900)
    check(f"{fine} of 10 others were answered", fine == 10)
    check("the one that was there before is answered", ask_again())
    check("a large file beside them", portal.put("large.txt", "x" * 5000000).status == 201)
    for connection in slow:
        connection.close()
    kept.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def memory(portal):
    with open(f"/proc/{portal.process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def large_bodies(portal):
    host = f"Host: 127.0.0.1:{portal.port}\r\n"
    before = memory(portal)
    gigabyte = f"PUT /api/file?path=g.txt HTTP/1.1\r\n{host}Content-Length: 1073741824\r\nIf-None-Match: *\r\n"
    check("a gigabyte", raw(portal, gigabyte + cookie(portal) + "\r\n") == 413)
    check("a gigabyte without the cookie", raw(portal, gigabyte + "\r\n") == 401)
    for length, status in (("-1", 400), ("99999999999999999999999999", 400), ("1e9", 400), ("0x10", 400)):
        got = raw(portal, gigabyte.replace("1073741824", length) + cookie(portal) + "\r\n")
        check(f"Content-Length: {length}", got in (status, 413, None))
    chunked = f"PUT /api/file?path=g.txt HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\nIf-None-Match: *\r\n{cookie(portal)}\r\n"
    check("a body without a length", raw(portal, chunked, b"40000000\r\n" + b"x" * 10000) == 411)
    sent = 0
    with portal.connect() as connection:
        connection.settimeout(30)
        connection.sendall((gigabyte + cookie(portal) + "\r\n").encode())
        try:
            while sent < 1 << 30:
                sent += connection.send(b"x" * 65536)
        except OSError:
            pass
    check(f"it is hung up on early, after {sent >> 20} MB", sent < 1 << 29)
    check(f"memory from {before} to {memory(portal)} kB", memory(portal) < before + 100000)
    check("a long address", raw(portal, f"GET /{'a' * 100000} HTTP/1.1\r\n{host}\r\n") in (400, 414, 431, 413, None))
    check("many headers", raw(portal, f"GET / HTTP/1.1\r\n{host}" + "X: y\r\n" * 20000 + "\r\n") in (400, 431, 413, None))
    deep = "[" * 100000
    check("a deep document", portal.post("/api/model", deep).status == 400)
    for body in (b"", b"[]", b"null", b'{"text":', b"\xff", b'{"text":"\\ud800"}', b'{"a":1,"a":2}', b'{"text":5}', b'{"text":null}'):
        check(f"a body {body!r}", portal.post("/api/model", body).status in (400, 422))
    check("no file came of it", not os.path.exists(os.path.join(portal.folder, "g.txt")))


# --- names that are code ---

def code_in_names(portal):
    model = f"""<interactionModel xmlns="urn:tactus:interaction-model:1" name="&lt;script>alert(1)&lt;/script>">
  <device name="&lt;script>alert(1)&lt;/script>"><application name="&lt;script>alert(1)&lt;script>" external="true">
    <activity name="&lt;script>" external="true"><stateMachine name="&lt;img>" external="true">
      <initial to="{SCRIPT.replace('<', '&lt;')}"/><state name="{SCRIPT.replace('<', '&lt;')}"/>
      <transition from="{SCRIPT.replace('<', '&lt;')}" event="&lt;svg/onload=alert(1)>" to="{SCRIPT.replace('<', '&lt;')}"/>
    </stateMachine></activity></application></device></interactionModel>"""
    folder = SCRIPT.replace("/", "")
    names = [f"{folder}.xml", f"{folder}.props", f"{folder}.csv", f"{folder}.rules", f"{folder}/{folder}.json",
             '"><img src=x onerror=alert(1)>.txt', "'-alert(1)-'.txt", "a&b.txt", "\u202egpj.txt"]
    for name in names:
        write(portal.folder, name, model if name.endswith(".xml") else SCRIPT)
    quoted = {name: urllib.parse.quote(name) for name in names}
    answers = [portal.get("/api/files"), portal.get("/api/devices"), portal.get("/api/jobs"), portal.get("/api/session")]
    check("names come back as they are", set(names) <= {entry["path"] for entry in answers[0].json["files"]})
    parsed = portal.post("/api/model", {"path": names[0]})
    check("names of states come back as they are", parsed.json["states"][0]["name"] == SCRIPT)
    answers.append(parsed)
    edit = {"do": "rename_state", "state": parsed.json["states"][0]["id"], "name": "</script><b>"}
    answers.append(portal.post("/api/model/edit", {"text": parsed.json["text"], "edits": [edit]}))
    check("and of edited ones", answers[-1].json["states"][0]["name"] == "</script><b>")
    for name in names:
        answers += [portal.get(f"/api/trace?path={quoted[name]}"), portal.get(f"/api/campaign?path={quoted[name]}"),
                    portal.post("/api/check", {"path": name, "trace": name}), portal.post("/api/rules", {"path": name}),
                    portal.post("/api/flows", {"mode": "count", "length": 3, "model": name}),
                    portal.put(quoted[name], "other"), portal.get(f"/api/jobs/{quoted[name].replace('/', '%2F')}"),
                    portal.get(f"/api/{quoted[name]}")]
    for answer in answers:
        json.loads(answer.body)
        fine = answer.headers["content-type"].startswith("application/json") and \
            answer.headers["x-content-type-options"] == "nosniff" and \
            "default-src 'none'" in answer.headers["content-security-policy"]
        if not fine:
            check(f"JSON and nothing else: {answer.headers}", False)
    check("every answer is JSON", True)
    for name in names:
        answer = portal.get(f"/api/file?path={quoted[name]}")
        check(f"{name} is text", answer.headers["content-type"].startswith("text/plain") and
              "sandbox" in answer.headers["content-security-policy"])
    answer = portal.put("picture.svg", f"<svg xmlns='http://www.w3.org/2000/svg'>{SCRIPT}</svg>")
    answer = portal.get("/api/file?path=picture.svg")
    check("a picture runs nothing", "sandbox" in answer.headers["content-security-policy"])


# --- killed while saving, and idle ---

def killed_while_saving():
    chance = random.Random(7)
    texts = ["a" * 3000000, "b" * 2000000 + "\n"]
    with scratch() as folder:
        write(folder, "model.xml", texts[0])
        for _ in range(8):
            portal = Portal(TACTUS, folder)
            hash_ = portal.get("/api/file?path=model.xml").headers["etag"].strip('"')
            saved = threading.Event()

            def save():
                current, number = hash_, 0
                try:
                    while True:
                        answer = portal.put("model.xml", texts[number % 2], match=current, timeout=20)
                        current, number = answer.json["hash"], number + 1
                        saved.set()
                except (OSError, ValueError, KeyError):
                    saved.set()
                except Exception:  # http.client has many ways to say that the server is gone
                    saved.set()
            thread = threading.Thread(target=save)
            thread.start()
            saved.wait(60)
            time.sleep(chance.random() * 0.05)
            portal.kill()
            thread.join()
            check("the old or the new file", read(folder, "model.xml") in texts)
        with Portal(TACTUS, folder) as portal:
            check("nothing else is listed", [e["path"] for e in portal.get("/api/files").json["files"]] == ["model.xml"])


def wakes(pid):
    """How often threads of the process have gone to sleep, and the time they used."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status", encoding="ascii") as file:
            total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return total, int(fields[11]) + int(fields[12])


def without():
    """A command that is not the portal starts nothing of it: one thread, and nobody can connect."""
    with scratch() as folder:
        app = os.path.join(os.environ["TACTUS_SOURCE_ROOT"], "examples/apps/tracker.json")
        process = subprocess.Popen([TACTUS, "run", "--device", f"sim:{app}", "--monkey", "1", "--steps", "1000", "--realtime", "-o",
                                    os.path.join(folder, "runs")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: os.path.exists(os.path.join(folder, "runs/index.sqlite")))
            check("one thread", len(os.listdir(f"/proc/{process.pid}/task")) == 1)
            mine = {os.readlink(f"/proc/{process.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{process.pid}/fd")}
            with open("/proc/net/tcp", encoding="ascii") as table:
                listening = {f"socket:[{line.split()[9]}]" for line in table if line.split()[3] == "0A"}
            check(f"nobody can connect: {mine & listening}", not mine & listening)
            check("it keeps nothing in hidden places", not os.path.exists(os.path.join(folder, ".tactus")))
        finally:
            process.terminate()
            process.wait(60)


def idle():
    with scratch() as folder, Portal(TACTUS, folder) as portal:
        pid = portal.process.pid
        wait_until(lambda: not [line for line in os.listdir(f"/proc/{pid}/fd")
                                if os.path.islink(f"/proc/{pid}/fd/{line}") and connected(pid, line, portal.port)])
        before = wakes(pid)
        time.sleep(5)
        after = wakes(pid)
        check(f"idle it does nothing: {before} {after}", after[1] == before[1] and after[0] - before[0] <= 2)


def connected(pid, descriptor, port):
    """Whether this is a socket of a client: all but the one that listens."""
    try:
        name = os.readlink(f"/proc/{pid}/fd/{descriptor}")
    except OSError:
        return False
    if not name.startswith("socket:["):
        return False
    inode = name[8:-1]
    with open(f"/proc/{pid}/net/tcp", encoding="ascii") as file:
        for line in file:
            fields = line.split()
            if fields[9] == inode:
                return fields[3] != "0A"
    return False


def beyond_loopback():
    """--listen wants a password and TLS, all of them."""
    with scratch() as folder:
        write(folder, "password", "correct horse\n")
        for options in (["--listen", "0.0.0.0"], ["--listen", "0.0.0.0", "--password-file", "password"],
                        ["--password-file", "password"], ["--tls-cert", "x"]):
            done = subprocess.run([TACTUS, "serve", folder, *options], capture_output=True, cwd=folder, timeout=60)
            check(f"{options}", done.returncode == 2)
        done = subprocess.run([TACTUS, "serve", folder, "--listen", "127.0.0.1", "--password-file", "password", "--tls-cert",
                               "password", "--tls-key", "password"], capture_output=True, cwd=folder, timeout=60)
        check("a password that others can read", done.returncode == 4 and b"chmod 600" in done.stderr)
        if shutil.which("openssl"):
            with_a_password(folder)
        else:
            print("SKIPPED a server with a password: openssl is not installed")


def with_a_password(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
                    "-days", "2", "-subj", "/CN=localhost"], cwd=folder, check=True, capture_output=True)
    os.chmod(os.path.join(folder, "password"), 0o600)
    os.mkdir(os.path.join(folder, "served"))
    process = subprocess.Popen([TACTUS, "serve", "served", "--listen", "127.0.0.1", "--password-file", "password",
                                "--tls-cert", "cert.pem", "--tls-key", "key.pem"], cwd=folder, stdout=subprocess.PIPE, text=True)
    port = int(re.search(r"https://127\.0\.0\.1:(\d+)/", process.stdout.readline()).group(1))
    trust = ssl.create_default_context(cafile=os.path.join(folder, "cert.pem"))
    trust.check_hostname = False

    def ask(method, path, body=None, **headers):
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=trust)
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer
    check("nothing without the password", ask("GET", "/api/files").status == 401 and ask("GET", "/").status == 401)
    check("a wrong password", ask("POST", "/login", "password=wrong").status == 401)
    check("no password", ask("POST", "/login", "").status == 401)
    check("another page's login", ask("POST", "/login", "password=correct horse", Origin="https://evil.example").status == 403)
    answer = ask("POST", "/login", "password=correct horse\r\n")
    cookie_ = answer.getheader("Set-Cookie") or ""
    check("the password", answer.status == 303 and "Secure" in cookie_ and "SameSite=Strict" in cookie_)
    check("and then it is open", ask("GET", "/api/files", Cookie=cookie_.split(";")[0]).status == 200)
    check("another name", ask("GET", "/", Host="evil.example").status == 421)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        try:
            said = plain.recv(100)
        except ConnectionError:
            said = b""
        check("not without TLS", not said.startswith(b"HTTP"))
    process.terminate()
    process.wait(60)
    process.stdout.close()


def main():
    with scratch() as outside, scratch() as folder:
        write(outside, "secret.txt", SECRET)
        write(folder, "a.txt", "text")
        with Portal(TACTUS, folder) as portal:
            without_the_secrets(portal)
            from_other_places(portal)
            out_of_the_folder(portal, outside)
            a_job_that_came_with_the_folder(portal)
            links_that_come_and_go(portal, outside)
            large_bodies(portal)
            code_in_names(portal)
            slow_clients(portal)
            check("it still runs", portal.process.poll() is None)
        check("it ends well", portal.process.returncode == 0)
    killed_while_saving()
    idle()
    without()
    beyond_loopback()
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
