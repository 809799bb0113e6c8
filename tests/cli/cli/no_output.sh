# Every command whose results cannot be written, or whose input is not there: an error, exit code 4, no file left.
exec 2>&1
X=$ROOT/examples
cp $X/uamp/uamp.model.xml $X/shop/shop.model.xml $X/rules/phoneadapter.rules $X/properties/session.csv $X/mining/player.runs .
cp $X/protocol/remover.spec $X/protocol/fixed.jsonl $X/protocol/buggy.jsonl $X/home/automations.yaml $X/home/evening.events .
tactus run --device sim:$X/apps/player.json --monkey 4 --steps 3 -p $X/demo/playback.props -o runs > /dev/null
tactus flow list shop.model.xml -n 4 --format jsonl --limit 4 -o flows.jsonl
tactus mine player.runs --train -o learnt.json > /dev/null
cat > commands <<END
model check shop.model.xml
model diff shop.model.xml uamp.model.xml
model draw shop.model.xml
model export shop.model.xml --to graphwalker
model merge shop.model.xml uamp.model.xml
flow count shop.model.xml -n 4
flow cover shop.model.xml --goal pairs
flow export flows.jsonl --to maestro
flow list shop.model.xml -n 4
flow sample shop.model.xml -n 4 --count 3
flow require --template start-stop openItem pay
rules check phoneadapter.rules
rules draw phoneadapter.rules
rules generate --state-count 3 --rule-count 6 --variable-count 4
rules repair phoneadapter.rules --fault dead --limit 1
rules simulate phoneadapter.rules --input A_gps
automation check automations.yaml
automation show automations.yaml
automation simulate automations.yaml --events evening.events
check -p $X/properties/intervals.props session.csv
check -p $X/properties/temporal.props --emit c
mine player.runs --limit 1
mine player.runs --train
predict learnt.json player.runs
protocol verify --rules remover.spec buggy.jsonl
protocol validate --rules remover.spec fixed.jsonl
protocol show fixed.jsonl
protocol lint remover.spec
protocol compare remover.spec remover.spec fixed.jsonl
trace import session.csv --to jsonl
trace plot session.csv --variable heap
trace show session.csv
trace stat session.csv
facts session.csv
report runs
store verify runs
completion bash
help flow list
END
while read -r words; do
    echo "== $words" | sed "s|$ROOT|ROOT|g"
    case $words in
    report*) set -- $words ;;
    *) set -- $words; tactus $words > /dev/full; echo "full: exit $?" ;;
    esac
    if tactus ${words%% -*} --help | grep -q -- '-o, --output'; then
        tactus $words -o /nowhere/x > /dev/null; echo "exit $?"
        mkdir -p folder; tactus $words -o folder > /dev/null; echo "exit $?"; ls folder; rm -rf folder
    fi
    timeout 60 tactus $words --json > /dev/full 2> said; code=$?
    grep -q "'--json'" said || { cat said; echo "JSON: exit $code"; }
done < commands
# An input that is not there, is a folder, is nothing.
: > nothing
for input in gone folder. nothing; do
    [ $input != folder. ] || mkdir -p folder.
    for words in 'model check' 'flow count -n 3' 'flow export --to maestro' 'rules check' 'automation check' 'mine' 'protocol show' \
        'protocol lint' 'trace stat' 'trace show' 'facts' 'report' 'store verify'; do
        tactus $words $input > said; echo "$words $input: exit $?"
    done
done
ls
