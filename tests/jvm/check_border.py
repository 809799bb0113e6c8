#!/usr/bin/env python3
"""The border of a Java program: nothing is lost over eight threads, values and results are right, and however the
program ends the recording can be read. And what is said where the agent does not get into a virtual machine."""
import collections
import concurrent.futures
import json
import os

from programs import Workshop, agent, check, finish, need_jdk, root, tactus

need_jdk()
CALLS = 5000
ENDS = {"return": None, "exit": "exit code 3", "halt": "exit code 4", "uncaught": "exit code 1", "kill": "signal 9",
        "segv": "the program"}


def record(w, name, *command, **env):
    return w.run(tactus, "protocol", "record", "--rules", root / "rules/jdk.txt", "--json", "--budget", "100", "-o",
                 f"{name}.jsonl", "--", *command, **env)


def check_end(w, how):
    done = record(w, how, "java", "-XX:-CreateCoredumpOnCrash", f"-XX:ErrorFile={w.folder}/{how}.log", "-cp", w.folder,
                  "Border", how, CALLS if how in ("return", "kill") else 50)
    if not check(done.returncode == 0, f"{how}: {done.stderr[-800:]}"):
        return []
    facts = json.loads(done.stdout)["recordings"][0]
    check(facts["dropped"] == 0, f"{how}: {facts}")
    check(ENDS[how] in (facts["note"] or "") if ENDS[how] else facts["note"] is None, f"{how}: {facts['note']}")
    lines = [json.loads(line) for line in (w.folder / f"{how}.jsonl").read_text().splitlines()]
    messages = [line for line in lines if line["type"] != "app"]
    check(facts["messages"] == len(messages), f"{how}: {facts['messages']} of {len(messages)} messages")
    per_thread = collections.Counter(m["thread"] for m in messages if " add(" in m.get("method", ""))
    expected = CALLS if how in ("return", "kill") else 50
    check(sum(count == expected for count in per_thread.values()) == 8, f"{how}: calls per thread {per_thread}")
    check(messages and any("tick" in m.get("event", "") or m.get("event", "").startswith("run ") for m in messages),
          f"{how}: the last callbacks are not there")
    done = w.run(tactus, "protocol", "validate", "--rules-list", root / "rules/jdk.txt", f"{how}.jsonl")
    check(done.returncode == 0, f"{how}: the rules do not admit the recording: {done.stdout[-800:]}")
    return messages


def check_kinds(messages):
    """A method reference, a lambda with a result, an exception that a call ended in, a constructor."""
    def entry(method, type_="callback_entry"):
        return [i for i, m in enumerate(messages) if m["type"] == type_ and method in m.get("method", "")]
    runs = [messages[i]["event"] for i in entry(" run()")]
    check(len([r for r in runs if r.startswith("run Border.java:")]) == 11, f"tasks and references: {runs}")
    check("run Border.java:work$0 #1" in runs and "run Border.java:clear$1 #1" in runs, f"references: {runs}")
    check(len(entry(" clear()", "callin_entry")) == 1, "the call that a reference makes")
    calls = entry(" call()")
    check(len(calls) == 1 and any(m["type"] == "callback_exit" and m.get("value") == "an answer" and
                                  m["thread"] == messages[calls[0]]["thread"] for m in messages),
          "the result of a lambda")
    refused = [m for m in messages if m["type"] == "callin_exception"]
    check(len(refused) == 1 and refused[0]["exception"] == "java.lang.UnsupportedOperationException", f"{refused}")
    threads = entry("<init>(java.lang.Runnable)", "callin_entry")
    check(len(threads) == 9 and all(messages[i]["params"][0]["type"] == "java.lang.Thread" for i in threads),
          "constructors have the object that was made")
    futures = [m for m in messages if m["type"] == "callin_exit" and isinstance(m.get("value"), dict) and
               m["value"]["type"] == "java.util.concurrent.FutureTask"]
    check(len(futures) == 3, f"results of calls: {len(futures)}")


def check_refusals(w):
    """Whoever cannot be recorded is told so, and there is no file."""
    (w.folder / "text.so").write_text("not a library\n")
    (w.folder / "java").write_text("#!/bin/sh\nexit 0\n")
    (w.folder / "java").chmod(0o755)
    for words, env, expected in [
            (["no-such-java", "X"], {}, "could not be started"), ([w.folder / "java", "X"], {}, "did not load the agent"),
            (["java", "-XX:NoSuchOption", "X"], {}, "did not load the agent"),
            (["java", "-cp", w.folder, "Border", "return", "1"], {"TACTUS_JVM_AGENT": w.folder / "text.so"},
             "did not load the agent"),
            (["java", "-cp", w.folder, "Border", "return", "1"], {"TACTUS_JVM_AGENT": "/nowhere.so"},
             "TACTUS_JVM_AGENT")]:
        done = record(w, "refused", *words, **{name: str(value) for name, value in env.items()})
        check(done.returncode == 4 and expected in done.stderr, f"{words} {env}: {done.returncode} {done.stderr[-600:]}")
        check(not (w.folder / "refused.jsonl").exists(), f"{words}: there is a recording")
    done = w.run(tactus, "protocol", "record", "--jvm-mode", "magic", "-o", "x.jsonl", "--", "java", "X")
    check(done.returncode == 2, f"a mode that is not there: {done.returncode} {done.stderr}")


with Workshop() as w, concurrent.futures.ThreadPoolExecutor(3) as pool:
    w.compile("Border.java")
    jobs = {how: pool.submit(check_end, w, how) for how in ENDS}
    refusals = pool.submit(check_refusals, w)
    check_kinds(jobs["return"].result())
    for job in [*jobs.values(), refusals]:
        job.result()
finish()
