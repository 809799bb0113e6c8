# Logs as other tools than adb write and people paste them: a colon behind the time (Eclipse, Visual Studio), the export of
# Unity's window, the layouts process and thread, an indented paste of Android Studio with marks of processes, a crash header
# on one line, native crashes told by debuggerd or Unity alone, the output of monkey.
printf '11-23 14:18:40.585: E/AndroidRuntime(239): FATAL EXCEPTION: main\n11-23 14:18:40.585: E/AndroidRuntime(239): Process: com.shop, PID: 239\n11-23 14:18:40.585: E/AndroidRuntime(239): java.lang.IllegalStateException: x\n11-23 14:18:40.586: E/AndroidRuntime(239): \tat com.shop.Cart.add(Cart.java:3)\n11-23 14:18:41.000: W/Other(  7): y\n' > eclipse
printf '2022/01/26 19:58:39.671 18 19 Error CRASH signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8\n2022/01/26 19:58:39.672 18 19 Error CRASH pid: 18, tid: 19, name: UnityMain  >>> com.shop <<<\n2022/01/26 19:58:39.900 18 19 Info Unity Quitting now\n' > unity
printf 'D(  123) Shutting down VM  (AndroidRuntime)\nE(  123) FATAL EXCEPTION: main  (AndroidRuntime)\nE(  123) java.lang.IllegalStateException  (AndroidRuntime)\nE(  123) \tat com.shop.Cart.add(Cart.java:11)  (AndroidRuntime)\n' > process
printf 'D(  123:0x7b) Shutting down VM\nE(  123:0x7b) FATAL EXCEPTION: main\nE(  123:0x7b) java.lang.IllegalStateException\nE(  123:0x7b) \tat com.shop.Cart.add(Cart.java:11)\n' > thread
printf '    ---------------------------- PROCESS STARTED (31) for package com.shop ----------------------------\n  2024-10-28 17:04:29.776 31-32/com.shop E/AndroidRuntime: FATAL EXCEPTION: Timer\n      Process: com.shop, PID: 31\n      java.lang.IllegalStateException: x\n          at com.shop.Cart.add(Cart.java:3)\n  2024-10-28 17:04:29.790 31-32/com.shop I/Process: Sending signal. PID: 31 SIG: 9\n' > indented
printf ' E/AndroidRuntime: FATAL EXCEPTION: main Process: com.shop, PID: 61\n           java.lang.IllegalStateException: x\n           at com.shop.Cart.add(Cart.java:3)\n' > oneline
printf '05-20 11:13:21.970 15 15 F DEBUG   : *** *** ***\n05-20 11:13:21.970 15 15 F DEBUG   : pid: 9, tid: 9, name: shop  >>> com.shop <<<\n05-20 11:13:21.970 15 15 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n05-20 11:13:22.100 8 8 F libc    : Fatal signal 6 (SIGABRT), code -1 in tid 8 (b)\n05-20 11:13:22.970 16 16 F DEBUG   : pid: 8, tid: 8, name: b  >>> com.b <<<\n05-20 11:13:22.970 16 16 F DEBUG   : signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------\n' > debuggerd
printf ':Sending Touch (ACTION_DOWN): 0:(1.0,2.0)\n// CRASH: com.shop (pid 51)\n// Short Msg: java.lang.RuntimeException\n// Long Msg: java.lang.RuntimeException: x\n// Build Label: a/b/c:4.4.2\n// com.shop.net.CallException\n// \tat com.shop.net.Call.run(Call.java:4)\n// Caused by: java.lang.IllegalStateException: y\n// \tat com.shop.Cart.add(Cart.java:3)\n// \t... 7 more\n// \n** Monkey aborted due to error.\n' > monkey
for f in eclipse unity process thread indented oneline debuggerd monkey; do
    $FIGURES $f | grep -Ev 'encoding|line_end|blank|strictmode|acra|anrs|deaths|causes|step_back|going_back'
done
for f in eclipse unity indented debuggerd; do tactus trace stat $f | head -1; done
tactus trace show eclipse | tail -2
tactus trace show unity | tail -1
# Times with their zone, and over New Year without years, do not go back; a log that Android Studio exported is read as the lines
# that it shows.
printf '2023-11-14 23:13:20.123 +0100  1000  1001 I Act: a\n2023-11-14 22:13:21.123 +0000  1000  1001 W Foo: b\n2023-11-14 16:43:22.123 -0530  1000  1001 W Foo: c\n' > zone
printf '12-31 23:59:59.100  1000  1001 I Act: a\n01-01 00:00:00.200  1000  1001 W Foo: b\n01-01 00:00:00.100  1000  1001 W Foo: c\n' > new-year
printf '{"metadata": {"device": {"sdk": 33}},\n "logcatMessages": [\n  {"header": {"logLevel": "ERROR", "pid": 42, "tid": 43, "applicationId": "com.shop", "processName": "com.shop", "tag": "AndroidRuntime", "timestamp": {"seconds": 1700000000, "nanos": 123000000}},\n   "message": "FATAL EXCEPTION: main\\nProcess: com.shop, PID: 42\\njava.lang.NullPointerException: x\\n\\tat com.shop.Cart.add(Cart.kt:10)"}]}\n' > studio.logcat
for f in zone new-year; do $FIGURES $f | grep -E 'times_going_back|step_back|records'; done
$FIGURES studio.logcat
head -c 300 studio.logcat > cut.logcat; $FIGURES cut.logcat; echo "exit $?"
printf '{"metadata": {"a": 1}, "traceEvents": []}' > none.json; $FIGURES none.json | tail -1
