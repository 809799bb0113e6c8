# Chrome's events say the same as a document, one a line, and packed into a page of trace2html; a broken page is told.
inputs=$ROOT/tests/fuzz/corpus/facts
$FIGURES $inputs/chrome-object | tail -n +4 > whole
$FIGURES $inputs/chrome-lines | tail -n +3 | diff whole - && echo "lines: the same"
$FIGURES $inputs/systrace-page | tail -n +4 | diff whole - && echo "page: the same"
sed 's/^H4s.*/H4sIAAAAAAAA/' $inputs/systrace-page > broken.html
$FIGURES broken.html; echo "exit $?"
tactus trace stat broken.html; echo "exit $?"
$FIGURES $inputs/pcap-patched | head -4
