# A file that comes through a pipe has the figures that it has on the disk.
cd $ROOT/examples/traces
for file in battery.txt download.logcat; do
    tactus facts $file | tail -n +2 > "$OLDPWD/disk"
    tactus facts - < $file | tail -n +2 | cmp - "$OLDPWD/disk" && echo same
    tactus facts <(gzip -c $file) | tail -n +2 | cmp - "$OLDPWD/disk" && echo same
done
cat battery.txt | tactus facts - --json | cut -c -60
echo nothing | tactus facts - 2>&1 | cut -c -60
