# Several files are one model: applications of one device are combined, other devices added.
model="$ROOT/examples/uamp/uamp.model.xml"
sed 's/name="UniversalMusicPlayer"/name="SecondPlayer"/; s/name="uamp"/name="second"/' "$model" > second.xml
sed 's/device name="phone"/device name="tablet"/; s/91e1b2db/77/; s/name="uamp"/name="tablet"/' "$model" > tablet.xml
tactus model check "$model" second.xml tablet.xml; echo "exit $?"
tactus model export "$model" second.xml tablet.xml --to xml | grep -E '<(interactionModel|device|application)'
tactus model check "$model" "$model" 2>&1; echo "exit $?"
sed 's/91e1b2db/other/' second.xml > serial.xml
tactus model check "$model" serial.xml --json; echo "exit $?"
