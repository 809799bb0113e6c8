#!/usr/bin/env python3
"""Edits of a model's text against the same edits of its tree, on random models written in random ways.

For every edit: the elements of the edited text are those of the edited tree, every comment is still
there in its order, and every line that the edit does not concern is there byte for byte.
"""
import copy
import os
import random
import re
import sys
import xml.etree.ElementTree as tree
from xml.parsers import expat

from portal import Portal, scratch

SPACE = "{urn:tactus:interaction-model:1}"
RANK = {"initial": 0, "state": 1, "connection": 2, "final": 3, "transition": 4}
NODES = ("state", "connection", "final")
NAMES = ["Home", "List", "S<1>", "a&b", 'q"uote', "it's", "é-ü", "日本", "x.y", "#2", "A/B", "</state>", "-->"]
VALUES = ["true", "x > 1 && y", "<script>", '"', "''", "a  b", "é", "]]>", "1", "line\nbreak", "tab\there"]

CONDITIONS = ['text("//a") = "x"', "a < 1 && b > 2", "count(//li) >= 3", "x", "it's ]]> odd", "<b/>"]


# --- random models, as a tree and as text written in some way ---

class Writer:
    def __init__(self, chance):
        self.chance = chance
        self.indent = chance.choice(["  ", "\t", "    "])
        self.newline = chance.choice(["\n", "\n", "\r\n"])
        self.flat = chance.random() < 0.15
        self.prefix = chance.choice(["", "", "m:"])
        self.comments = 0

    def quoted(self, text):
        mark = self.chance.choice("\"\"\"'")
        text = text.replace("&", "&amp;").replace("<", self.chance.choice(["&lt;", "&#60;", "&#x3c;"]))
        text = text.replace("\n", "&#10;").replace("\t", "&#9;")
        text = text.replace(mark, "&quot;" if mark == '"' else "&apos;")
        return mark + text + mark

    def content(self, text):
        if self.chance.random() < 0.2 and "]]>" not in text:
            return f"<![CDATA[{text}]]>"
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
        return self.chance.choice([text, f" {text} "])

    def comment(self):
        self.comments += 1
        return f"<!-- note {self.comments} <state name='no'/> & -->"

    def start(self, element):
        parts = [self.prefix + element.tag]
        for name, value in element.attrib.items():
            between = "  " if self.chance.random() < 0.1 else " "
            equals = " = " if self.chance.random() < 0.05 else "="
            parts.append(between[1:] + name + equals + self.quoted(value))
        if element.tag == "interactionModel":
            name = "xmlns:m" if self.prefix else "xmlns"
            parts.append(f'{name}="{SPACE[1:-1]}"')
        return " ".join(parts)

    def write(self, element, depth=0):
        pad = "" if self.flat else self.indent * depth
        end = "" if self.flat else self.newline
        out = []
        if self.chance.random() < 0.1 and depth:
            out.append(pad + self.comment() + end)
        start = self.start(element)
        if len(element) == 0 and not element.text and self.chance.random() < 0.7:
            out.append(f"{pad}<{start}{self.chance.choice(['', ' '])}/>")
        else:
            inner = "".join(self.write(child, depth + 1) for child in element)
            if element.text:
                out.append(f"{pad}<{start}>{self.content(element.text)}</{self.prefix}{element.tag}>")
            elif len(element) == 0:
                inner = self.chance.choice(["", inner, end + pad])
                out.append(f"{pad}<{start}>{inner}</{self.prefix}{element.tag}>")
            else:
                out.append(f"{pad}<{start}>{end}{inner}{pad}</{self.prefix}{element.tag}>")
        if self.chance.random() < 0.1:
            out.append(" " + self.comment())
        return "".join(out) + end

    def document(self, root):
        head = self.chance.choice(["", '<?xml version="1.0" encoding="UTF-8"?>' + self.newline,
                                   "<!-- head -->" + self.newline])
        return head + self.write(root)


def random_action(chance):
    action = {"kind": chance.choice(["click", "back", "text"])}
    for name in chance.sample(["xpath", "resourceId", "text", "value"], chance.randint(0, 3)):
        action[name] = chance.choice(VALUES)
    return action


def add_expects(chance, element):
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        tree.SubElement(element, "expect").text = chance.choice(CONDITIONS)


