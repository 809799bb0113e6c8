#!/usr/bin/env python3
"""checker.py RULES-LIST RECORDING CERTIFICATE [TARGET]: a second checker of protocol certificates.

Written apart from the program and sharing nothing with it: its own readers of rules and recordings, its own
grounding (joins along the rule), its own automata (derivatives of the expression, one at a time). It knows the
paper's reading only (--as-recorded): the event thread, only what was recorded. Exit 0 accepted, 1 rejected.

What it believes: the hashes, then for each cone that (1) every machine is the automaton of an own ground rule for
each effect, and every own rule about a tracked message is there; (2) the states hold the start and each event leads
from a state to a state or stops; (3) no event makes a target while it is prohibited; and (4) that each call which
some rule prohibits and some event makes is a target somewhere.
"""
import hashlib
import itertools
import json
import lzma
import os
import re
import sys

sys.setrecursionlimit(20000)
TOKEN = re.compile(r'//[^\n]*|\s+|(?P<star>\[\s*\*\s*\])|(?P<arrow>\|[+-])|(?P<name>[A-Za-z_$<\x80-\xff][\w$<>.\x80-\xff]*)'
                   r'|(?P<number>-?\d[\w$<>.]*)|(?P<string>"(?:\\.|[^"\n])*")|(?P<sign>[\[\](),:;=&|!#])')


# --- rules: trees of tuples; an atom is (direction, result, return type, method, types, parameters) ---

class Parser:
    def __init__(self, text):
        self.tokens = [(m.lastgroup, m.group()) for m in TOKEN.finditer(text) if m.lastgroup] + [("end", "")] * 3
        self.at, self.named, self.rules = 0, {}, []
        while self.tokens[self.at][0] != "end":
            word = self.tokens[self.at][1]
            start = self.at
            try:
                if word == "SPEC":
                    self.spec()
                elif word == "REGEXP":
                    self.regexp()
                else:
                    self.at += 1
            except SyntaxError:
                self.at = start + 1

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1]

    def take(self, text=None):
        kind, word = self.tokens[self.at]
        if text is not None and word != text:
            raise SyntaxError(f"expected {text}, found {word}")
        self.at += 1
        return word

    def spec(self):
        self.take("SPEC")
        body = self.sequence()
        arrow = self.take()
        if arrow not in ("|+", "|-"):
            raise SyntaxError(arrow)
        target, aliases = self.primary(), []
        if self.peek() == "ALIASES":
            self.take()
            while True:
                source = self.take()
                self.take("=")
                self.take("[")
                names = [self.take()]
                while self.peek() == ",":
                    self.take()
                    names.append(self.take())
                self.take("]")
                aliases.append((source, list(dict.fromkeys(names))))
                if self.peek() != ",":
                    break
                self.take()
        self.rules.append((body, arrow == "|+", target, aliases))

    def regexp(self):
        self.take("REGEXP")
        name = self.take()
        self.take("(")
        formal = []
        while self.peek() != ")":
            formal.append(self.take())
            if self.peek() == ",":
                self.take()
        self.take(")")
        self.take("=")
        self.take("[")
        body = self.sequence()
        self.take("]")
        self.named[name, len(formal)] = (formal, body)

    def sequence(self):
        left = self.boolean()
        while self.peek() == ";" and self.peek(1) not in ("SPEC", "REGEXP", "LIFECYCLE", ""):
            self.take()
            left = ("seq", left, self.boolean())
        return left

    def boolean(self):
        left = self.starred()
        while self.peek() in ("&", "|"):
            kind = "and" if self.take() == "&" else "or"
            left = (kind, left, self.starred())
        return left

    def starred(self):
        count = 0
        while self.peek() == "!":
            self.take()
            count += 1
        node = self.primary()
        if count % 2:
            node = ("not", node)
        while self.tokens[self.at][0] == "star":
            self.take()
            node = ("star", node)
        return node

    def primary(self):
        if self.peek() == "(":
            self.take()
            inner = self.sequence()
            self.take(")")
            return inner
        if self.peek() == "[" or self.peek(1) == "=":
            return self.message()
        if self.peek() in ("TRUE", "FALSE"):
            return (self.take(),)
        name = self.take()
        self.take("(")
        actual = []
        while self.peek() != ")":
            actual.append(self.parameter())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return ("use", name, actual)

    def parameter(self):
        kind, word = self.tokens[self.at]
        self.at += 1
        if word == "#":
            return ("any",)
        if word == "NULL":
            return ("null",)
        if word in ("TRUE", "FALSE"):
            return ("constant", word.lower())
        if kind == "string":
            return ("constant", word[1:-1])
        if kind == "number":
            return ("constant", word)
        if kind == "name":
            return ("variable", word)
        raise SyntaxError(word)

    def type(self):
        text = self.take()
        while self.peek() == "[" and self.peek(1) == "]":
            self.at += 2
            text += "[]"
        return text

    def message(self):
        result = None
        if self.peek() != "[":
            result = self.parameter()
            self.take("=")
        words = []
        for _ in range(2):
            self.take("[")
            words.append(self.take())
            self.take("]")
        receiver = ("null",)
        if self.peek() == "[":
            self.take()
            receiver = self.parameter()
            self.take("]")
        returns, method, parameters, types = self.type(), self.take(), [receiver], []
        self.take("(")
        while self.peek() != ")":
            parameters.append(self.parameter())
            self.take(":")
            types.append(self.type())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return ("atom", " ".join(words), result, returns, method, ",".join(types), tuple(parameters))

    def expand(self, node, names):
        """Named expressions put in place; names: what a formal parameter stands for."""
        swap = lambda p: names.get(p[1], p) if p and p[0] == "variable" else p
        if node[0] == "use":
            formal, body = self.named[node[1], len(node[2])]
            return self.expand(body, dict(zip(formal, [swap(p) for p in node[2]])))
        if node[0] == "atom":
            return node[:2] + (swap(node[2]),) + node[3:6] + (tuple(swap(p) for p in node[6]),)
        return (node[0],) + tuple(self.expand(child, names) for child in node[1:])


