#!/usr/bin/env python3
"""Workers whose link to the database is frozen, delayed, cut or doubled at every statement of a short campaign, and at
random in a long one; and workers that are stopped and go on. Each run has one row, the rows are those of a campaign
that nobody disturbed, and nobody waits longer than a lease and the patience.

Without TACTUS_SCALE=full (make sweep) a part of the statements and a shorter campaign."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import injecting_proxy
import postgres_testing as pg

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent.parent)
TACTUS = os.environ["TACTUS"]
FULL = os.environ.get("TACTUS_SCALE") == "full"
APP = f"sim:{ROOT}/examples/apps/player.json"
LEASE, PATIENCE = 2, 60
chance = random.Random(int(os.environ.get("TACTUS_SEED", "51")))
failures, passed = [], 0
ROWS = ("SELECT id,kind,name,flow,scenario,repeat,seed,verdict,message,exception,steps,trace_size FROM tactus.run WHERE "
        "campaign=(SELECT campaign FROM tactus.campaign WHERE name='{}') ORDER BY id")


def check(good, what):
    global passed
    passed += bool(good)
    if not good:
        failures.append(what)
        print("FAILED ", what, flush=True)


def start(server, address, lease=LEASE):
    return subprocess.Popen([TACTUS, "worker", address, "--device", APP, "--lease", str(lease), "--patience", str(PATIENCE)],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=server.environment)


def plan(server, name, runs, realtime=()):
    done = subprocess.run([TACTUS, "run", "--device", APP, "--monkey", str(runs), "--steps", "1", "--think", "0.05", *realtime,
                           "--plan-only", "-o", server.address(name)], capture_output=True, text=True, env=server.environment)
    assert done.returncode == 0, done.stderr


def end(worker, what, seconds):
    try:
        words, _ = worker.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        worker.kill()
        words, _ = worker.communicate()
        check(False, f"{what}: a worker waits longer than lease and patience")
    return worker.returncode, words


def finish(server, name, expected, what):
    """What a disturbed worker left is done by another, which nobody disturbs."""
    code, words = end(start(server, server.address(name)), what, 120)
    check(code == 0, f"{what}: the worker after it ends with {code}: {words[-600:]}")
    check(server.sql(ROWS.format(name)) == expected, f"{what}: the rows are those of an undisturbed campaign")
    check(server.sql("SELECT count(*) FROM tactus.queue q JOIN tactus.campaign USING(campaign) WHERE name=$$" + name + "$$") == "0",
          f"{what}: nothing is left in the queue")


def every_statement(server, proxy):
    plan(server, "short", 3)
    proxy.arm({})
    code, words = end(start(server, proxy.address("short")), "short", 120)
    statements, expected = proxy.seen, server.sql(ROWS.format("short"))
    check(code == 0 and statements > 10 and expected.count("\n") == 2, f"a short campaign: {code} {words}")
    cases = [(number, kind) for number in range(1, statements + 1) for kind in injecting_proxy.KINDS]
    if not FULL:
        cases = chance.sample(cases, 24)
    done = 0
    for number, kind in cases:
        name, what = f"short-{number}-{kind}", f"{kind} at statement {number} of {statements}"
        plan(server, name, 3)
        proxy.arm({number: kind})
        code, words = end(start(server, proxy.address(name)), what, PATIENCE + LEASE + 20)
        check(code == 0, f"{what}: the worker ends with {code}: {words[-600:]}")
        done += bool(proxy.done)
        finish(server, name, expected, what)
    check(done >= len(cases) * 9 // 10, f"{done} of {len(cases)} disturbances happened")
    return done


def at_random(server, proxy, runs, disturbances, stops):
    plan(server, "plain", runs)
    end(start(server, server.address("plain")), "plain", 600)
    expected = server.sql(ROWS.format("plain"))
    plan(server, "long", runs)
    total, workers, stopped, frozen, texts = 0, [], [], 0, []
    begin = time.time()
    while server.sql("SELECT count(*) FROM tactus.queue q JOIN tactus.campaign USING(campaign) WHERE name='long'") != "0":
        if time.time() - begin > 900:
            check(False, "the long campaign does not end")
            break
        workers = [worker for worker in workers if worker.poll() is None or texts.append(end(worker, "long", 5))]
        while len(workers) < 8:
            workers.append(start(server, proxy.address("long")))
        if not proxy.plan or max(proxy.plan) < proxy.seen:
            total += len(proxy.done)
            left = max(0, disturbances - total)
            numbers = chance.sample(range(10, 400), min(20, left))
            proxy.arm({number: chance.choice(injecting_proxy.KINDS) for number in numbers})
        for worker, until in list(stopped):
            if time.time() > until:
                worker.send_signal(signal.SIGCONT)
                stopped.remove((worker, until))
        if frozen < stops and len(stopped) < 3:
            victim = chance.choice(workers)
            if all(victim is not worker for worker, _ in stopped):
                victim.send_signal(signal.SIGSTOP)
                stopped.append((victim, time.time() + chance.uniform(0.1, 2 * LEASE)))
                frozen += 1
        time.sleep(chance.uniform(0.01, 0.1))
    for worker, _ in stopped:
        worker.send_signal(signal.SIGCONT)
    texts += [end(worker, "long", PATIENCE + LEASE + 20) for worker in workers]
    odd = [words[-400:] for code, words in texts if code != 0]
    check(not odd, f"workers that end badly: {odd[:3]}")
    finish(server, "long", expected, "a long campaign")
    return total + len(proxy.done), frozen


def frozen_with_locks(server):
    """A transaction that stands still loses its locks: another worker goes on within a lease."""
    slow = injecting_proxy.Proxy(server.socket / ".s.PGSQL.5432", 25)
    plan(server, "held", 3)
    slow.arm({b"INSERT INTO tactus.run": "freeze"})
    victim = start(server, slow.address("held"))
    check(pg.wait_until(lambda: slow.done, 30), "a worker is frozen in a transaction")
    begin = time.time()
    code, words = end(start(server, server.address("held")), "beside a frozen worker", 60)
    check(code == 0, f"beside a frozen worker: {code} {words}")
    left = server.sql("SELECT count(*) FROM tactus.run r JOIN tactus.campaign c USING(campaign) WHERE c.name='held'")
    check(left == "3" and time.time() - begin < 20, f"all runs are done while one worker is frozen: {left} in {time.time() - begin:.1f} s")
    code, words = end(victim, "thawed", 60)
    check(code == 0, f"the thawed worker: {code} {words}")


def main():
    absent = pg.missing()
    if absent:
        print(f"  skipped: {absent}")
        return 77
    server = pg.Server(settings=["fsync=off"])
    proxy = injecting_proxy.Proxy(server.socket / ".s.PGSQL.5432", LEASE * 1.5)
    try:
        frozen_with_locks(server)
        short = every_statement(server, proxy)
        long, stops = at_random(server, proxy, *((600, 1000, 100) if FULL else (60, 20, 6)))
        print(f"{short} disturbances of a short campaign, {long} of a long one, {stops} workers stopped")
    finally:
        server.close()
    print(f"{passed} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