def random_machine(chance, name, others):
    machine = tree.Element("stateMachine", {"name": name})
    if chance.random() < 0.1:
        return machine
    names = chance.sample(NAMES, chance.randint(2, 6))
    kinds = {node: chance.choice(["state", "state", "state", "connection", "final"]) for node in names}
    if chance.random() < 0.8:
        tree.SubElement(machine, "initial", {"to": chance.choice(names)})
    for kind in NODES:
        for node in names:
            if kinds[node] != kind:
                continue
            element = tree.SubElement(machine, kind, {"name": node})
            if kind == "connection":
                element.set("calls", chance.choice(others))
                if chance.random() < 0.6:
                    element.set("returns", chance.choice(names))
                else:
                    element.set("enters", chance.choice(NAMES))
    for _ in range(chance.randint(0, 6)):
        transition = tree.SubElement(machine, "transition", {
            "from": chance.choice(names), "event": chance.choice(["tap", "back", "a<b"]), "to": chance.choice(names)})
        for _ in range(chance.choice([0, 0, 1, 2])):
            tree.SubElement(transition, "action", random_action(chance))
        add_expects(chance, transition)
    for state in machine.findall("state"):
        add_expects(chance, state)
    return machine


def random_model(chance):
    root = tree.Element("interactionModel")
    device = tree.SubElement(root, "device", {"name": "phone"})
    application = tree.SubElement(device, "application", {"name": "App"})
    machines = ["M0", "M1", "M2"]
    for index in range(chance.randint(1, 2)):
        activity = tree.SubElement(application, "activity", {"name": f"View{index}"})
        for name in machines[:chance.randint(1, 3)]:
            activity.append(random_machine(chance, name, machines + ["View0/M0", "App/View1/M1"]))
    return root


# --- reading back ---

def read(text):
    """The tree without comments, and the comments in their order."""
    root = tree.fromstring(text.encode(), parser=tree.XMLParser(
        target=tree.TreeBuilder(insert_comments=True)))
    comments = [element.text for element in root.iter() if element.tag is tree.Comment]

    def strip(element):
        kept = tree.Element(element.tag.replace(SPACE, ""), element.attrib)
        kept.extend(strip(child) for child in element if child.tag is not tree.Comment)
        if kept.tag == "expect":
            kept.text = "".join(element.itertext()).strip()
        return kept
    return strip(root), comments


def canonical(element):
    return (element.tag, element.text if element.tag == "expect" else "", tuple(sorted(element.attrib.items())), tuple(canonical(child) for child in element))


def lines_of(text):
    """(first, last) line of every element in document order."""
    found, open_ = [], []
    parser = expat.ParserCreate()

    def start(*_):
        open_.append(len(found))
        found.append([parser.CurrentLineNumber, 0])

    def end(*_):
        found[open_.pop()][1] = parser.CurrentLineNumber
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(text.encode(), True)
    return found


# --- the same edits on the tree ---

