# `-v uid` in every layout, by number and by name; seconds since 1970 and since boot in the layouts time and long.
printf '05-01 16:39:28.125 V/Shop    (10123:13414): one\n05-01 16:39:28.500 I/ActivityManager( root:  812): Displayed com.a/.B\n' > time-uid
printf '[ 05-01 16:39:28.125 10123:13414:13420 V/Shop     ]\none\n\n[ 05-01 16:39:28.500  root:  812:  830 I/ActivityManager ]\nDisplayed com.a/.B\n\n' > long-uid
printf 'V/Shop    (10123:13414): one\nI/ActivityManager( root:  812): Displayed com.a/.B\n' > brief-uid
printf '           73586368.125 V/Shop    (13414): one\n           73586368.500 I/ActivityManager(  812): Displayed com.a/.B\n' > time-epoch
printf '[      73586368.125 13414:13420 V/Shop     ]\none\n\n[      73586368.500   812:  830 I/ActivityManager ]\nDisplayed com.a/.B\n\n' > long-epoch
for f in time-uid long-uid brief-uid time-epoch long-epoch; do
    tactus facts $f | grep -E 'states|duration|from|note'
    tactus trace show $f | tail -2
done
# What Android Studio exports is the log that it shows: messages of several lines, late ones, the crash.
cat > studio.logcat <<'J'
{
  "metadata": {"device": {"physicalDevice": {"release": "13", "sdk": 33}}, "filter": "package:mine"},
  "logcatMessages": [
    {"header": {"logLevel": "VERBOSE", "pid": 42, "tid": 43, "applicationId": "com.shop", "processName": "com.shop", "tag": "Shop",
      "timestamp": {"seconds": 1700000001, "nanos": 5000000}}, "message": "CONTROL -buy\nof two lines"},
    {"header": {"logLevel": "INFO", "pid": 8, "tid": 8, "applicationId": "", "processName": "system", "tag": "Act",
      "timestamp": {"seconds": 1700000000, "nanos": 123456789}}, "message": "late"},
    {"header": {"logLevel": "ASSERT", "pid": 42, "tid": 43, "tag": "Shop"}, "message": "without a time"},
    {"header": {"logLevel": "ERROR", "pid": 42, "tid": 43, "applicationId": "com.shop", "processName": "com.shop", "tag": "AndroidRuntime",
      "timestamp": {"seconds": 1700000002, "nanos": 0}},
     "message": "FATAL EXCEPTION: main\nProcess: com.shop, PID: 42\njava.lang.NullPointerException: x\n\tat com.shop.Cart.add(Cart.kt:10)"}]}
J
tactus trace show studio.logcat
tactus trace stat studio.logcat --pattern 'CONTROL -(\w+)' | head -5
head -c 700 studio.logcat > cut.logcat; tactus trace stat cut.logcat; echo "exit $?"
# An empty line inside a message of the layout long does not end it.
printf '[ 05-01 16:39:28.125 42:43 V/Shop     ]\none\n\nCONTROL -two\n\n[ 05-01 16:39:28.500 42:43 E/AndroidRuntime ]\nFATAL EXCEPTION: main\njava.lang.IllegalStateException: bad\n\nitem\n\tat com.shop.A.b(A.java:4)\nCaused by: java.io.IOException: y\n\tat com.shop.C.d(C.java:9)\n\n' > long-blank
tactus trace show long-blank --pattern 'CONTROL -(\w+)'
