# Files in other encodings: with and without a byte order mark, short ones, cut ones, with letters that are not ASCII.
exec 2>&1
printf '05-17 12:01:02.123  9  9 W Tag     : a\n05-17 12:01:02.124  9  9 E Tag: b\303\251\342\202\254\360\237\230\200\n' > log
for encoding in utf-16le utf-16be utf-8 utf-16 latin1; do
    iconv -c -f utf-8 -t $encoding log > log.$encoding; tactus facts log.$encoding; echo "exit $?"
    for size in 1 2 7 8 9 15 16 17 18 40 77 78 79 80; do
        head -c $size log.$encoding > cut; echo "$encoding $size: $(tactus facts cut --as logcat | tr -s ' \n' ' ')"
    done
done
{ printf '\377\376'; cat log.utf-16le; } > le; { printf '\376\377'; cat log.utf-16be; } > be; { printf '\357\273\277'; cat log; } > mark
for file in le be mark; do tactus facts $file; tactus trace show $file; done
printf '\377\376a' > odd; tactus facts odd --as logcat; printf 'a\000b\000\330\000\330' > half; tactus facts half --as logcat
