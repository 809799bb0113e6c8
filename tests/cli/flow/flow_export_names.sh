# Names that look alike in a file's name have files of their own; what Maestro would evaluate is typed as it stands, and
# what it cannot select by is told; names in Promela are texts.
cat > two.jsonl <<'END'
{"kind":"exit","start":[{"device":"a-b","application":"a","package":"o.e","states":[]},{"device":"a_b","application":"a","package":"o.e","states":[]}],"steps":[{"event":"one","device":"a-b"},{"event":"two","device":"a_b"}]}
END
tactus flow export two.jsonl --to maestro -o mo/; ls mo
cat > texts.jsonl <<'END'
{"kind":"exit","start":[{"device":"d","application":"a","package":"o.e","states":[]}],"steps":[{"event":"type","device":"d","actions":[{"kind":"text","resourceId":"x","value":"a ${x} \\${y} ${open $5"}]},{"event":"save","device":"d","actions":[{"kind":"click","xpath":"//android.widget.Button[@text='Save']"}]},{"event":"save2","device":"d","actions":[{"kind":"click","xpath":"(//android.widget.Button[@resource-id='i'])[2]"}]},{"event":"id","device":"d","actions":[{"kind":"click","xpath":"//android.widget.Button[@resource-id='i']"}]},{"event":"both","device":"d","actions":[{"kind":"click","xpath":"//node[@text='Save' and @content-desc='draft']"}]},{"event":"place","device":"d","actions":[{"kind":"click","xpath":"(//node[@text='Save'])[2]"}]}]}
END
tactus flow export texts.jsonl --to maestro
cat > odd.xml <<'END'
<interactionModel xmlns="urn:tactus:interaction-model:1" name="p*/q">
  <device name="d"><application name="A" codeName="a" package="o.e" external="true"><activity name="Act" external="true">
    <stateMachine name="M" external="true"><initial to="s"/><state name="s"/><final name="end"/>
      <transition from="s" event="go%d" to="s"/><transition from="s" event="a&quot;\n" to="s"/>
      <transition from="s" event="*/if" to="end"/>
    </stateMachine></activity></application></device>
</interactionModel>
END
tactus model export odd.xml --to promela --length 2 | grep -n 'printf(" \|/\* p\|transition(0'
