# A kernel's trace that lost events, overwrote its buffer, and holds lines of the function tracer: what is not in the trace is said.
cat > lost.txt <<'END'
# tracer: nop
#
# entries-in-buffer/entries-written: 3/1203   #P:8
#
          <idle>-0     [001] d.h.   230.859933: irq_handler_entry: irq=162 name=arch_timer
             app-7     [000] ...1   230.860000: tracing_mark_write: B|7|draw
CPU:2 [LOST 7338 EVENTS]
             app-7     [000] ...1   230.870000: tracing_mark_write: E|7
          <idle>-0     [000] d.h.   230.880000: do_timer <-tick_do_update_jiffies64.part.0
          <idle>-0     [000] d.h.   230.880001: <stack trace>
 => tick_sched_timer
CPU:0 [LOST 2 EVENTS]
END
tactus trace stat lost.txt | grep -E 'events|note'
$FIGURES lost.txt 2>&1 | grep -E 'warning|lost|lines|buffer'
printf '# tracer: nop\n#\n# entries-in-buffer/entries-written: 2/2   #P:8\n#\n app-7 [000] ...1 1.000001: tracing_mark_write: B|7|draw\n app-7 [000] ...1 1.000002: tracing_mark_write: E|7\n' > whole.txt
tactus trace stat whole.txt | grep note || echo 'nothing is lost'
