# Statistics, the consumption profile, and single states.
T=$ROOT/examples/traces
cd $T
tactus trace stat pedestrian-1.csv
tactus trace stat pedestrian-1.csv cafe-1.csv --per event --variable rxData
tactus trace stat ../player-traces/cafe.csv --per action --variable energy
tactus trace stat cafe-1.csv --per action --actions "select*,skip*" --variable rxData
tactus trace stat cafe-1.csv --per activity --variable heap --measure max
tactus trace stat download.scpi --per event --variable energy; echo "exit $?"
tactus trace stat cafe-1.csv --per event; echo "exit $?"
tactus trace stat cafe-1.csv --per rxData --variable heap; echo "exit $?"
tactus trace stat download.scpi --json
tactus trace show festival-1.csv --from 4 --to 7
tactus trace show download.scpi --limit 2 --json
tactus trace show festival-1.csv --states 14..15
tactus trace show festival-1.csv --event "s*"
tactus trace show festival-1.csv --states x; echo "exit $?"