def read_rules(list_path):
    root, texts, digest = os.path.dirname(os.path.dirname(list_path) or "."), [], ""
    for line in open(list_path):
        if line.strip() and not line.startswith("#"):
            data = open(os.path.join(root, line.strip()), "rb").read()
            digest = hashlib.sha256(digest.encode() + data).hexdigest()
            texts.append(data.decode("utf-8", "surrogateescape"))
    parsers = [Parser(text) for text in texts]
    for parser in parsers[1:]:
        parsers[0].named.update(parser.named)
        parsers[0].rules += parser.rules
    return parsers[0], digest


# --- recordings: length-delimited protobuf, the event thread's messages ---

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    found, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        found.setdefault(tag >> 3, []).append(value)
    return found


def text(message, number):
    return message[number][0].decode("utf-8", "surrogateescape") if number in message else None


PLAIN = {"int", "java.lang.Integer", "float", "java.lang.Float", "java.lang.String"}
TRUTH = {"boolean", "java.lang.Boolean"}


def value_of(data, declared):
    """(identity, whole): what letters and what variables compare."""
    v = fields(data) if data is not None else {1: [1]}
    kind, framework, thing, value = (text(v, n) for n in (2, 3, 4, 5))
    null = bool(v.get(1, [0])[0]) or (value is None and thing is None)
    if declared:
        if null or (declared in PLAIN | TRUTH and value is not None):
            kind = declared
        if declared in TRUTH and not null and value in ("0", "1"):
            value = "true" if value == "1" else "false"
    identity = None if null else value if value is not None else thing
    return identity, (null, kind, framework, thing, value)


def signature(class_name, method):
    head, _, rest = method.partition("(")
    returns, space, name = head.rpartition(" ") if " " in head else ("", "", head)
    if space:
        returns, _, name = head.partition(" ")
        returns += " "
    full = returns + (class_name + "." if class_name else "") + (name + "(" + rest).replace(" ", "")
    return full, [t.strip() for t in rest.partition(")")[0].split(",") if t.strip()]


