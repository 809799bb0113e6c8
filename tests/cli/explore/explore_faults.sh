# A hanging device, a dead one, and an app that never comes to rest: an error, and nothing lost.
cp "$ROOT/examples/apps/player.json" .
tactus explore --device sim:player.json --faults hang@200 --deadline 5 -o player.xml
echo "exit $?"
ls
tactus explore --device sim:player.json --resume player.xml.checkpoint -o player.xml
echo "exit $?"
ls
tactus explore --device sim:player.json --faults die@9 --json
echo "exit $?"
cat > loop.json <<'END'
{
  "tactus-app": 1,
  "package": "com.example.loop",
  "activities": {"A": {"screens": {"s": {
    "enter": [{"after": 0, "fire": "again-"}],
    "system": {"again-": [{"after": 0, "fire": "again-"}]}
  }}}}
}
END
tactus explore --device sim:loop.json -o loop.xml
echo "exit $?"
sed 's/"fire": "again-"}\],/"fier": "again-"}],/' loop.json > broken.json
tactus explore --device sim:broken.json -o broken.xml
echo "exit $?"
ls
