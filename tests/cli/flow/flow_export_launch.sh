# An app that is brought back keeps what it has; one that is started anew is closed before.
cat > flow.jsonl <<'EOF'
{"kind":"exit","model":"m","start":[{"device":"","application":"App","package":"org.example.app","states":["a"]}],"steps":[{"event":"leave","device":"","kind":"user","actions":[{"kind":"home"}],"states":["a"],"time":0},{"event":"launch","device":"","kind":"user","actions":[{"kind":"launch"}],"states":["a"],"time":0},{"event":"anew","device":"","kind":"user","actions":[{"kind":"key","value":"system:restart"}],"states":["a"],"time":0},{"event":"reload","device":"","kind":"user","actions":[{"kind":"key","value":"system:reload"}],"states":["a"],"time":0}]}
EOF
tactus flow export flow.jsonl --to maestro | tail -n +4
tactus flow export flow.jsonl --to uiautomator | sed -n '/launch(\|bringToFront(\|pressHome/p'
for p in android web; do
    tactus flow export flow.jsonl --to wdio --platform $p | sed -n '/^describe/,/^});/p'
    tactus flow export flow.jsonl --to webdriver --platform $p | tr '{' '\n' | grep -o '"event".*\|"script".*'
done
