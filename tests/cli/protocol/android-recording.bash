# Shell functions that write recordings in the JSON Lines form, one message a line; read by the tests of the
# rule library. Objects are named by one word, which is also their type.
params() { local s="" p; for p in "$@"; do
    case "$p" in
    null) p=null ;;
    true | false) p="{\"value\": \"$p\", \"type\": \"boolean\"}" ;;
    *) p="{\"object\": \"$p\", \"type\": \"$p\"}" ;;
    esac
    s="$s${s:+, }$p"; done; echo "[$s]"; }
enter() { local c=$1 m=$2; shift 2; echo "{\"type\": \"callback_entry\", \"class\": \"app\", \"method\": \"$m\", \"overrides\": [\"$c\"], \"params\": $(params "$@")}"; }
leave() { echo "{\"type\": \"callback_exit\", \"class\": \"app\", \"method\": \"$1\"}"; }
event() { enter "$@"; leave "$2"; }
# call RESULT CLASS METHOD RECEIVER ARGUMENTS: RESULT is - for none
call() { local r=$1 c=$2 m=$3 v=""; shift 3
    [ "$r" = - ] || v=", \"value\": {\"object\": \"$r\", \"type\": \"$r\"}"
    echo "{\"type\": \"callin_entry\", \"class\": \"$c\", \"method\": \"$m\", \"params\": $(params "$@")}"
    echo "{\"type\": \"callin_exit\", \"class\": \"$c\", \"method\": \"$m\"$v}"; }
A=android.app.Activity F=android.app.Fragment D=android.app.Dialog P=android.media.MediaPlayer T=android.os.CountDownTimer
CREATE="void onCreate(android.os.Bundle)"
CLICK='void onClick(android.view.View)' LISTEN='void setOnClickListener(android.view.View$OnClickListener)'
click() { enter 'android.view.View$OnClickListener' "$CLICK" "$1" "$2"; cat; leave "$CLICK"; }
listen() { call - android.view.View "$LISTEN" "$1" "$2"; }
life() { local m; for m in "$@"; do event $A "void $m()" a; done; }
started() { enter $A "$CREATE" a null; cat; leave "$CREATE"; life onStart onResume; }
ended() { life onPause onStop onDestroy; }
fragment_up() { event $F "void onAttach(android.app.Activity)" f a; event $F "$CREATE" f null; }
fragment_works() { event $F "void onAttach(android.app.Activity)" f a; enter $F "$CREATE" f null; execute; leave "$CREATE"; }
fragment_down() { event $F "void onDestroy()" f; event $F "void onDetach()" f; }
new_fragment() { call - $F "void <init>()" f; }
timer_start() { call t $T "android.os.CountDownTimer start()" t; }
timer_new() { echo "{\"type\": \"callin_entry\", \"class\": \"$T\", \"method\": \"void <init>(long,long)\", \"params\": [{\"object\": \"t\", \"type\": \"t\"}, {\"value\": \"9\", \"type\": \"long\"}, {\"value\": \"1\", \"type\": \"long\"}]}"
    echo "{\"type\": \"callin_exit\", \"class\": \"$T\", \"method\": \"void <init>(long,long)\"}"; }
