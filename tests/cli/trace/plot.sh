# The pictures of the case study: text equivalent, well-formed SVG, the same figures as data.
cp $ROOT/examples/traces/*.csv $ROOT/examples/traces/playback.props .
tactus trace plot *.csv --variable rxData --property cheap_playback -o all.svg
grep -E '^<(title|desc)' all.svg
python3 - <<'P'
import xml.dom.minidom
d = xml.dom.minidom.parse("all.svg")
curves = [p for p in d.getElementsByTagName("path") if "tp-line" in p.getAttribute("class")]
print(len(curves), "curves in", len({p.getAttribute("class") for p in curves}), "colours and",
      len({p.getAttribute("stroke-dasharray") for p in curves}), "dashes")
print(len([r for r in d.getElementsByTagName("rect") if "tp-shade" in r.getAttribute("class")]), "shades")
print([t.firstChild.data for t in d.getElementsByTagName("text") if "over" in t.firstChild.data or "left" in t.firstChild.data])
P
tactus trace plot cafe-1.csv --variable rxData --property cheap_playback --json |
    python3 -c 'import json,sys; d=json.load(sys.stdin); t=d["traces"][0]; print(d["variable"], d["unit"], d["property"], t["intervals"], len(t["points"]))'
echo "--- without a property: events"
tactus trace plot pedestrian-1.csv --variable heap --title 'Heap of <the> player' | grep -E '^<title|rotate' | sed 's/transform="[^"]*"//'
echo "--- errors"
tactus trace plot cafe-1.csv; echo "exit $?"
tactus trace plot cafe-1.csv --variable rx; echo "exit $?"
tactus trace plot cafe-1.csv --variable event; echo "exit $?"
tactus trace plot cafe-1.csv --variable rxData --property nosuch; echo "exit $?"
tactus trace plot cafe-1.csv --variable rxData -p playback.props --property nosuch; echo "exit $?"
tactus trace plot cafe-1.csv --variable rxData -p playback.props | grep -c tp-line; echo "exit $?"
sed 's/kB/MB/' cafe-2.csv > other.csv
tactus trace plot cafe-1.csv other.csv --variable rxData -o x.svg; echo "exit $?"; ls x.svg 2>&1
