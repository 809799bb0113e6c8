# Archives whose body sizes hold the headers too (Firefox since 57, early Chrome HAR Capturer) and archives that are not quite
# JSON: half a surrogate, a byte of Windows-1252, a raw tab, a NaN of Python.
entry() { # status headersSize bodySize response-headers
    printf '{"startedDateTime":"2021-12-29T22:37:23.%s00+01:00","time":10,"request":{"method":"GET","url":"http://a.example/","headersSize":40,"bodySize":0},"response":{"status":%s,"headers":[%s],"content":{"size":9},"headersSize":%s,"bodySize":%s},"serverIPAddress":"10.0.0.1"}' "$1" "$2" "$5" "$3" "$4"
}
length() { printf '{"name":"Content-%sength","value":"%s"}' "$1" "$2"; }
archive() { printf '{"log":{"version":"1.2","creator":{"name":"%s","version":"%s"},"entries":[' "$1" "$2"; cat; printf ']}}'; }
{ entry 1 200 374 1022 ''; echo ,; entry 2 404 365 1013 "$(length L 648)"; echo ,; entry 3 200 300 0 ''; echo ,; entry 4 304 120 0 ''; } | archive Firefox 95.0.1 > firefox.har
{ entry 1 200 374 1022 ''; echo ,; entry 2 200 365 648 "$(length L 648)"; } | archive Firefox 41.0 > old-firefox.har
{ entry 1 200 372 978 "$(length l 606)"; echo ,; entry 2 200 300 606 "$(length l 606)"; } | archive Capturer 0.8 > capturer.har
for f in firefox old-firefox capturer; do tactus trace stat $f.har | grep -E 'rxData|note'; done
{ entry 1 200 10 5 '' | sed 's/"size":9/"text":"half \\ud83d of it"/'; echo ,
  entry 2 200 10 5 '' | sed 's/"size":9/"text":"caf\xe9"/'; echo ,
  entry 3 200 10 5 '' | sed 's/"size":9/"text":"a\tb"/'; echo ,
  entry 4 200 10 5 '' | sed 's/"size":9/"size":NaN/'; echo ,
  entry 5 200 10 5 '' | sed 's/"size":9/"size"/'; echo ,
  entry 6 200 10 5 '' | sed 's/"size":9/"text":"\\ud83d\\ude00 \\u0000"/'; } | archive Odd 1 > odd.har
tactus trace stat odd.har | grep -E 'rxData|note|events'
$FIGURES odd.har 2>&1 | grep -E 'warning|entries|content'
printf '[{"ph":"X","name":"half \\udc00","pid":1,"tid":1,"ts":1,"dur":10},{"ph":"X","name":"b","pid":1,"tid":1,"ts":2,"dur":3,"args":{"x":-Infinity}}]' > odd.json
tactus trace stat odd.json | grep -E 'note|events'
$FIGURES odd.json 2>&1 | grep -E 'warning|X.count'
# What stands behind the end and what is too large to keep is said by both.
{ printf '{"stackFrames":{"1":"'; head -c 9000000 /dev/zero | tr '\0' x; printf '"},"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":10}]}{"traceEvents":[]}'; } > large.json
tactus trace stat large.json | grep note
$FIGURES large.json 2>&1 | grep -E 'warning|X.count'
