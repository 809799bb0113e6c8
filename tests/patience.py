"""How long to wait on a machine that others use too.

Bounds are those of an idle machine. Where this process itself has to wait for a processor, they grow by how long
it waits: what was measured in the same run decides, not what the machine is. Measuring is work, so that what was
measured a moment ago counts.
"""
import time

FRESH = 4 # seconds
last = {"at": -FRESH, "slowness": 1.0}


def measure():
    """Seconds that pass while this process works for one; 1 on an idle machine."""
    most, work = 1.0, 0.02
    for _ in range(3):
        wall, cpu = time.monotonic(), time.process_time()
        while time.process_time() - cpu < work:
            pass
        most = max(most, (time.monotonic() - wall) / work)
    return most


def slowness():
    if time.monotonic() - last["at"] >= FRESH:
        last["slowness"] = measure()
        last["at"] = time.monotonic()
    return last["slowness"]


def patience(seconds):
    found = slowness()
    return seconds if found < 1.3 else 3 * found * seconds
