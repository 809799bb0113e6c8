# Requirement templates.
tactus flow require --template start-stop selectSong playPause
tactus flow require --template visit-in-order S6 event:skipNext view:PlaceholderActivity state:MusicPlayerActivity_0/S0
tactus flow require --template avoid S1 event:seek --model $ROOT/examples/uamp/uamp.model.xml -o r.xml
tactus flow count $ROOT/examples/uamp/uamp.model.xml --length 6 --require r.xml --json
