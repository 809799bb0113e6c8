# Chrome's events say the same as a document, one a line, and packed into a page of trace2html; a broken page is told.
inputs=$ROOT/tests/fuzz/corpus/facts
tactus facts $inputs/chrome-object | tail -n +2 > whole
tactus facts $inputs/chrome-lines | tail -n +2 | diff whole - && echo "lines: the same"
tactus facts $inputs/systrace-page | tail -n +2 | diff whole - && echo "page: the same"
sed 's/^H4s.*/H4sIAAAAAAAA/' $inputs/systrace-page > broken.html
tactus facts broken.html; echo "exit $?"
tactus trace stat broken.html; echo "exit $?"
tactus facts $inputs/pcap-patched | head -4
