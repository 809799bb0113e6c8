#!/usr/bin/env python3
"""A power analyser that is none: speaks SCPI over TCP and measures a known power curve.

    scpi_stand_in.py [--mode log|sweeps|current-only] [--format ascii|real|real64|swapped]
                     [--drift D] [--wall SECONDS] [--late SECONDS] [--plain] [--fault KIND] [--truth FILE]

Prints the port it listens on, serves one connection after another, and ends with its standard
input. The curve is a supply of 4 V and a current of 0.5 A that jumps to 1.5 A two seconds after the
start of the measurement, with a ripple of 0.1 A at 5 Hz, on real time. Its sampling clock is wrong
by the share D; its wall clock is ahead by --wall; it begins to sample --late after it was told to.
--plain: no channel lists (like a 66332A).

--mode log has the external data log (FETCh:ELOG?), sweeps only arrays (MEASure:ARRay:CURRent? and
FETCh:ARRay:VOLTage?), current-only arrays of current alone. --truth FILE gets one JSON object per
started measurement: when it began (seconds since 1970) and how many samples were handed out.

Faults: silent (never answers *IDN?), deaf (answers *IDN? only), garbage (text instead of numbers),
nan (9.91E37), stall@S (no answers from S seconds after the start on), drop@S (closes the connection
then), error@S (an entry in the error queue from then on), lose (every third sample is lost), busy
(refuses every setup), web (answers like a web server), huge (announces a block of 900 MB).
"""
import argparse
import json
import math
import socket
import struct
import sys
import threading
import time

VOLTS, LOW, HIGH, STEP, RIPPLE, HERTZ = 4.0, 0.5, 1.5, 2.0, 0.1, 5.0
FIFO_SECONDS = 20


def amperes(t):
    """The current t seconds after the start."""
    return (LOW if t < STEP else HIGH) + RIPPLE * math.sin(2 * math.pi * HERTZ * t)


def energy(a, b):
    """The exact integral of the power from a to b, in J."""
    def total(t):
        ripple = -RIPPLE / (2 * math.pi * HERTZ) * math.cos(2 * math.pi * HERTZ * t)
        return VOLTS * (LOW * min(t, STEP) + HIGH * max(t - STEP, 0) + ripple)
    return total(b) - total(a)


