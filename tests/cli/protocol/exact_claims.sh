# Two aliases in one message, one of its return type: every pair of names counts. Either name alone, with
# the first one of the other alias, stands for nothing here.
printf '%s\n' '{"type":"callback_entry","class":"p.A","method":"void c()","params":[{"object":"o"}]}' \
    '{"type":"callin_entry","class":"q.R","method":"r.Two i()","params":[{"object":"o"}]}' \
    '{"type":"callin_exit","class":"q.R","method":"r.Two i()","value":{"object":"x"}}' \
    '{"type":"callback_exit","class":"p.A","method":"void c()"}' > once.jsonl
echo 'SPEC TRUE[*]; [CI] [ENTRY] [x] r.One q.S.i() |- [CI] [ENTRY] [x] r.One q.S.i() ALIASES r.One = [r.One, r.Two], q.S = [q.S, q.R]' > both.spec
tactus protocol verify --rules both.spec once.jsonl; echo "exit $?"

# Strings in rules have the escapes of strings elsewhere.
printf '%s\n' '{"type":"callback_entry","class":"p.A","method":"void c()","params":[{"object":"o"}]}' \
    '{"type":"callin_entry","class":"q.S","method":"void i(java.lang.String)","params":[{"object":"o"},"say \"hi\"\nC:\\d"]}' \
    '{"type":"callin_exit","class":"q.S","method":"void i(java.lang.String)"}' \
    '{"type":"callback_exit","class":"p.A","method":"void c()"}' > said.jsonl
cat > said.spec <<'SPEC'
SPEC TRUE[*]; [CI] [ENTRY] [x] void q.S.i("say \"hi\"\nC:\d" : java.lang.String) |- [CI] [ENTRY] [x] void q.S.i(# : java.lang.String)
SPEC
tactus protocol verify --rules said.spec said.jsonl; echo "exit $?"

# A callback that ended in an exception is no event: nothing is proved of it, and nothing is said of it.
printf '%s\n' '{"type":"callback_entry","class":"p.A","method":"void c()","params":[{"object":"o"}]}' \
    '{"type":"callin_entry","class":"q.S","method":"void i()","params":[{"object":"o"}]}' \
    '{"type":"callin_exit","class":"q.S","method":"void i()"}' \
    '{"type":"callback_exit","class":"p.A","method":"void c()"}' \
    '{"type":"callback_entry","class":"p.A","method":"void d()","params":[{"object":"o"}]}' \
    '{"type":"callin_entry","class":"q.S","method":"void j()","params":[{"object":"o"}]}' \
    '{"type":"callin_exit","class":"q.S","method":"void j()"}' \
    '{"type":"callback_exception","class":"p.A","method":"void d()","exception":"E"}' > raised.jsonl
echo 'SPEC TRUE[*]; [CI] [ENTRY] [x] void q.S.j() |- [CI] [ENTRY] [x] void q.S.i()' > raised.spec
tactus protocol verify --rules raised.spec --certificate raised.cert raised.jsonl; echo "exit $?"
tactus protocol check-certificate --rules raised.spec raised.cert raised.jsonl; echo "exit $?"

# A callback of a complete life cycle that never ended, or ended in an exception, is in no event: it is
# assumed like one that was not recorded, and not forgotten.
cat > life.spec <<'SPEC'
LIFECYCLE p.F = [void onA(), void onC()];
SPEC TRUE[*]; [CB] [ENTRY] [x] void p.F.onC() |- [CI] [ENTRY] [x] void q.S.i()
SPEC
printf '%s\n' '{"type":"callback_entry","class":"my.F","method":"void onA()","overrides":["p.F"],"params":[{"object":"o","type":"my.F"}]}' \
    '{"type":"callin_entry","class":"q.S","method":"void i()","params":[{"object":"o","type":"my.F"}]}' \
    '{"type":"callin_exit","class":"q.S","method":"void i()"}' \
    '{"type":"callback_exit","class":"my.F","method":"void onA()"}' \
    '{"type":"callback_entry","class":"my.F","method":"void onC()","overrides":["p.F"],"params":[{"object":"o","type":"my.F"}]}' > cut.jsonl
cp cut.jsonl thrown.jsonl
echo '{"type":"callback_exception","class":"my.F","method":"void onC()","exception":"E"}' >> thrown.jsonl
tactus protocol verify --rules life.spec cut.jsonl; echo "exit $?"
tactus protocol verify --rules life.spec thrown.jsonl | head -3; echo "exit ${PIPESTATUS[0]}"
