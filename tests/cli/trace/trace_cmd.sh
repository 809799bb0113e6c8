# What `trace-cmd report` prints of a kernel's trace; marks and switches of which nothing is made are counted.
cat > report.txt <<'T'
cpus=4
          <idle>-0     [001]  1234.567890: sched_switch:         swapper/1:0 [120] R ==> RenderThread:pool:42 [120]
            pool-42    [001]  1234.567990: sched_switch:         RenderThread:pool:42 [120] S ==> swapper/1:0 [120]
            pool-42    [001]  1234.568990: print:                tracing_mark_write: B|42|Draw
            pool-42    [001]  1234.569990: print:                tracing_mark_write: E|42
            pool-42    [001]  1234.570990: print:                tracing_mark_write: C|42|queue|3
            pool-42    [001]  1234.571990: print:                tracing_mark_write: a remark
            pool-42    [001]  1234.572990: sched_switch:         something else
            pool-42    [001]  1234.573990: cpu_frequency:        state=1800000 cpu_id=2
T
tactus trace show report.txt
tactus trace stat report.txt | grep note
tactus facts report.txt | grep -E 'states|events|queue'
