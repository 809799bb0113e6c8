# What was decided while the app ran is what `tactus check` says of the recorded traces, whatever the end
# of a run leaves open.
app=sim:$ROOT/examples/apps/player.json
tactus explore --device $app -o player.xml > /dev/null
tactus flow sample player.xml --length 8 --count 12 --format jsonl -o flows.jsonl
cat > all.props <<'END'
unit rxData B
property never_closed: forall [StartPlaying, NeverHappens] diff(rxData) < 1 kB
property some:         exists [StartPlaying, PausePlaying] diff(rxData) > 1 kB
property first:        first [StartPlaying, PausePlaying] diff(rxData) < 100 kB
property stay:         forall [activity == "MusicPlayerActivity"] duration < 1 s
property never:        always not (event == "selectSong")
property later:        eventually (event == "PausePlaying")
property soon:         always (event == "selectSong" -> eventually[<= 5 s] PausePlaying)
END
tactus run --device $app --flows flows.jsonl -p all.props -o runs > said.txt; echo "exit $?"
tactus check -p all.props runs/traces/*.jsonl --json > offline.json; echo "exit $?"
python3 -c "
import json, os
online = {(v['run'], v['property']): v['verdict'] for v in json.load(open('runs/verdicts.json'))['verdicts']}
offline = {(int(os.path.basename(t['trace'])[:6]), p['name']): p['verdict']
           for t in json.load(open('offline.json'))['traces'] for p in t['properties']}
print(len(online), 'verdicts,', sum(online[k] != offline.get(k) for k in online), 'differ')
print(*sorted(set(online.values())), sep=', ')"
