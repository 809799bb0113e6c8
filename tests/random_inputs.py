#!/usr/bin/env python3
"""random_inputs.py KIND SEED [N]: random inputs of the golden tests, on standard output.

Broad inputs for tables of inputs and answers (tests/cli/*/random.sh): properties over tests/random_inputs.py's traces,
adaptation rules with every kind of statement, what happens in their world, interaction models, runs to mine, protocol
rules and recordings, automations of a home. The generator of random numbers is our own, so that a seed means the same
input with every Python.
"""
import sys


class Dice:
    def __init__(self, seed):
        self.state = seed * 2654435761 + 12345
        for _ in range(8):
            self.below(7)

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % n

    def one(self, *choices):
        return choices[self.below(len(choices))]

    def some(self, choices, most):
        return [choices[self.below(len(choices))] for _ in range(1 + self.below(most))]


# ---------------------------------------------------------------- a trace and properties about it

EVENTS = ["tap", "shown", "done", "crash", "back"]


def trace(dice, n):
    """Two counters, a level that may be missing, two discrete variables, a boolean; some states at the same time."""
    print("t,event,screen,wifi,rx,energy,level,busy")
    t, rx, energy, flags = 0, 0, 0, dice.one(("true", "false"), ("1", "0"))
    for i in range(n):
        event = dice.one(*EVENTS, "", "")
        level = dice.one("", "0", "-1.5", "2.25", "3", "7", "1e3") if i else ""
        print(f"{t / 10:.1f},{event},{dice.one('Main', 'List', 'De tail')},{dice.one('on', 'off')},{rx},{energy / 4},"
              f"{level},{dice.one(*flags)}")
        t += dice.one(0, 1, 1, 3, 10)
        rx += dice.one(0, 0, 1, 5, 100)
        energy += dice.below(9)


def wide(dice, n):
    """Columns of every size: small, large and odd numbers, few names and many, gaps, runs, quoted texts."""
    print("t,event,byte,word,long,real,few,many,flag,constant,gaps,says")
    word, long = 40000, 1 << 40
    for i in range(n):
        word += dice.below(200) - 100
        long += dice.below(1 << 33)
        print(f"{i * 0.25 + dice.below(2) / 8},{dice.one('', 'tap', 'send')},{dice.below(250) - 120},{word},{long},"
              f"{dice.below(1000) / 7:.3f},{dice.one('on', 'off')},n{dice.below(n)},{dice.one('true', 'false')},7,"
              f"{dice.one('', '', '3', '-2')},{dice.one('', chr(34) + 'a, b' + chr(34), chr(34) + 'he ' + 2 * chr(34) + 'x' + chr(34), 'plain')}")


def bound(dice, past=False):
    unit = dice.one(" s", "", " ms")
    low, more = dice.below(4), dice.below(6)
    if unit == " ms":
        low, more = low * 100, more * 300
    return dice.one("", "", f"[<= {low + more}{unit}]", f"[< {low + more + 1}{unit}]", f"[{low}{unit}, {low + more}{unit}]",
                    f"({low}{unit}, {low + more + 1}{unit}]", f"[>= {low}{unit}]" if past else "",
                    f"[> {low}{unit}]" if past else "")


def number(dice, depth):
    if depth == 0 or dice.below(3) == 0:
        return dice.one("level", "level", "rx", "energy", "2", "0.5", "-3", "1e2")
    return dice.one(f"({number(dice, depth - 1)} {dice.one('+', '-', '*', '/')} {number(dice, depth - 1)})",
                    f"abs({number(dice, depth - 1)})", f"-{number(dice, 0)}")


def condition(dice, depth, past=True):
    kind = dice.below(14 if past else 9) if depth else dice.below(5)
    inner = lambda: condition(dice, depth - 1, past)
    if kind <= 1:
        return dice.one(*EVENTS)
    if kind == 2:
        return f"{number(dice, 1)} {dice.one('<', '<=', '>', '>=', '==', '!=')} {number(dice, 0)}"
    if kind == 3:
        return f"{dice.one('screen', 'wifi')} {dice.one('==', '!=')} {dice.one('Main', 'on', 'off', chr(34) + 'De tail' + chr(34))}"
    if kind == 4:
        return dice.one("busy", "not busy", "true", "false", "low")
    if kind <= 6:
        return f"({inner()} {dice.one('and', 'or', '->')} {inner()})"
    if kind <= 8:
        return f"not {inner()}"
    if kind <= 10:
        return f"{dice.one('once', 'historically')}{bound(dice, True)} ({inner()})"
    if kind == 11:
        return f"(({inner()}) since{bound(dice, True)} ({inner()}))"
    return dice.one(f"previously ({inner()})", f"rise({inner()})", f"fall({inner()})")


