# Every format of traces, a bit wrong in many ways (tests/vary.py): what is still read, and what is said of the rest.
exec 2>&1
C=$ROOT/tests/fuzz/corpus
every() { for file in "${@:3}"; do python3 $ROOT/tests/vary.py $1 --every $2 "$file" tactus trace show {}; done; }
every '--lines --words' 11 $C/trace_csv/{cafe,dates,ms,quotes}
every '--lines --words' 13 $C/trace_jsonl/{cafe,plain}
every '--lines --words' 9 $C/trace_logcat/* $C/trace_batterystats/* $C/trace_bugreport/text
every '--lines --words' 11 $C/trace_scpi/* $C/trace_chrome/* $C/trace_har/* $C/trace_systrace/{html,page,sections,text}
every --bytes 13 $C/trace_pcap/* $C/trace_perfetto/{plain,packed,compact} 
every --bytes 41 $C/trace_binary/{cafe,late} $C/trace_bugreport/zipped