class Reference:
    def __init__(self, root):
        self.root = root
        self.parents = {child: parent for parent in root.iter() for child in parent}
        self.touched = set()
        self.machines, self.nodes, self.transitions, self.applications = {}, {}, {}, {}
        taken, count = set(), 0

        def unique(name):
            number, tried = 2, name
            while tried in taken:
                tried, number = f"{name}#{number}", number + 1
            taken.add(tried)
            return tried
        paths = {}
        for element in root.iter():
            parent = self.parents.get(element)
            base = paths.get(parent)
            if element.tag == "transition":
                self.transitions[unique(f"t{count}")] = element
                count += 1
            elif element.tag in ("device", "application", "activity", "stateMachine") + NODES:
                paths[element] = unique((base + "/" if base else "") + element.get("name", ""))
                if element.tag == "stateMachine":
                    self.machines[paths[element]] = element
                elif element.tag == "application":
                    self.applications[paths[element]] = element
                elif element.tag in NODES:
                    self.nodes[paths[element]] = element

    def called(self, connection):
        """The machine that a connection calls, or None; docs/models.md."""
        activity = self.parents[self.parents[connection]]
        application = self.parents[activity]
        wanted = connection.get("calls", "").split("/")
        for scope in ([activity], list(application), [a for app in self.parents[application] for a in app]):
            found = []
            for view in scope:
                for machine in view:
                    path = [self.parents[view].get("name"), view.get("name"), machine.get("name")]
                    if path[-len(wanted):] == wanted:
                        found.append(machine)
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def touch(self, *elements):
        self.touched.update(elements)

    def insert(self, parent, element, start=None):
        """Behind the last that comes before it, of the same start if there is one."""
        place, sibling = 0, None
        for index, child in enumerate(parent):
            if RANK[child.tag] <= RANK[element.tag]:
                place = index + 1
                if start is not None and child.tag == "transition" and child.get("from") == start:
                    sibling = index + 1
        parent.insert(sibling or place, element)

    def apply(self, edit):
        getattr(self, edit["do"])(edit)

    def rename_state(self, edit):
        node = self.nodes[edit["state"]]
        machine, old, new = self.parents[node], node.get("name"), edit["name"]
        if new == old:
            return
        entering = [c for c in self.root.iter("connection") if c.get("enters") == old and self.called(c) is machine]
        node.set("name", new)
        self.touch(node)
        for child in machine:
            wanted = {"initial": ["to"], "transition": ["from", "to"], "connection": ["returns"]}.get(child.tag, [])
            for name in wanted:
                if child.get(name) == old:
                    child.set(name, new)
                    self.touch(child)
        for connection in entering:
            connection.set("enters", new)
            self.touch(connection)

    def add_state(self, edit):
        machine = self.machines[edit["machine"]]
        self.touch(machine)
        self.insert(machine, tree.Element(edit["kind"], {"name": edit["name"], **edit.get("attributes", {})}))

    def delete_state(self, edit):
        node = self.nodes[edit["state"]]
        machine, name = self.parents[node], node.get("name")
        for child in list(machine):
            if child is node or (child.tag in ("initial", "transition") and name in (child.get("to"), child.get("from"))):
                self.touch(child)
                machine.remove(child)

    def add_transition(self, edit):
        start, end = self.nodes[edit["from"]], self.nodes[edit["to"]]
        machine = self.parents[start]
        self.touch(machine)
        transition = tree.Element("transition", {"from": start.get("name"), "event": edit["event"],
                                                 "to": end.get("name"), **edit.get("attributes", {})})
        for action in edit.get("actions", []):
            tree.SubElement(transition, "action", action)
        self.insert(machine, transition, start.get("name"))

    def delete_transition(self, edit):
        transition = self.transitions[edit["transition"]]
        self.touch(transition)
        self.parents[transition].remove(transition)

    def connect(self, edit):
        transition = self.transitions[edit["transition"]]
        self.touch(transition)
        for name in ("from", "to"):
            if name in edit:
                transition.set(name, self.nodes[edit[name]].get("name"))

    def set(self, edit):
        element = self.nodes[edit["state"]] if "state" in edit else self.transitions[edit["transition"]]
        self.touch(element)
        for name, value in edit["attributes"].items():
            if value is None:
                element.attrib.pop(name, None)
            else:
                element.set(name, value)

    def set_actions(self, edit):
        transition = self.transitions[edit["transition"]]
        self.touch(transition)
        for child in transition.findall("action"):
            transition.remove(child)
        for index, action in enumerate(edit["actions"]):
            transition.insert(index, tree.Element("action", action))

    def set_expects(self, edit):
        element = self.nodes[edit["state"]] if "state" in edit else self.transitions[edit["transition"]]
        self.touch(element)
        for child in element.findall("expect"):
            element.remove(child)
        for text in edit["expects"]:
            tree.SubElement(element, "expect").text = text

    def set_initial(self, edit):
        machine = self.machines[edit["machine"]]
        old = machine.find("initial")
        self.touch(machine if old is None else old)
        if old is None:
            old = tree.Element("initial")
            machine.insert(0, old)
        old.set("to", self.nodes[edit["state"]].get("name"))


    def add_machine(self, edit):
        application = self.applications[edit["application"]]
        activity = next((a for a in application.findall("activity") if a.get("name") == edit["activity"]), None)
        self.touch(application if activity is None else activity)
        if activity is None:
            activity = tree.SubElement(application, "activity", {"name": edit["activity"]})
        machine = tree.SubElement(activity, "stateMachine", {"name": edit["name"], **edit.get("attributes", {})})
        tree.SubElement(machine, "initial", {"to": "start"})
        tree.SubElement(machine, "state", {"name": "start"})


ADDS = ("add_state", "add_transition", "set_initial", "add_machine")


