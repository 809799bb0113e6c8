# DOT is stable; SVG needs dot, and says so when it is not there.
tactus model draw "$ROOT/examples/chat/chat.model.xml" | sed -n '1,30p'
tactus model draw "$ROOT/examples/chat/chat.model.xml" | grep -c -- '->'
if command -v dot > /dev/null; then
    tactus model draw "$ROOT/examples/chat/chat.model.xml" -o chat.svg && grep -c '<g ' chat.svg | sed 's/[0-9]*/drawn/'
else
    echo drawn
fi
mkdir empty
program=$(command -v tactus)
PATH="$PWD/empty" "$program" model draw "$ROOT/examples/chat/chat.model.xml" -o missing.svg; echo "exit $?"
test -e missing.svg || echo "nothing written"