class Recording:
    def __init__(self, path):
        data = (lzma.open(path) if path.endswith(".xz") else open(path, "rb")).read()
        self.digest = hashlib.sha256(data).hexdigest()
        records, at = [], 0
        while at < len(data):
            try:
                size, start = varint(data, at)
            except IndexError:
                break
            if start + size > len(data):
                break
            message = fields(fields(data[start:start + size])[1][0])
            at = start + size
            if message[1][0] != 1 and message.get(11, [0])[0]:
                records.append((message[2][0], len(records), message))
        records.sort(key=lambda r: r[:2])
        self.calls, self.messages, self.events = [], [], []
        self.match([r[2] for r in records])
        self.number()

    def match(self, records):
        stack, first = [], 0
        for m in records:
            kind = m[1][0]
            if kind in (2, 5):
                stack.append(self.enter(m, kind == 2))
                self.messages.append((stack[-1], False))
                continue
            call = stack.pop()
            if kind in (4, 7):
                call["raised"] = True
            else:
                body = fields(m[6 if kind == 3 else 9][0])
                returns = call["signature"].partition(" ")[0] if " " in call["signature"] else None
                if 3 in body:
                    call["result"] = value_of(body[3][0], returns)
                elif not call["in"] and returns and returns != "void":
                    call["result"] = value_of(None, returns)
            self.messages.append((call, True))
            if not stack:
                self.events.append((first, len(self.messages), call["raised"]))
                first = len(self.messages)
        self.complete = first

    def enter(self, m, is_in):
        body = fields(m[5 if is_in else 8][0])
        name, types = signature(text(body, 1), text(body, 2))
        values = body.get(3, [])
        typed = len(types) + 1 == len(values)
        call = {"in": is_in, "signature": name, "result": None, "raised": False, "names": [name],
                "values": [value_of(v, types[i - 1] if typed and i else None) for i, v in enumerate(values)]}
        if not is_in:
            call["names"], seen = [], False
            if text(body, 10) and "<init>" in text(body, 2):
                call["names"].append(signature(text(body, 10), text(body, 2))[0])
            for data in body.get(9, []):
                o = fields(data)
                interface = bool(o.get(3, [0])[0])
                if 1 not in o or (not interface and seen):
                    continue
                seen = seen or not interface
                call["names"].append(signature(text(o, 2), text(o, 1))[0])
        return call

    def number(self):
        """Letters, numbered as they come, and their names."""
        self.letters, self.names, self.word, self.by_name = {}, [], [], {}
        for call, is_exit in self.messages:
            direction = ("CI " if call["in"] else "CB ") + ("EXIT" if is_exit else "ENTRY")
            result = (call["result"][0], True) if is_exit and call["result"] else None
            key = (direction, call["signature"], result, is_exit, tuple(v[0] for v in call["values"]))
            if key not in self.letters:
                self.letters[key] = len(self.names)
                self.names.append(self.describe(direction, call, is_exit))
            self.word.append(self.letters[key])
        self.keys = list(self.letters)
        for letter, name in enumerate(self.names):
            unique, n = name, 2
            while unique in self.by_name:
                unique, n = f"{name} #{n}", n + 1
            self.by_name[unique] = letter
        self.index = {}
        for i in range(self.complete):
            call, is_exit = self.messages[i]
            has = bool(is_exit and call["result"])
            values = tuple(v for v in call["values"]) + ((call["result"],) if has else ())
            for name in call["names"]:
                key = (self.keys[self.word[i]][0], name, len(call["values"]), has)
                self.index.setdefault(key, {})[self.word[i], values] = None

    def describe(self, direction, call, is_exit):
        show = lambda v: "NULL" if v[0] is None else v[0]
        head, _, rest = call["signature"].partition("(")
        types = [t for t in rest.partition(")")[0].split(",")]
        out = show(call["result"]) + " = " if is_exit and call["result"] else ""
        out += "[%s] [%s]" % tuple(direction.split())
        if call["values"]:
            out += " [%s]" % show(call["values"][0])
        parts = [show(v) + (" : " + types[i] if i < len(types) and types[i] else "")
                 for i, v in enumerate(call["values"][1:])]
        return f"{out} {head}({', '.join(parts)})"


# --- expressions: ("one", letters) and the rest, kept simple so that derivatives stay few ---

EMPTY, EPSILON, ALL, ANY = ("empty",), ("epsilon",), ("all",), ("any",)


def seq(a, b):
    if EMPTY in (a, b):
        return EMPTY
    if a == EPSILON:
        return b
    if b == EPSILON or a == b == ALL:
        return a
    return ("seq", a[1], seq(a[2], b)) if a[0] == "seq" else ("seq", a, b)


def many(kind, a, b):
    zero, one = (ALL, EMPTY) if kind == "or" else (EMPTY, ALL)
    parts = set()
    for x in (a, b):
        parts |= set(x[1]) if x[0] == kind else {x}
    parts.discard(one)
    if zero in parts:
        return zero
    return one if not parts else next(iter(parts)) if len(parts) == 1 else (kind, frozenset(parts))


def negate(a):
    return {EMPTY: ALL, ALL: EMPTY}.get(a) or (a[1] if a[0] == "not" else ("not", a))


