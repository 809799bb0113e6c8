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
