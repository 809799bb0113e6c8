# What was never on the screen judges nothing: intervals without it are untested, formulas that look ahead were not exercised.
cat > screen.props <<END
observe n = number(css:"#n")
observe s = text(css:"#s")
property least:  forall [go, stop] max(n) < 3
property some:   exists [go, stop] max(n) > 3
property both:   forall [go, stop] max(first) < 3 and last(n) < 3
property saved:  always (go -> eventually s == "saved")
property soon:   always (go -> next n == 1)
END
cat > screen.jsonl <<END
{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},"n":{"kind":"continuous"},"s":{"kind":"discrete","type":"text"},"first":{"kind":"continuous"}}}
{"t":0,"n":null,"first":1}
{"t":1,"event":"go"}
{"t":2,"event":"stop"}
{"t":3,"event":"go"}
{"t":4,"n":1}
{"t":5,"event":"stop"}
END
tactus check -p screen.props screen.jsonl; echo "exit $?"
tactus check -p screen.props screen.jsonl --json | grep -o '"name":"[a-z]*"\|"exercised":[a-z]*\|"untested":[0-9]*' | paste -sd ' ' | sed 's/ "name"/\n"name"/g'

# What is known decides: an interval that lasts too long is violated whatever else is missing.
cat > known.props <<END
observe n = number(css:"b")
property quick:  forall [save, saved] duration < 2 s and last(n) == 3
property told:   forall [save, saved] last(n) == 3 and duration < 2 s
property slow:   exists [save, saved] last(n) == 3 or duration > 2 s
property unsure: forall [save, saved] duration > 2 s and last(n) == 3
END
cat > known.jsonl <<END
{"t":0,"n":3}
{"t":1,"event":"save"}
{"t":61,"event":"saved","n":null}
{"t":62,"event":"save"}
END
tactus check -p known.props known.jsonl --intervals -; echo "exit $?"

# Every value of `for each` alone: what is missing for one of them leaves the answer open, and a formula of what was never there is never exercised.
cat > each.props <<END
observe n = number(css:"b")
property plain: exists [go, done] last(n) > 0
property some for each who: exists [go, done] last(n) > 0
property all for each who: forall [go, done] last(n) > 0
property soon for each who: always (go -> eventually n > 0)
property found for each who: eventually n > 0
property keeps for each who: always (go -> n > 0)
END
cat > each.jsonl <<END
{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},"who":{"kind":"discrete"},"n":{"kind":"continuous"}}}
{"t":0,"who":"ann"}
{"t":1,"event":"go"}
{"t":2,"event":"done"}
{"t":3,"event":"go","who":"bob"}
{"t":4,"event":"done"}
{"t":5}
END
shown() { grep -o '"name":"[a-z]*"\|"verdict":"[a-z ]*"\|"exercised":[a-z]*\|"untested":[0-9]*' | paste -sd ' ' | sed 's/ "name"/\n"name"/g'; }
tactus check -p each.props each.jsonl; echo "exit $?"
tactus check -p each.props each.jsonl --json | shown
# With a number for bob alone: ann's interval stays untold, unless another of hers is as it must be.
sed 's/"done"}$/"done","n":null}/; 7s/}/,"n":1}/; 6s/,"n":null}/,"n":2}/' each.jsonl > bob.jsonl
tactus check -p each.props bob.jsonl --json | shown
printf '{"t":6,"event":"go","who":"ann"}\n{"t":7,"event":"done"}\n' | cat bob.jsonl - > both.jsonl
tactus check -p each.props both.jsonl --json | shown

# Formulas of what was never there, however they are joined; brackets are shown; no state at all.
cat > never.props <<END
observe n = number(css:"b")
property denied: not eventually n > 5
property both:   always n < 5 and always n > 0
property late:   eventually always n > 5
property one:    (always n < 5) or (eventually gone)
property told:   (always n < 5) or (eventually stop)
END
printf '{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},"n":{"kind":"continuous"}}}\n{"t":0}\n{"t":1,"event":"stop"}\n' > never.jsonl
tactus check -p never.props never.jsonl; echo "exit $?"
printf '{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"}}}\n' > empty.jsonl
printf 'property stops: eventually stop\n' > stops.props
tactus check -p stops.props empty.jsonl; echo "exit $?"

# A name that the trace does not have is not a list, and what is true or false has no size; a flag is true in the usual words.
printf 'observe items = texts(css:"li")\nproperty d: always (items == othr)\n' > list.props
printf '{"t":0,"items":["a"],"on":true}\n' > list.jsonl
tactus check -p list.props list.jsonl; echo "exit $?"
printf 'observe on = visible(css:"li")\nproperty d: always (size(on) == 0)\n' > size.props
tactus check -p size.props list.jsonl; echo "exit $?"
printf 't,event,flag\n0,,True\n1,tap,True\n2,tap,False\n3,,1\n4,tap,1\n' > flag.csv
printf 'property was: always (tap -> previous(flag))\nproperty same: always (tap -> previously flag)\n' > flag.props
tactus check -p flag.props flag.csv; echo "exit $?"
printf 't,event,flag\n0,,no\n1,tap,True\n' > flag.csv
tactus check -p flag.props flag.csv; echo "exit $?"
echo "--- a trace without a state"
printf 't,x\n' > header.csv; printf 'property low: always (x < 5)\n' > low.props
tactus check -p low.props header.csv --junit low.xml; echo "exit $?"; grep -c "<skipped" low.xml

# Which inner intervals are meant may be unknown: then so is the relation, unless it is the same either way.
cat > inner.props <<END
observe n = number(css:"b")
property some:  forall [a, b] exists [r, s] overlaps where last(n) == 3
property none:  forall [a, b] not exists [r, s] overlaps where last(n) == 3
property all:   forall [a, b] forall [r, s] before where last(n) == 3
property one:   forall [a, b] first [r, s] during where not (last(n) == 3)
property other: forall [a, b] exists [r, s] during where last(n) == 3
property long:  forall [a, b] exists [r, s] overlaps where (last(n) == 3 or duration == 1 s)
END
printf '{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},"n":{"kind":"continuous"}}}\n{"t":0,"event":"a"}\n{"t":1,"event":"r"}\n{"t":2,"n":null,"event":"s"}\n{"t":3,"event":"b"}\n' > inner.jsonl
tactus check -p inner.props inner.jsonl; echo "exit $?"

# Figures of texts and lists: the values at both ends are theirs.
cat > texts.props <<END
observe items = texts(css:"li")
observe state = text(css:"#s")
property grows: forall [go, stop] last(size(items)) > first(size(items)) and count(state == "busy") > 0
property three for each who: forall [go, stop] last(size(items)) > 2
END
cat > texts.jsonl <<END
{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},"who":{"kind":"discrete"},"heap":{"kind":"continuous"},"items":{"kind":"discrete","type":"list"},"state":{"kind":"discrete","type":"text"}}}
{"t":0,"items":["a"],"state":"idle","heap":3,"who":"ann"}
{"t":1,"event":"go","items":["a","b"]}
{"t":2,"event":"stop","state":"busy"}
END
tactus check -p texts.props texts.jsonl; echo "exit $?"
tactus check -p texts.props texts.jsonl --json | grep -o '"name":"[a-z]*"\|"values":{"items[^}]*}'