def star(a):
    return ALL if a in (ANY, ALL) else EPSILON if a in (EMPTY, EPSILON) else ("star", a)


class Algebra:
    def __init__(self):
        self.memo, self.nulls = {}, {}

    def nullable(self, r):
        if r not in self.nulls:
            kind = r[0]
            self.nulls[r] = (kind in ("epsilon", "all", "star") or
                             (kind == "seq" and self.nullable(r[1]) and self.nullable(r[2])) or
                             (kind == "or" and any(map(self.nullable, r[1]))) or
                             (kind == "and" and all(map(self.nullable, r[1]))) or
                             (kind == "not" and not self.nullable(r[1])))
        return self.nulls[r]

    def derive(self, r, letter):
        key = r, letter
        if key not in self.memo:
            self.memo[key] = self.derive_once(r, letter)
        return self.memo[key]

    def derive_once(self, r, letter):
        kind = r[0]
        if kind in ("empty", "epsilon"):
            return EMPTY
        if kind == "all":
            return ALL
        if kind == "any":
            return EPSILON
        if kind == "one":
            return EPSILON if letter in r[1] else EMPTY
        if kind == "seq":
            left = seq(self.derive(r[1], letter), r[2])
            return many("or", left, self.derive(r[2], letter)) if self.nullable(r[1]) else left
        if kind in ("or", "and"):
            out = EMPTY if kind == "or" else ALL
            for part in r[1]:
                out = many(kind, out, self.derive(part, letter))
            return out
        return negate(self.derive(r[1], letter)) if kind == "not" else seq(self.derive(r[1], letter), r)


def letters_of(r):
    if r[0] == "one":
        return set(r[1])
    children = r[1] if r[0] in ("or", "and") else r[1:]
    return set().union(*(letters_of(c) for c in children if isinstance(c, tuple)))


# --- ground rules ---

class Grounder:
    def __init__(self, parser, recording):
        self.recording, self.rules = recording, {}
        for body, permits, target, aliases in parser.rules:
            body, target = parser.expand(body, {}), parser.expand(target, {})
            for choice in itertools.product(*(names for _, names in aliases)):
                self.ground(body, permits, target, list(zip((a for a, _ in aliases), choice)))

    def name(self, text, choice):
        for source, to in choice:
            if text == source:
                return to
            if text.startswith(source + ".") and "." not in text[len(source) + 1:]:
                return to + text[len(source):]
        return text

    def fits(self, atom, choice):
        """(letter, {variable: value}) of each message that the atom's name and constants fit."""
        _, direction, result, returns, method, types, parameters = atom
        full = f"{self.name(returns, choice)} {self.name(method, choice)}({types})"
        places, out = parameters + ((result,) if result else ()), []
        for letter, values in self.recording.index.get((direction, full, len(parameters), result is not None), ()):
            bound, fine = {}, True
            for place, (identity, whole) in zip(places, values):
                if place[0] == "null":
                    fine = identity is None
                elif place[0] == "constant":
                    fine = identity == place[1]
                elif place[0] == "variable":
                    fine = bound.setdefault(place[1], whole) == whole
                if not fine:
                    break
            if fine:
                out.append((letter, bound))
        return out

    def ground(self, body, permits, target, choice):
        self.table = {}
        self.collect(target, choice)
        if not any(self.table.values()):
            return
        self.collect(body, choice)
        rows = self.join(body, self.join(target, [{}]))
        for atom in self.table:
            more = {}
            for row in rows:
                more[tuple(sorted(row.items()))] = row
                if all(v in row for v in self.variables(atom)):
                    continue
                for _, bound in self.table[atom]:
                    if all(row.get(v, x) == x for v, x in bound.items()):
                        wide = {**row, **bound}
                        more[tuple(sorted(wide.items()))] = wide
            rows = list(more.values())
        for row in rows:
            term = self.term(body, row)
            if term != EMPTY:
                for letter in letters_of(self.term(target, row)):
                    self.rules[permits, letter, term] = True

    def collect(self, node, choice):
        if node[0] == "atom":
            if node not in self.table:
                self.table[node] = self.fits(node, choice)
        else:
            for child in node[1:]:
                self.collect(child, choice)

    def variables(self, atom):
        return {p[1] for p in atom[6] + ((atom[2],) if atom[2] else ()) if p[0] == "variable"}

    def join(self, node, rows):
        kind = node[0]
        if kind == "atom":
            found = {}
            for row in rows:
                for _, bound in self.table[node]:
                    if all(row.get(v, x) == x for v, x in bound.items()):
                        wide = {**row, **bound}
                        found[tuple(sorted(wide.items()))] = wide
            return list(found.values())
        if kind in ("seq", "and"):
            return self.join(node[2], self.join(node[1], rows))
        if kind == "or":
            both = self.join(node[1], rows) + self.join(node[2], rows)
            return list({tuple(sorted(r.items())): r for r in both}.values())
        return rows

    def term(self, node, row):
        kind = node[0]
        if kind == "TRUE":
            return ANY
        if kind == "FALSE":
            return EMPTY
        if kind == "atom":
            if not self.variables(node) <= row.keys():
                return EMPTY
            found = frozenset(l for l, bound in self.table[node] if all(row[v] == x for v, x in bound.items()))
            return ("one", found) if found else EMPTY
        if kind == "seq":
            return seq(self.term(node[1], row), self.term(node[2], row))
        if kind in ("and", "or"):
            return many(kind, self.term(node[1], row), self.term(node[2], row))
        return negate(self.term(node[1], row)) if kind == "not" else star(self.term(node[1], row))


