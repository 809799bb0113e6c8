# Texts become numbers as in JavaScript: in steps (y++), in comparisons, with blanks around them and in other bases.
lists() { # SETUP UPDATE GUARD: the flow with `ok` is there when the guard holds after the update
    cat > g.xml <<END
<interactionModel xmlns="urn:tactus:interaction-model:1" name="g" setup="$1"><device name="d">
<application name="A" codeName="a" package="o.e" external="true"><activity name="Act" external="true">
<stateMachine name="M" external="true"><initial to="s"/><state name="s"/><state name="t"/><final name="end"/>
<transition from="s" event="step" to="t" update="$2"/><transition from="t" event="ok" to="end" guard="$3"/>
</stateMachine></activity></application></device></interactionModel>
END
    echo "$1 | $2 | $3 | $(tactus flow list g.xml --length 2 | tr '\n' ' ')"
}
lists "y='2'" "y++" "y === 3"
lists "y='2'" "++y" "y === 3"
lists "y='2'" "y--" "y === 1"
lists "y='2'" "x = y++" "x === 2"
lists "y='2'" "y += 1" "y === '21'"
lists "y=' 2 '" "y = y * 1" "y === 2"
lists "y='0x10'" "y = +y" "y === 16"
lists "y='0b101'" "y = +y" "y === 5"
lists "y='0o17'" "y = +y" "y === 15"
lists "y='-0x10'" "y = +y" "y !== y"
lists "y='0x'" "y = +y" "y !== y"
lists "y='Infinity'" "y = +y" "y === 1/0"
lists "y='-Infinity'" "y = +y" "y === -1/0"
lists "y='inf'" "y = +y" "y !== y"
lists "y=' '" "y = +y" "y === 0"
lists "y='\n'" "y = +y" "y === 0"
lists "y='a\tb'" "y = y" "y === 'a&#9;b'"
lists "y='it\'s'" "y = y" "y === 'it' + '\'' + 's'"
lists "y='\u0041'" "y = y" "y === 'A'"