def temporal(dice, depth):
    if depth == 0:
        return f"({condition(dice, 1)})"
    kind = dice.below(6)
    if kind <= 1:
        return f"{dice.one('always', 'eventually')}{bound(dice)} {temporal(dice, depth - 1)}"
    if kind == 2:
        return f"({temporal(dice, depth - 1)} until{bound(dice)} {temporal(dice, depth - 1)})"
    if kind == 3:
        return f"next {temporal(dice, depth - 1)}"
    return f"({temporal(dice, depth - 1)} {dice.one('and', 'or', '->')} {temporal(dice, depth - 1)})"


def figure(dice, depth):
    what = number(dice, 1)
    plain = [f"{name}({what})" for name in ("diff", "first", "last", "min", "max", "avg")] + [f"count({condition(dice, 1)})"]
    if depth and dice.below(3) == 0:
        other = f"{dice.one('first', 'max', 'avg')}({number(dice, 1)})"
        return f"({dice.one(*plain)} {dice.one('+', '-', '*', '/')} {other})"
    return dice.one(*plain, f"integral({what})", f"rate({what})", "duration", f"abs(diff({what}))")


def ends(dice):
    return dice.one(f"[{condition(dice, 1)}, {condition(dice, 1)}]", f"[{condition(dice, 1)}]",
                    f"[{dice.one(*EVENTS)}, {dice.one(*EVENTS)}]",
                    f"[{dice.one(*EVENTS)}, {dice.one('eventually', 'always')}[<= {dice.below(4)} s] {condition(dice, 0)}]")


def comparison(dice):
    return f"{figure(dice, 1)} {dice.one('<', '<=', '<=', '>', '>=', '>=', '==')} {dice.one('0', '1', '2.5', '100', '-2')}"


def body(dice):
    kind = dice.below(7)
    if kind <= 3:
        return comparison(dice)
    if kind <= 5:
        return f"({body(dice)} {dice.one('and', 'or', '->')} {dice.one('', 'not ')}({body(dice)}))"
    relation = dice.one("during", "within", "before", "overlaps", "after", "meets", "met_by", "overlapped_by", "starts",
                        "started_by", "contains", "finishes", "finished_by", "equals", "allen before", "allen during",
                        "allen overlaps")
    where = dice.one("", f" where {comparison(dice)}")
    return f"({dice.one('forall', 'exists', 'first')} [{condition(dice, 0)}, {condition(dice, 0)}] {relation}{where})"


def formula(dice):
    kind = dice.below(12)
    if kind <= 4:
        return f"{dice.one('forall', 'exists', 'first')} {ends(dice)} {body(dice)}"
    if kind <= 9:
        return temporal(dice, 2)
    few = f"[{dice.one(*EVENTS)}, {dice.one(*EVENTS)}]"
    return dice.one(f"share {few} ({comparison(dice)}) >= {dice.below(101)} %",
                    f"percentile({1 + dice.below(99)}) {few} {comparison(dice)}", f"mean {few} {comparison(dice)}")


def properties(dice, n):
    print("monotone rx, energy\nlet low = level < 2")
    if dice.below(2):
        print("linear level")
    for i in range(n):
        kind = dice.below(12)
        if kind == 0:
            print(f"property p{i} for each {dice.one('screen', 'wifi', 'screen, wifi')}: {formula(dice)}")
        elif kind == 1 and i > 3:
            a, b = dice.below(i), dice.below(i)
            print(f"property p{i}: {dice.one('', 'not ')}p{a} {dice.one('and', 'or', '->')} p{b}")
        else:
            print(f"property p{i}: {formula(dice)}")


# ---------------------------------------------------------------- adaptation rules