# --- the check ---

class Rejected(Exception):
    pass


def need(fact, why):
    if not fact:
        raise Rejected(why)


class Checker:
    def __init__(self, rules_list, recording):
        parser, self.rules_digest = read_rules(rules_list)
        self.recording, self.algebra = Recording(recording), Algebra()
        self.rules = list(Grounder(parser, self.recording).rules)
        self.by_letter, self.ever, self.same = {}, {}, {}
        for permits, letter, term in self.rules:
            self.by_letter.setdefault(letter, []).append((permits, term))
        words = [tuple(self.recording.word[a:b]) for a, b, raised in self.recording.events if not raised]
        self.words, self.sent = list(dict.fromkeys(words)), set().union(*words) if words else set()

    def fires(self, term):
        """Is there a history on which the rule fires?"""
        if term not in self.ever:
            seen, work, found = {term}, [term], False
            alphabet = sorted(letters_of(term)) + [-1]
            while work and not found:
                state = work.pop()
                found = self.algebra.nullable(state)
                for letter in alphabet:
                    to = self.algebra.derive(state, letter)
                    if to not in seen:
                        seen.add(to)
                        work.append(to)
            self.ever[term] = found
        return self.ever[term]

    def obligations(self, target):
        return {letter for permits, letter, term in self.rules
                if not permits and letter in self.sent and self.recording.keys[letter][0] in ("CI ENTRY", "CB EXIT")
                and (not target or target in self.recording.keys[letter][1]) and self.fires(term)}

    def letter(self, name):
        need(isinstance(name, str) and name in self.recording.by_name, f"no message {name}")
        return self.recording.by_name[name]

    def check(self, document, target=None):
        """None when the document proves it, else why not."""
        try:
            need(isinstance(document, dict) and document.get("format") == "tactus protocol certificate 2", "format")
            need(document.get("rules_sha256") == self.rules_digest, "other rules")
            need(document.get("recording_sha256") == self.recording.digest, "another recording")
            need(document.get("as_recorded") is True, "another reading")
            need(isinstance(document.get("cones"), list), "no cones")
            proved = set()
            for cone in document["cones"]:
                proved |= self.check_cone(cone)
            need(self.obligations(target) <= proved, "a call is not claimed")
        except Rejected as why:
            return str(why)
        except (TypeError, KeyError, ValueError, IndexError, AttributeError) as why:
            return f"malformed: {why!r}"
        return None

    def check_cone(self, cone):
        tracked = [self.letter(n) for n in cone["messages"]]
        targets = {self.letter(n) for n in cone["targets"]}
        need(len(set(tracked)) == len(tracked) and targets <= set(tracked), "tracked messages")
        need(all(self.recording.keys[t][0] in ("CI ENTRY", "CB EXIT") for t in targets), "a target is no call")
        machines = [self.machine(m) for m in cone["machines"]]
        memory = cone["with_memory"]
        need(type(memory) is int and 0 <= memory <= len(machines), "with_memory")
        need(all(m["states"] == 1 for m in machines[memory:]), "memory outside the states")
        claimed = set()
        for m in machines:
            for letter, permits in m["effects"]:
                same = [t for p, t in self.by_letter.get(letter, []) if p == permits and self.equal(m, t)]
                need(same, "an effect that no rule has")
                claimed |= {(permits, letter, t) for t in same}
        for letter in tracked:
            for permits, term in self.by_letter.get(letter, []):
                need((permits, letter, term) in claimed or not self.fires(term), "a rule is missing")
        self.check_states(cone["states"], tracked, targets, machines, memory)
        return targets

    def machine(self, json_machine):
        number = lambda x, below: type(x) is int and 0 <= x < below
        states, classes = json_machine["states"], json_machine["classes"]
        need(number(states, 100000) and number(classes, 100000) and states and classes, "sizes")
        nexts, fires = json_machine["next"], json_machine["fires"]
        need(len(nexts) == len(fires) == states * classes, "tables")
        need(all(number(n, states) for n in nexts) and all(number(f, 2) for f in fires), "table entries")
        need(number(json_machine["initial"], states), "initial state")
        letters = {}
        for name, cls in json_machine["letters"]:
            letter = self.letter(name)
            need(number(cls, classes) and letter not in letters, "classes")
            letters[letter] = cls
        effects = []
        for effect in json_machine["effects"]:
            need(type(effect["permits"]) is bool, "permits")
            effects.append((self.letter(effect["message"]), effect["permits"]))
        return {"states": states, "classes": classes, "next": nexts, "fires": fires, "letters": letters,
                "initial": json_machine["initial"], "start": json_machine["fires_at_start"] is True,
                "effects": effects}

    def equal(self, m, term):
        """Do the machine and the rule fire on the same histories?"""
        if m["start"] != self.algebra.nullable(term):
            return False
        alphabet = sorted(set(m["letters"]) | letters_of(term)) + [-1]
        seen = {(m["initial"], term)}
        work = list(seen)
        while work:
            state, rest = work.pop()
            for letter in alphabet:
                edge = state * m["classes"] + m["letters"].get(letter, 0)
                to = self.algebra.derive(rest, letter)
                if bool(m["fires"][edge]) != self.algebra.nullable(to):
                    return False
                pair = m["next"][edge], to
                if pair not in seen:
                    seen.add(pair)
                    work.append(pair)
        return True

    def check_states(self, texts, tracked, targets, machines, memory):
        place = {letter: i for i, letter in enumerate(tracked)}
        states = set()
        for line in texts:
            bits, _, rest = line.partition(" ")
            numbers = tuple(int(n) for n in rest.split(",")) if rest else ()
            need(len(bits) == len(tracked) and set(bits) <= set("01") and len(numbers) == memory, "a state")
            need(all(n < machines[i]["states"] and n >= 0 for i, n in enumerate(numbers)), "a state")
            states.add((tuple(b == "1" for b in bits), numbers))

        def settle(blocked, fired):
            signs = {}
            for m in fired:
                for letter, permits in m["effects"]:
                    if signs.setdefault(letter, permits) != permits:
                        return False
            for letter, permits in signs.items():
                if letter in place:
                    blocked[place[letter]] = not permits
            return True

        blocked = [False] * len(tracked)
        if settle(blocked, [m for m in machines if m["start"]]):
            need((tuple(blocked), tuple(m["initial"] for m in machines[:memory])) in states, "the start is missing")
        quiet = {i for i, m in enumerate(machines)
                 if all(m["next"][s * m["classes"]] == s and not m["fires"][s * m["classes"]] for s in range(m["states"]))}
        readers = {}
        for letter in set().union(*self.words) if self.words else ():
            readers[letter] = [i for i, m in enumerate(machines) if i not in quiet or letter in m["letters"]]
        words = dict.fromkeys(tuple(l for l in w if l in place or readers[l]) for w in self.words)
        for state in states:
            for word in words:
                blocked, at = list(state[0]), list(state[1])
                for letter in word:
                    if letter in place and blocked[place[letter]]:
                        need(letter not in targets, "a state allows a prohibited call")
                        break
                    fired = []
                    for i in readers[letter]:
                        m = machines[i]
                        edge = (at[i] if i < memory else 0) * m["classes"] + m["letters"].get(letter, 0)
                        if i < memory:
                            at[i] = m["next"][edge]
                        if m["fires"][edge]:
                            fired.append(m)
                    if not settle(blocked, fired):
                        break
                else:
                    need((tuple(blocked), tuple(at)) in states, "an event leads out of the states")


def main():
    checker = Checker(sys.argv[1], sys.argv[2])
    why = checker.check(json.load(open(sys.argv[3])), sys.argv[4] if len(sys.argv) > 4 else None)
    print("accepted" if why is None else f"rejected: {why}")
    return 0 if why is None else 1


if __name__ == "__main__":
    sys.exit(main())
