# Dumps as old phones print them and as people paste them: the list of Android 4 to 6 in kB, tables without a summary, an indented
# or beheaded ANR trace, an indented tombstone, two lines of gfxinfo, the start of Android 5.
printf 'Applications Memory Usage (kB):\nUptime: 8 Realtime: 9\n\nTotal PSS by process:\n    76739 kB: com.x (pid 1037)\n    1,310 kB: com.x:push (pid 2800 / activities)\n\nTotal PSS by OOM adjustment:\n    59705 kB: Native\n               21648 kB: mediaserver (pid 242)\n' > list-kB
printf '        Total PSS by process:\n            183,873K: system (pid 3703 state 0 oom -900)\n             84,036K: surfaceflinger (pid 3407)\n\n        Total PSS by OOM adjustment:\n            183,873K: Native\n' > list-bare
printf '** MEMINFO in pid 18 [com.x] **\n                         Shared  Private     Heap\n                   Pss    Dirty    Dirty     Size\n       Native       16        8       16     3416\n       Dalvik     5093     8044     4888     7687\n       Cursor        0        0        0\n        TOTAL    12109    12168     9284    11103\n' > table-4.0
printf '** MEMINFO in pid 18 [com.x] **\n  Native Heap    50000    49900      100\n  Dalvik Heap    30000    29800      200\n Dalvik Other     1000     1000        0\n        TOTAL   151552   120000    10000\n' > table
printf 'Applications Memory Usage (in Kilobytes):\nUptime: 1 Realtime: 1\nNo process found for: com.x\n' > none
printf '        ----- pid 42 at 2026-09-30 15:21:36 -----\n        Cmd line: com.x\n\n        DALVIK THREADS (40):\n        "main" prio=5 tid=1 Waiting \n          | group="main" sCount=1\n          at com.x.Main.save(Main.java:7)\n          - waiting to lock <0x4051a0b8> (a com.x.Store) held by tid=9 (Binder Thread #1)\n          at com.x.Main.tap(Main.java:9)\n\n        "Signal Catcher" daemon prio=10 tid=6 Runnable\n          (no managed stack frames)\n\n        ----- end 42 -----\n' > anr-indented
printf 'DALVIK THREADS (15):\n"main" prio=5 tid=1 Blocked\n  | held mutexes=\n  at com.x.Main.init(Main.java:0)\n  - waiting to lock <0x2fbcb3de> (a com.x.Main)\n  - held by thread 15\n  at com.x.Main.onCreate(Main.java:42)\n\n"Thread-127" prio=5 tid=15 Sleeping\n  at java.lang.Thread.sleep!(Native method)\n' > anr-headless
printf '    *** *** *** *** *** *** *** ***\n    ABI: '"'arm64'"'\n    pid: 31, tid: 32, name: Render  >>> com.x <<<\n    signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n    backtrace:\n          #00 pc 0000000001234568  /data/app/com.x/lib/arm64/libx.so (draw+8)\n          #01 pc 00000000000b6a08  /apex/com.android.runtime/lib64/bionic/libc.so\n' > tombstone
printf 'Total frames rendered: 544\nJanky frames: 242 (44.56%%)\n' > gfx
printf 'Starting: Intent { cmp=com.x/.Main }\nStatus: ok\nActivity: com.x/.Main\nThisTime: 536\nTotalTime: 1013\nWaitTime: 1048\nComplete\n' > start
for f in list-kB list-bare table-4.0 table none anr-indented anr-headless tombstone gfx start; do tactus facts $f 2>&1; done
head -6 anr-indented > anr-cut
tactus facts anr-cut 2>&1 | grep -E 'warning|threads'
# Two processes of one app, each with its own figures.
printf '** Graphics info for pid 4300 [com.x:remote] **\n\nTotal frames rendered: 5\nJanky frames: 1 (20.00%%)\n50th percentile: 9ms\n\n** Graphics info for pid 4242 [com.x] **\n\nTotal frames rendered: 1000\nJanky frames: 100 (10.00%%)\nJanky frames (legacy): 150 (15.00%%)\n50th percentile: 8ms\nHISTOGRAM: 5ms=300 6ms=100\n' > gfx-two
tactus facts gfx-two
# A bug report: its log, and the dumps that it holds beside it.
printf '========\n== dumpstate: 2020-11-10 06:40:00\n========\nBuild: X1\n------ SYSTEM LOG (logcat -v threadtime) ------\n11-10 06:00:00.000  9  9 W Tag     : a\n11-10 06:00:01.000  9  9 W Tag     : b\n------ 0.1s was the duration of SYSTEM LOG ------\nDUMP OF SERVICE CRITICAL meminfo:\nApplications Memory Usage (in Kilobytes):\n\nTotal PSS by process:\n    353,574K: com.app (pid 3794 / activities)\n\nDUMP OF SERVICE gfxinfo:\n** Graphics info for pid 3794 [com.app] **\n\nTotal frames rendered: 10\nJanky frames: 1 (10.00%%)\n\nDUMP OF SERVICE wifi:\nTotal frames rendered: 99\n' > report
tactus facts report