def predicate(dice, names, depth):
    if depth == 0 or dice.below(3) == 0:
        return dice.one(*names, f"not {dice.one(*names)}", f"speed {dice.one('<', '<=', '>', '>=')} {dice.one('5', '20.5', '70')}",
                        f"place {dice.one('==', '!=')} {dice.one('home', 'office')}")
    return f"({predicate(dice, names, depth - 1)} {dice.one('and', 'or', '->', 'and')} {predicate(dice, names, depth - 1)})"


def rules(dice, n):
    """With groups at rates, sensors, constraints, actions, references, expectations: each in some of the sets."""
    rates = dice.below(3) == 0
    every = lambda: f" every {dice.one('500 ms', '1 s', '3 s', '5')}{dice.one('', ' hold 1 s')}" if rates else ""
    print(f"app Random{n}\ngroup G{every()}: a \"it's a\", b\ngroup H{every()}: c monotone, d monotone falling\nvariable e, f")
    print(f"sensor speed number in G \"km/h\"\nsensor place {{home, office, away}}{dice.one('', ' in H')}")
    names, states = ["a", "b", "c", "d", "e", "f"], ["S", "T", "U", "V"]
    for _ in range(dice.below(3)):
        print(f"constraint {predicate(dice, names, 1)} -> {dice.one(*names)}")
    print("state S initial; state T; state U; state V")
    acts, named = dice.below(4) == 0, []
    for i in range(n):
        when = predicate(dice, names, 2) if not named or dice.below(3) else f"{dice.one('not ', '')}{dice.one(*named)}"
        do = f" do {dice.one('e', 'f')}={dice.one('on', 'off')}" if acts and dice.below(2) else ""
        priority = dice.one("", f" priority {dice.below(4)}", f" priority {dice.below(4)}")
        print(f"rule r{i}: {', '.join(sorted(set(dice.some(states, 2))))} -> {dice.one(*states)} when {when}{priority}{do}")
        named.append(f"r{i}")
    if dice.below(2):
        print(f"expect {dice.one(*states)} when {predicate(dice, names, 1)}")


def context(dice, n):
    t = 0
    for _ in range(n):
        changes = [dice.one("a", "b=off", "c", "d=on", "e", "f=off", f"speed={dice.below(90)}", "place=office", "place=away")
                   for _ in range(1 + dice.below(3))]
        print(f"{t / 2:g} s {', '.join(dict((change.split('=')[0], change) for change in changes).values())}")
        t += dice.below(5)


# ---------------------------------------------------------------- interaction models


def transition(dice, state, states, events, counted):
    event = dice.one(*events)
    more = dice.one("", "", f' time="{dice.one("0.5", "1", "2.25")}"', f' weight="{dice.one("0.5", "3")}"', ' kind="system"')
    if counted and dice.below(2):
        more += dice.one(' guard="n &lt; 2"', ' guard="n &gt;= 1 &amp;&amp; n != 3"', ' guard="!b || n == 2"')
        more += dice.one(' update="n++"', ' update="n = n + 2; b = true"', ' update="b = !b"', "")
    line = f'<transition from="{state}" event="{event}" to="{dice.one(*states)}"{more}'
    if dice.below(4):
        return line + "/>"
    kind = dice.one("click", "longClick", "text", "swipe", "back", "key", "wait", "scroll")
    where = dice.one(' resourceId="p:id/x"', ' text="Go"', ' xpath="//node[@text=\'Go\']"')
    value = {"text": ' value="it é€"', "swipe": ' value="left"', "key": ' value="Enter"', "wait": ' value="2"', "scroll": ' value="down"'}
    where = "" if kind in ("back", "key", "wait") else where
    return line + f'><action kind="{kind}"{where}{value.get(kind, "")}/></transition>'


def machine(dice, m, n, counted):
    """Three to five states, some with an end, a way into a later machine, a cycle, a dead end."""
    states, events = [f"s{i}" for i in range(3 + dice.below(3))], [f"e{m}{c}" for c in "abcd"] + ["back"]
    nodes = [f'<initial to="s0"/>', *(f'<state name="{state}"/>' for state in states)]
    targets = list(states)
    if m + 1 < n and dice.below(4):
        nodes.append(f'<connection name="go" calls="M{m + 1 + dice.below(n - m - 1)}" returns="{dice.one(*states)}"/>')
        targets.append("go")
    if m or dice.below(2):
        nodes.append('<final name="end"/>')
        targets += ["end", "end"]
    outgoing = [transition(dice, before, [after], events, False) for before, after in zip(states, states[1:]) if dice.below(4)]
    outgoing += [transition(dice, state, targets, events, counted) for state in states for _ in range(dice.below(3))]
    return [f'<stateMachine name="M{m}"{dice.one("", " external=" + chr(34) + "true" + chr(34)) if m else " external=" + chr(34) + "true" + chr(34)}>',
            *nodes, *outgoing, "</stateMachine>"]


