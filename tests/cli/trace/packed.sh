# Packed traces and standard input; a packed file that is cut.
cp $ROOT/examples/traces/cafe-1.csv .
tactus trace import cafe-1.csv -o cafe.jsonl
gzip -k cafe.jsonl && xz -k cafe.jsonl && gzip -k cafe-1.csv
for trace in cafe.jsonl.gz cafe.jsonl.xz cafe-1.csv.gz; do
    tactus trace import $trace -o back.jsonl && cmp cafe.jsonl back.jsonl && echo "$trace: the same"
done
tactus trace import - -o back.jsonl < cafe-1.csv && cmp cafe.jsonl back.jsonl && echo "stdin: the same"
cat cafe-1.csv | tactus trace stat - | head -1
head -c 900 cafe.jsonl.gz > cut.jsonl.gz
tactus trace stat cut.jsonl.gz; echo "exit $?"
