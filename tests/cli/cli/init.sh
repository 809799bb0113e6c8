# Starter projects end in a verdict by the commands that they print; nothing is overwritten. Pages are a browser test's.
for kind in android logs; do
    echo "== $kind"; tactus init my/$kind --for $kind | tee said; echo "exit $?"
    sed -n '/^next:/,$p' said | sed 1d > commands.sh
    (set -e; . ./commands.sh) | grep -E 'passed|held|holds'; echo "verdict ${PIPESTATUS[0]}"
    tactus init my/$kind --for $kind; echo "exit $?"
done
(cd my/logs && sed -i 's/< 1 s/< 900 ms/' app.props && tactus check -p app.props app.jsonl >/dev/null; echo "exit $?")
tactus explore --device sim:my/android/app.json -o app.xml >/dev/null && tactus model check app.xml
mkdir web && cd web && tactus init --json; ls; cd ..
touch file && tactus init file; echo "exit $?"
tactus init --for phone; echo "exit $?"
ln -s /nowhere web2 && tactus init web2; echo "exit $?"