def model(dice, n):
    """N state machines, in two activities; later ones are called by earlier ones. Some models count."""
    counted = dice.below(3) == 0
    setup = ' setup="n = 0; b = false"' if counted else ""
    print('<?xml version="1.0"?>')
    print(f'<interactionModel xmlns="urn:tactus:interaction-model:1" name="random"{setup}>\n<device name="d">')
    print('<application name="A" package="o.e" external="true">\n<activity name="V" external="true">')
    for m in range(n):
        if m == (n + 1) // 2:
            print('</activity>\n<activity name="W">')
        print(*machine(dice, m, n, counted), sep="\n")
    print("</activity>\n</application>\n</device>\n</interactionModel>")


# ---------------------------------------------------------------- runs of apps, for mining


def runs(dice, n):
    """Passing and failing runs; one label needs an input twice, the other an input right after another."""
    inputs, states = ["open", "back", "save", "sync", "turn"], ["sMain", "sList", "sItem"]
    for _ in range(n):
        walk, label = [dice.one(*states)], "0"
        for _ in range(6 + dice.below(14)):
            walk += [dice.one(*inputs), dice.one(*states)]
        done = walk[1::2]
        if done.count("sync") > 2:
            label = "lost"
        elif any(a == "turn" and b == "save" for a, b in zip(done, done[1:])):
            label = dice.one("crash", "crash", "crash", "0")
        print(label, *walk)


# ---------------------------------------------------------------- protocol rules and recordings

CALLBACKS, CALLS = ["onA", "onB", "onC"], ["doP", "doQ"]


def atom(dice, entries_of):
    kind, name = dice.one(*entries_of)
    return f"[{kind}] [ENTRY] [{dice.one('x', 'x', 'x', 'y', '#')}] void f.{'L' if kind == 'CB' else 'K'}.{name}()"


def history(dice, depth, entries_of):
    if depth == 0 or dice.below(4) == 0:
        return atom(dice, entries_of)
    one, other = history(dice, depth - 1, entries_of), history(dice, depth - 1, entries_of)
    return dice.one(f"({one} | {other})", f"{one}; {other}", f"({one})[*]; {other}", f"((!({one})) & TRUE)[*]; {other}",
                    f"({one} & {other})", f"{one}; TRUE[*]")


def specs(dice, n):
    entries_of = [("CB", name) for name in CALLBACKS] + [("CI", name) for name in CALLS]
    print("REGEXP quiet(x) = [((![CB] [ENTRY] [x] void f.L.onA()) & TRUE)[*]];")
    for i in range(n):
        past = dice.one("TRUE[*]; ", "TRUE[*]; ", "TRUE[*]; ", "") + history(dice, dice.below(3), entries_of)
        past = dice.one(past, past, past, "FALSE[*]", "quiet(x)")
        target = dice.one(*entries_of)
        effect = f"[{target[0]}] [ENTRY] [x] void f.{'L' if target[0] == 'CB' else 'K'}.{target[1]}()"
        print(f"SPEC {past} {dice.one('|-', '|-', '|+')} {effect}{';' if i + 1 < n else ''}")


def recording(dice, n):
    def entry(kind, name, what):
        return (f'{{"type": "{kind}_entry", "class": "{"a.Main" if kind == "callback" else "f.K"}", "method": "void {name}()", '
                f'"overrides": ["{"f.L" if kind == "callback" else "f.K"}"], "params": [{{"object": "{what}", "type": "a.Main"}}]'
                + (f', "caller": "Main.java", "line": {10 + dice.below(9)}' if kind == "callin" else f', "event": "{name.upper()}"') + "}")
    for _ in range(n):
        name, what = dice.one(*CALLBACKS), dice.one("o", "o", "q")
        print(entry("callback", name, what))
        for _ in range(dice.below(3)):
            call = dice.one(*CALLS)
            print(entry("callin", call, dice.one(what, what, "q")))
            print(f'{{"type": "callin_exit", "class": "f.K", "method": "void {call}()"}}')
        print(f'{{"type": "callback_exit", "class": "a.Main", "method": "void {name}()"}}')


