# A small home with four faults, each with its story; the play of an evening.
tactus automation check $ROOT/examples/home --verbose; echo "exit $?"
tactus automation check $ROOT/examples/home --only loop; echo "exit $?"
tactus automation check $ROOT/examples/home --only lop; echo "exit $?"
tactus automation simulate $ROOT/examples/home --events $ROOT/examples/home/evening.events
tactus automation show $ROOT/examples/home | head -30 || true
