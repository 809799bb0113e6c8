# `-v uid` in every layout, by number and by name; seconds since 1970 and since boot in the layouts time and long.
printf '05-01 16:39:28.125 V/Shop    (10123:13414): one\n05-01 16:39:28.500 I/ActivityManager( root:  812): Displayed com.a/.B\n' > time-uid
printf '[ 05-01 16:39:28.125 10123:13414:13420 V/Shop     ]\none\n\n[ 05-01 16:39:28.500  root:  812:  830 I/ActivityManager ]\nDisplayed com.a/.B\n\n' > long-uid
printf 'V/Shop    (10123:13414): one\nI/ActivityManager( root:  812): Displayed com.a/.B\n' > brief-uid
printf '           73586368.125 V/Shop    (13414): one\n           73586368.500 I/ActivityManager(  812): Displayed com.a/.B\n' > time-epoch
printf '[      73586368.125 13414:13420 V/Shop     ]\none\n\n[      73586368.500   812:  830 I/ActivityManager ]\nDisplayed com.a/.B\n\n' > long-epoch
for f in time-uid long-uid brief-uid time-epoch long-epoch; do
    $FIGURES $f | grep -E 'layout|records|pids|first_time'
done
