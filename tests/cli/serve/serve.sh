# Usage: --listen wants a password and TLS; a folder has to be there; the address holds a secret.
tactus serve --listen 0.0.0.0; echo "exit $?"
tactus serve --password-file x; echo "exit $?"
tactus serve nowhere; echo "exit $?"
mkdir work
: > said # there before anybody looks
tactus serve work > said &
until grep -q token said; do sleep 0.1; done
kill -TERM $!; wait $!; echo "exit $?"
sed -E 's/:[0-9]+\/\?token=[0-9a-f]{64}$/:PORT\/?token=SECRET/' said
ls -A work
tactus demo tour --serve --json; echo "exit $?"
