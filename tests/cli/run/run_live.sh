# Where runs are is said while they run, and nothing of it stays; the runs are the same.
device="sim:$ROOT/examples/apps/tracker.json"
tactus run --device "$device" --monkey 5 --steps 10 --live -o with
tactus run --device "$device" --monkey 5 --steps 10 -o without
ls with
diff -r with/traces without/traces && echo "the same traces"
