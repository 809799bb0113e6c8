# "What do the runs over the bound share?": labels from a property.
mkdir traces
for i in 0 1 2 3 4 5 6 7 8 9; do
    if [ $((i % 2)) = 0 ]; then
        printf 't,event,state,rxData\n0,,List,0\n1,seek,List,5\n2,play,Player,10\n3,,Player,9000\n4,stop,List,9001\n'
    else
        printf 't,event,state,rxData\n0,,List,0\n1,sort,List,5\n2,play,Player,10\n3,,Player,90\n4,stop,List,91\n'
    fi > traces/$i.csv
done
printf 'unit rxData kB\nproperty cheap: forall [event == play, event == stop] diff(rxData) < 8000 kB\n' > rx.props
tactus mine --label-by property cheap -p rx.props traces --top 1
tactus mine --label-by property chip -p rx.props traces; echo "exit $?"
echo "--- a cut trace that does not decide the property"
printf '[{"ph":"i","name":"tap","pid":1,"tid":1,"ts":1},\n{"ph":"i","name":"b' > cut.json
printf '[{"ph":"i","name":"tap","pid":1,"tid":1,"ts":1},\n{"ph":"i","name":"shown","pid":1,"tid":1,"ts":2}]' > whole.json
printf 'property quick: exists [event == tap, event == shown] duration < 1 s\n' > quick.props
tactus mine cut.json whole.json --state process -p quick.props --label-by property:quick; echo "exit $?"
printf 'property answered: always (tap -> eventually shown)\n' > answered.props
tactus mine cut.json whole.json --state process -p answered.props --label-by property:answered; echo "exit $?"
