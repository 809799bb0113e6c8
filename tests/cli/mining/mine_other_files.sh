# Marks of the byte order are no labels, arrays are no runs, and what else lies in a folder is left out and named.
printf '\xef\xbb\xbf{"verdict":"pass","events":["s1","a"]}\n{"verdict":"fail","events":["s1","b"]}\n' > bom.jsonl
tactus mine bom.jsonl | head -1
printf '\xef\xbb\xbf0 s1 a s2\nx s1 b s2\n' > bom.runs; tactus mine bom.runs | head -1
printf '\xef\xbb\xbfbom.runs:1 x\nbom.runs:2 0\n' > bom.labels; tactus mine bom.runs --labels bom.labels | head -1
printf '[{"verdict":"pass","events":["s1","a"]},\n{"verdict":"fail","events":["s1","b"]}]\n' > array.json
tactus mine array.json; echo "exit $?"
mkdir folder; printf '0 s1 e1 s2\nx s1 e2 s2\n' > folder/a.runs; printf 'This is a readme\nwith words\n' > folder/README.txt
printf '0 s1 e1 s2\n' > folder/plain.txt; echo 'x s1 e2 s2' > folder/more.runs
tactus mine folder 2>&1 | head -3
rm folder/*.runs folder/plain.txt; tactus mine folder; echo "exit $?"
printf '\xef\xbb\xbf{"kind":"exit","steps":[{"event":"go"}]}\n' > bom.flows.jsonl; tactus flow export bom.flows.jsonl --to promela | grep perform
# clusters whose letters are no identifiers
for i in $(seq 20); do printf '0 s1 a s2\n0 s1 a s1 a s2\n登录 s1 b s2\n支付 s1 c s2\na-b s1 d s2\na_b s1 e s2\n'; done > cn.runs
tactus mine cn.runs --limit 1 --emit-properties cn.props >/dev/null; grep -o '^property [^:]*' cn.props
tactus check -p cn.props cn.runs | tail -1
cat > m.xml <<'END'
<interactionModel xmlns="urn:tactus:interaction-model:1" name="m">
  <device name="d"><application name="A" codeName="a" package="o.e" external="true"><activity name="Act" external="true">
    <stateMachine name="M" external="true"><initial to="s1"/><state name="s1"/><state name="s2"/>
      <transition from="s1" event="a" to="s2"/><transition from="s1" event="b" to="s2"/><transition from="s1" event="c" to="s2"/>
      <transition from="s1" event="d" to="s2"/><transition from="s1" event="e" to="s2"/>
    </stateMachine></activity></application></device>
</interactionModel>
END
tactus mine cn.runs --limit 1 --emit-requirements req --model m.xml >/dev/null; ls req | wc -l