# ---------------------------------------------------------------- homes


def condition_of_home(dice, indent, depth=1):
    pad = " " * indent
    kind = dice.below(6 if depth else 3)
    if kind == 0:
        return f'{pad}- condition: state\n{pad}  entity_id: {dice.one("input_boolean.guests", "light.hall")}\n{pad}  state: "{dice.one("on", "off")}"'
    if kind == 1:
        return f"{pad}- condition: numeric_state\n{pad}  entity_id: sensor.heat\n{pad}  {dice.one('above', 'below')}: {dice.below(30)}"
    if kind == 2:
        return f'{pad}- condition: time\n{pad}  after: "{10 + dice.below(12)}:00:00"\n{pad}  before: "0{dice.below(9)}:30:00"'
    inner = "\n".join(condition_of_home(dice, indent + 4, depth - 1) for _ in range(2))
    if kind == 5:
        wanted = f"{{{{ states('sensor.heat') | float > {dice.below(30)} }}}}"
        return f'{pad}- condition: template\n{pad}  value_template: "{wanted}"'
    return f"{pad}- condition: {dice.one('and', 'or', 'not')}\n{pad}  conditions:\n{inner}"


def action_of_home(dice, indent):
    pad = " " * indent
    kind = dice.below(6)
    if kind <= 2:
        return f"{pad}- service: light.{dice.one('turn_on', 'turn_off', 'toggle')}\n{pad}  target: {{entity_id: light.{dice.one('hall', 'stairs')}}}"
    if kind == 3:
        return f'{pad}- delay: "00:0{dice.below(9)}:30"'
    if kind == 4:
        return f"{pad}- service: input_boolean.turn_{dice.one('on', 'off')}\n{pad}  target: {{entity_id: input_boolean.guests}}"
    return (f"{pad}- choose:\n{pad}    - conditions:\n{condition_of_home(dice, indent + 8, 0)}\n{pad}      sequence:\n"
            f"{pad}        - service: light.turn_on\n{pad}          target: {{entity_id: light.stairs}}")


def home(dice, n):
    for i in range(n):
        trigger = dice.one('platform: state\n      entity_id: binary_sensor.door\n      to: "on"',
                           f'platform: numeric_state\n      entity_id: sensor.heat\n      {dice.one("above", "below")}: {dice.below(30)}',
                           f'platform: time\n      at: "0{dice.below(9)}:00:00"',
                           'platform: state\n      entity_id: light.hall\n      from: "off"\n      to: "on"\n      for: "00:01:00"',
                           'platform: state\n      entity_id: input_boolean.guests')
        if i == 0:
            trigger = 'platform: state\n      entity_id: binary_sensor.door'
        print(f"- id: a{i}\n  alias: Automation {i}\n  mode: {dice.one('single', 'restart', 'queued', 'parallel')}\n  trigger:\n    - {trigger}")
        if dice.below(3) == 0:
            print("  condition:", *(condition_of_home(dice, 4) for _ in range(1 + dice.below(2))), sep="\n")
        print("  action:", *(action_of_home(dice, 4) for _ in range(1 + dice.below(3))), sep="\n")


def events(dice, n):
    print("2026-01-05T06:00:00 is input_boolean.guests off\n2026-01-05T06:00:00 is light.hall off\n2026-01-05T06:00:00 is sensor.heat 20")
    for _ in range(n):
        print(f"+{10 * dice.below(40)} set " + dice.one("binary_sensor.door on", "binary_sensor.door off", "light.hall on", "light.hall off",
                                                        f"sensor.heat {dice.below(35)}", "input_boolean.guests on", "input_boolean.guests off"))
    print("+7200 end")


if __name__ == "__main__":
    made = {"properties": properties, "trace": trace, "wide": wide, "rules": rules, "context": context, "model": model,
            "runs": runs, "specs": specs, "recording": recording, "home": home, "events": events}
    made[sys.argv[1]](Dice(int(sys.argv[2])), int(sys.argv[3]) if len(sys.argv) > 3 else 20)