class Instrument:
    def __init__(self, options):
        self.options = options
        self.kind, _, at = options.fault.partition("@")
        self.fault_at = float(at) if at else 0
        self.errors, self.points, self.interval = [], 1024, 0.001
        self.started, self.taken, self.begun = None, 0, None
        self.real, self.swapped = False, False
        self.first_sweep, self.sweep_start = None, None

    def elapsed(self):
        begin = self.started if self.started is not None else self.first_sweep
        return time.time() - begin if begin is not None else 0

    def faulty(self, kind):
        since = time.time() - self.begun if self.begun else 0
        return self.kind == kind and since >= self.fault_at

    def period(self):
        return self.interval * (1 + self.options.drift)

    def numbers(self, values):
        if self.faulty("garbage"):
            return b"Hello, 1.5,world\n"
        if self.faulty("nan"):
            values = list(values) + [9.91e37]
        if not self.real:
            return (",".join("%+.6E" % v for v in values)).encode() + b"\n"
        size = 8 if self.options.format == "real64" else 4
        order = "<" if self.swapped else ">"
        data = struct.pack("%s%d%s" % (order, len(values), "d" if size == 8 else "f"), *values)
        if self.faulty("huge"):
            return b"#9900000000" + data
        length = str(len(data)).encode()
        return b"#" + str(len(length)).encode() + length + data + b"\n"

    def write_truth(self):
        if self.options.truth and self.started is not None:
            with open(self.options.truth, "a") as out:
                print(json.dumps({"started": self.started, "taken": self.taken}), file=out)

    # --- the external data log ---

    def fetch_log(self, most):
        ready = int(self.elapsed() / self.period())
        if ready - self.taken > FIFO_SECONDS / self.period():
            self.errors.append('-350,"Too many errors; data log overflow"')
            self.taken = ready
        values, count = [], min(ready - self.taken, most)
        for k in range(self.taken, self.taken + count):
            if self.kind == "lose" and k % 3 == 2:
                continue
            values += [amperes((k + 0.5) * self.period()), VOLTS]
        self.taken += count
        return self.numbers(values)

    # --- arrays ---

    def sweep(self):
        self.sweep_start = time.time()
        if self.first_sweep is None:
            self.first_sweep = self.begun = self.sweep_start
            self.write_sweep_truth()
        time.sleep(self.points * self.period())
        begin = self.sweep_start - self.first_sweep
        return self.numbers([amperes(begin + (k + 0.5) * self.period())
                             for k in range(self.points)])

    def write_sweep_truth(self):
        if self.options.truth:
            with open(self.options.truth, "a") as out:
                print(json.dumps({"started": self.first_sweep}), file=out)

    # --- commands ---

    def setting(self, head, argument):
        """True when the command is a known setting."""
        mode = self.options.mode
        listed = "(@" in argument
        if self.options.plain and listed:
            self.errors.append('-108,"Parameter not allowed"')
            return True
        if not self.options.plain and head.startswith(("SENS", "INIT", "ABOR", "TRIG")) and \
                not listed:
            self.errors.append('-109,"Missing parameter"')
            return True
        if self.kind == "busy" and head.startswith("SENS"):
            self.errors.append('-221,"Settings conflict"')
            return True
        if "ELOG" in head and mode != "log":
            return False
        if head == "ABOR:ELOG":
            self.write_truth()
            self.started = None
        elif head == "INIT:ELOG":
            time.sleep(self.options.late)
            self.started = self.begun = time.time()
            self.taken = 0
        elif head in ("SENS:ELOG:PER", "SENS:SWE:TINT"):
            self.interval = float(argument.split(",")[0])
        elif head == "SENS:SWE:POIN":
            self.points = int(argument.split(",")[0])
        elif head == "FORM":
            if self.options.format == "ascii":
                self.errors.append('-224,"Illegal parameter value"')
            else:
                self.real = True
        elif head == "FORM:BORD":
            self.swapped = self.options.format == "swapped"  # an instrument that knows only this
        elif head.startswith("SENS:FUNC:"):
            if mode == "current-only" and "VOLT" in head:
                return False
        else:
            return head in ("*CLS", "TRIG:ELOG:SOUR", "SENS:ELOG:FUNC:CURR",
                            "SENS:ELOG:FUNC:VOLT", "SENS:ELOG:FUNC:CURR:MINM",
                            "SENS:ELOG:FUNC:VOLT:MINM")
        return True

    def answer(self, head, argument):
        """The bytes of the answer, or None for an unknown query."""
        mode = self.options.mode
        if head == "*IDN?":
            return b"Tactus,Stand-in,0001,1.0\n"
        if head == "SYST:ERR?":
            if self.faulty("error"):
                self.kind = ""
                return b'-310,"System error; over-temperature"\n'
            return ((self.errors.pop(0) if self.errors else '+0,"No error"') + "\n").encode()
        if head in ("SYST:DATE?", "SYST:TIME?"):
            wall = time.localtime(time.time() + self.options.wall)
            form = "%Y,%m,%d" if "DATE" in head else "%H,%M,%S"
            return time.strftime(form, wall).encode() + b"\n"
        if head == "FORM?":
            return b"REAL,64\n" if self.real and self.options.format == "real64" else \
                b"REAL\n" if self.real else b"ASC\n"
        if head == "FORM:BORD?":
            return b"SWAP\n" if self.swapped else b"NORM\n"
        if head in ("SENS:ELOG:PER?", "SENS:SWE:TINT?"):
            return ("%.6E\n" % self.interval).encode()
        if head == "FETC:ELOG?" and mode == "log":
            return self.fetch_log(int(argument.split(",")[0]))
        if head == "MEAS:ARR:CURR?" and mode != "log":
            return self.sweep()
        if head == "FETC:ARR:VOLT?" and mode == "sweeps":
            return self.numbers([VOLTS] * self.points)
        if head == "MEAS:VOLT?":
            return ("%+.6E\n" % VOLTS).encode()
        return None

    def handle(self, line):
        """What to send back; None ends the connection."""
        head, _, argument = line.strip().partition(" ")
        head = head.upper()
        if self.kind == "web":
            return b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
        if self.kind == "silent" or (self.kind == "deaf" and head != "*IDN?"):
            return b""
        if self.begun and self.faulty("drop"):
            return None
        if self.begun and self.faulty("stall"):
            return b""
        if not head:
            return b""
        if head.endswith("?"):
            data = self.answer(head, argument)
            if data is None:
                self.errors.append('-113,"Undefined header"')
            return data or b""
        if not self.setting(head, argument):
            self.errors.append('-113,"Undefined header"')
        return b""


def serve(options):
    server = socket.create_server(("127.0.0.1", options.port))
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        instrument, pending = Instrument(options), b""
        try:
            while True:
                data = connection.recv(65536)
                if not data:
                    break
                pending += data
                while b"\n" in pending:
                    line, pending = pending.split(b"\n", 1)
                    reply = instrument.handle(line.decode("latin-1"))
                    if reply is None:
                        raise ConnectionError
                    connection.sendall(reply)
        except (ConnectionError, BrokenPipeError):
            pass
        instrument.write_truth()
        connection.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=("log", "sweeps", "current-only"), default="log")
    parser.add_argument("--format", choices=("ascii", "real", "real64", "swapped"), default="real")
    parser.add_argument("--drift", type=float, default=0)
    parser.add_argument("--wall", type=float, default=0)
    parser.add_argument("--late", type=float, default=0)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--fault", default="")
    parser.add_argument("--truth")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    threading.Thread(target=serve, args=(options,), daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
