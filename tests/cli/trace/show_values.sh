# Values of every type, and what counts as a change: a value that goes, 0 that becomes -0, an event twice.
cat > v.jsonl <<'EOF'
{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},"items":{"kind":"discrete","type":"list"},"done":{"kind":"discrete","type":"boolean"},"x":{"kind":"continuous","unit":"V"}},"meta":{"device":"S7"},"ends":false}
{"t":10,"items":["a","b"],"done":true,"x":0.0}
{"t":11,"event":"tap","x":-0.0}
{"t":12,"event":"tap","items":["a"],"done":false,"x":null}
{"t":13,"x":1.5}
{"t":14,"x":1.5,"items":["a"]}
EOF
tactus trace show v.jsonl
tactus trace show v.jsonl --json
tactus trace show v.jsonl --states 2..3 --json
tactus trace show v.jsonl --event tap --limit 1
tactus trace show v.jsonl --since 20 --json
