#!/usr/bin/env python3
"""Opens the demo's report in headless Chromium, narrow and wide: every section is drawn, nothing is
written to the console, nothing is loaded from outside. Screenshots stay in the build folder."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sections = ["findings", "properties", "model", "runs", "causes", "protocol", "rules", "provenance"]
flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--enable-logging=stderr", "--virtual-time-budget=5000",
         "--host-resolver-rules=MAP * ~NOTFOUND"]


def open_page(page, width, work, *more):
    done = subprocess.run(["chromium", *flags, f"--user-data-dir={work}/profile{width}",
                           f"--window-size={width},3000", *more, f"file://{page}"],
                          capture_output=True, text=True, timeout=120)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def main():
    if not shutil.which("chromium"):
        print("  skipped: chromium is not installed\n0 passed, 0 failed, 1 skipped")
        return 77
    program = os.path.abspath(os.environ["TACTUS"])
    shots = pathlib.Path(program).parent / "screenshots"
    shots.mkdir(exist_ok=True)
    passed, failures = 0, []
    with tempfile.TemporaryDirectory(prefix="tactus-browser-") as work:
        subprocess.run([program, "demo", "tour"], cwd=work, check=True, stdout=subprocess.DEVNULL)
        page = f"{work}/tour/report.html"
        html = pathlib.Path(page).read_text()
        checks = [(not re.search(r"https?://", html), "the report names an address outside")]
        for width in (400, 1400):
            dom, console = open_page(page, width, work, "--dump-dom")
            open_page(page, width, work, f"--screenshot={shots}/report-{width}.png")
            checks.append((not console, f"{width}: the console says {console[:2]}"))
            for section in sections:
                checks.append((f'<section id="{section}"' in dom, f"{width}: no section {section}"))
            checks.append(("<canvas" in dom, f"{width}: no chart"))
            checks.append((dom.count("data:image/svg+xml") >= 3, f"{width}: drawings are missing"))
            shot = shots / f"report-{width}.png"
            checks.append((shot.exists() and shot.stat().st_size > 20000, f"{width}: empty picture"))
    for good, message in checks:
        passed += good
        if not good:
            failures.append(message)
            print("FAILED " + message)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
