# A small home with four faults, each with its story; the play of an evening.
$TACTUS automation check $TACTUS_SOURCE_ROOT/examples/home --verbose; echo "exit $?"
$TACTUS automation check $TACTUS_SOURCE_ROOT/examples/home --only loop; echo "exit $?"
$TACTUS automation check $TACTUS_SOURCE_ROOT/examples/home --only lop; echo "exit $?"
$TACTUS automation simulate $TACTUS_SOURCE_ROOT/examples/home --events $TACTUS_SOURCE_ROOT/examples/home/evening.events
$TACTUS automation show $TACTUS_SOURCE_ROOT/examples/home | head -30