def random_edit(chance, reference):
    nodes, transitions = list(reference.nodes), list(reference.transitions)
    kinds = ["add_state"] + ["add_machine"] * bool(reference.applications)
    if nodes:
        kinds += ["rename_state", "delete_state", "add_transition", "set", "set_initial"]
    states = [node for node in nodes if reference.nodes[node].tag == "state"]
    if states or transitions:
        kinds += ["set_expects"]
    if transitions:
        kinds += ["delete_transition", "connect", "set", "set_actions"]
    do = chance.choice(kinds)

    def siblings(node):
        machine = reference.parents[reference.nodes[node]]
        return [other for other in nodes if reference.parents[reference.nodes[other]] is machine]

    def fresh(machine):
        used = {child.get("name") for child in machine}
        return chance.choice([name for name in NAMES + ["New"] if name not in used] or ["Other"])
    if do == "add_state":
        machine = chance.choice(list(reference.machines))
        edit = {"do": do, "machine": machine, "kind": chance.choice(NODES),
                "name": fresh(reference.machines[machine])}
        if edit["kind"] == "connection":
            edit["attributes"] = {"calls": "M0", "returns": chance.choice(NAMES)}
        return edit
    if do == "add_machine":
        return {"do": do, "application": chance.choice(list(reference.applications)), "name": chance.choice(["M7", "a&b", "<M>"]),
                "activity": chance.choice(["View0", "View1", "New", 'a"b']),
                **({"attributes": {"external": "true"}} if chance.random() < 0.5 else {})}
    if do == "rename_state":
        node = chance.choice(nodes)
        return {"do": do, "state": node, "name": fresh(reference.parents[reference.nodes[node]])}
    if do == "delete_state":
        return {"do": do, "state": chance.choice(nodes)}
    if do == "add_transition":
        start = chance.choice(nodes)
        return {"do": do, "from": start, "to": chance.choice(siblings(start)), "event": chance.choice(["go", 'a"b<&']),
                "attributes": chance.choice([{}, {"guard": chance.choice(VALUES)}]),
                "actions": [random_action(chance) for _ in range(chance.randint(0, 2))]}
    if do == "set_initial":
        node = chance.choice(nodes)
        machine = reference.parents[reference.nodes[node]]
        return {"do": do, "state": node,
                "machine": next(key for key, value in reference.machines.items() if value is machine)}
    transition = chance.choice(transitions) if transitions else None
    if do == "connect":
        machine = reference.parents[reference.transitions[transition]]
        own = [node for node in nodes if reference.parents[reference.nodes[node]] is machine]
        return {"do": do, "transition": transition, "to": chance.choice(own),
                **({"from": chance.choice(own)} if chance.random() < 0.5 else {})}
    if do == "set_actions":
        kept = [dict(action.attrib) for action in reference.transitions[transition].findall("action")]
        changed = [action for action in kept if chance.random() < 0.7]
        changed += [random_action(chance) for _ in range(chance.randint(0, 2))]
        return {"do": do, "transition": transition, "actions": changed}
    if do == "set_expects":
        target = {"state": chance.choice(states)} if states and (not transitions or chance.random() < 0.5) else \
            {"transition": transition}
        return {"do": do, **target, "expects": [chance.choice(CONDITIONS) for _ in range(chance.randint(0, 3))]}
    if do == "set":
        target = {"state": chance.choice(nodes)} if nodes and (not transitions or chance.random() < 0.5) else \
            {"transition": transition}
        names = ["labels", "image"] if "state" in target else ["event", "guard", "labels", "note"]
        return {"do": do, **target, "attributes": {name: chance.choice(VALUES + [None]) if name != "event"
                                                   else "other" for name in chance.sample(names, 2)}}
    return {"do": do, "transition": transition}


def is_subsequence(some, all_):
    rest = iter(all_)
    return all(line in rest for line in some)


def check(portal, seed):
    """None, or what is wrong."""
    chance = random.Random(seed)
    writer = Writer(chance)
    text = writer.document(random_model(chance))
    for step in range(3):
        root, comments = read(text)
        reference = Reference(root)
        if not reference.machines:
            return None
        spans = dict(zip(root.iter(), lines_of(text)))
        edit = random_edit(chance, reference)
        answer = portal.post("/api/model/edit", {"text": text, "edits": [edit]})
        if answer.status != 200:
            return f"{edit}: {answer.status} {answer.body!r}"
        new = answer.json["text"]
        reference.apply(copy.deepcopy(edit))
        got, kept = read(new)
        where = f"seed {seed} step {step} {edit}\n--- text\n{text}\n--- new\n{new}"
        if canonical(got) != canonical(root):
            return "another model: " + where
        if "\r\n" in text and not writer.flat and re.search(r"(?<!\r)\n", new):
            return "line ends: " + where
        removed = edit["do"].startswith("delete") or edit["do"] in ("set_actions", "set_expects")
        if not (is_subsequence(kept, comments) if removed else kept == comments):
            return "comments: " + where
        old_lines = text.split("\n")
        gone = set()
        for element in reference.touched:
            first, last = spans[element]
            if edit["do"] in ADDS and element.tag in ("stateMachine", "activity", "application"):
                # Only the tags of the machine and the line that the new element follows may change.
                continue
            gone.update(range(first, last + 1))
        if edit["do"] in ADDS and (writer.flat or len(old_lines) < 6):
            text = new
            continue
        if edit["do"] in ADDS:
            # At most one old line is written anew: that of an element without children.
            missing = len(old_lines) - longest(old_lines, new.split("\n"))
            if missing > 1:
                return f"{missing} lines changed: " + where
        elif not is_subsequence([line for number, line in enumerate(old_lines, 1) if number not in gone],
                                new.split("\n")):
            return "lines: " + where
        text = new
    return None


def longest(a, b):
    """The length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], before + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    failed = 0
    with scratch() as folder, Portal(os.environ["TACTUS"], folder) as portal:
        for seed in range(count):
            wrong = check(portal, seed)
            if wrong:
                failed += 1
                print("FAILED", wrong)
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
