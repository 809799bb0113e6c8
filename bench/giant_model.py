#!/usr/bin/env python3
"""giant-model KIND COUNT FILE: writes a large model for the benchmarks and the tests of limits.

states              one machine with COUNT states and COUNT transitions, all reachable
machines            COUNT machines in a ring of calls
silent              COUNT machines whose initials are connections: one silent cycle through all
self-call           one machine with COUNT connections that call it again without reuse
calls-one-activity  COUNT connections that call one activity of COUNT external machines
wrong-names         COUNT transitions to states that do not exist
"""
import sys

HEAD = ('<?xml version="1.0" encoding="UTF-8"?>\n'
        '<interactionModel xmlns="urn:tactus:interaction-model:1" name="giant">\n'
        '  <device name="d">\n    <application name="a" external="true">\n'
        '      <activity name="v" external="true">\n')
TAIL = '      </activity>\n    </application>\n  </device>\n</interactionModel>\n'


def machine(name, external, initial, nodes, transitions):
    yield f'        <stateMachine name="{name}" external="{str(external).lower()}">\n'
    yield f'          <initial to="{initial}"/>\n'
    for node in nodes:
        yield f'          <{node}/>\n'
    for source, event, target in transitions:
        yield f'          <transition from="{source}" event="{event}" to="{target}"/>\n'
    yield '        </stateMachine>\n'


def states(count):
    nodes = (f'state name="S{i}"' for i in range(count))
    transitions = ((f"S{i}", f"e{i % 100}", f"S{(i + 1) % count}") for i in range(count))
    yield from machine("m", True, "S0", nodes, transitions)


def ring(count, initial):
    for i in range(count):
        nodes = ['state name="S"', f'connection name="C" calls="m{(i + 1) % count}" returns="S"',
                 'final name="end"']
        yield from machine(f"m{i}", i == 0, initial, nodes, [("S", "go", "C"), ("S", "back", "end")])


def self_call(count):
    nodes = ['state name="S"'] + [f'connection name="C{i}" calls="m" returns="S"'
                                  for i in range(count)]
    yield from machine("m", True, "S", nodes, ((f"S", f"go{i}", f"C{i}") for i in range(count)))


def one_activity(count):
    nodes = ['state name="S"'] + [f'connection name="C{i}" calls="w" returns="S"'
                                  for i in range(count)]
    yield from machine("m", True, "S", nodes, ((f"S", f"go{i}", f"C{i}") for i in range(count)))
    yield '      </activity>\n      <activity name="w">\n'
    for i in range(count):
        yield from machine(f"w{i}", i == count - 1, "S", ['state name="S"'], [])


def wrong_names(count):
    nodes = (f'state name="S{i}"' for i in range(count))
    yield from machine("m", True, "S0", nodes, ((f"S{i}", "e", f"T{i}") for i in range(count)))


KINDS = {"states": states, "machines": lambda n: ring(n, "S"), "silent": lambda n: ring(n, "C"),
         "self-call": self_call, "calls-one-activity": one_activity, "wrong-names": wrong_names}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        raise SystemExit(__doc__)
    with open(sys.argv[3], "w", encoding="ascii") as out:
        out.write(HEAD)
        out.writelines(KINDS[sys.argv[1]](int(sys.argv[2])))
        out.write(TAIL)


main()
