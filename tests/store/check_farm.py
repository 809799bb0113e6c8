#!/usr/bin/env python3
"""Several WebDriver endpoints as a farm: one campaign in a database, a worker with three browsers on
different ports; one is killed in the middle; the others do what is left.

Needs chromedriver, chromium and PostgreSQL; without them it is skipped."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import postgres_testing as pg

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent.parent)
TACTUS = os.environ["TACTUS"]
RUNS = 15


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(url):
    try:
        return urllib.request.urlopen(url, timeout=2).status == 200
    except OSError:
        return False


def main():
    absent = pg.missing()
    if absent or not shutil.which("chromedriver"):
        print(f"skipped: {absent or 'chromedriver is not installed'}")
        return 77
    server, started, good = pg.Server(), [], True
    page_port, ports = free_port(), [free_port() for _ in range(3)]
    try:
        capabilities = server.folder / "capabilities.json"
        words = ["--headless=new"] + (["--no-sandbox"] if os.getuid() == 0 else [])
        capabilities.write_text(json.dumps({"browserName": "chrome", "goog:chromeOptions": {"args": words}}))
        started.append(subprocess.Popen([sys.executable, "-m", "http.server", str(page_port), "--bind",
                                         "127.0.0.1", "-d", str(ROOT / "examples/web/player")],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for port in ports:
            started.append(subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL, start_new_session=True))
        for port in ports:
            good &= pg.wait_until(lambda p=port: answers(f"http://127.0.0.1:{p}/status"))
        address, app = server.address("farm"), f"http://127.0.0.1:{page_port}/index.html"
        planned = subprocess.run([TACTUS, "run", "--device", f"webdriver+http://127.0.0.1:{ports[0]}", "--app", app,
                                  "--capabilities", str(capabilities), "--monkey", str(RUNS), "--steps", "3",
                                  "--think", "0.2", "--plan-only", "-o", address],
                                 env=server.environment, capture_output=True, text=True)
        print(planned.stdout + planned.stderr, end="")
        worker = subprocess.Popen([TACTUS, "worker", address, "--lease", "20"] +
                                  [word for port in ports
                                   for word in ("--device", f"webdriver+http://127.0.0.1:{port}")],
                                  env=server.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        done = lambda: int(server.sql("SELECT count(*) FROM tactus.run"))
        good &= pg.wait_until(lambda: done() >= 4, 240)
        os.killpg(started[1].pid, 9)
        print(f"killed the endpoint {ports[0]} after {done()} runs")
        words, _ = worker.communicate(timeout=400)
        print(words, end="")
        shares = server.sql("SELECT details::json->>'ran_on',count(*) FROM tactus.run GROUP BY 1 ORDER BY 1")
        verdicts = server.sql("SELECT verdict,count(*) FROM tactus.run GROUP BY 1 ORDER BY 1")
        print(shares, verdicts, sep="\n")
        checks = {"every run is done": done() == RUNS, "the worker ended well": worker.returncode == 0,
                  "every endpoint had runs": len(shares.split("\n")) == 3, "all were ready": good,
                  "the lost endpoint is named": "went away" in words}
        for what, holds in checks.items():
            print(("ok      " if holds else "FAILED  ") + what)
        return 0 if all(checks.values()) else 1
    finally:
        for process in started:
            process.kill()
        for process in started[1:]:
            try:
                os.killpg(process.pid, 9)
            except OSError:
                pass
        time.sleep(0.2)
        server.close()


if __name__ == "__main__":
    sys.exit(main())
