# One small recording per sensitive call, each harmless as recorded. Where some other order of its events
# makes the call fail the library must find it; where the app guards against it the library must prove it.
L="$ROOT/rules/android/lists"

. "$ROOT/tests/cli/protocol/android-recording.bash"
ask() { local answer
    answer=$(tactus protocol validate --rules-list "$ROOT/rules/android.txt" "$2" | sed -n "1s/,.*//p")
    echo "$answer; $(tactus protocol verify --rules-list "$L/$1.txt" "$2" | sed -n "1s/^[^:]*: //p")"; }

# A timer kept in a field can be started by two clicks; a timer made by the click cannot.
{ { timer_new; listen b l; } | started; timer_start | click l b; } > cdt-field.jsonl; ask cdt cdt-field.jsonl
{ listen b l | started; { timer_new; timer_start; } | click l b; } > cdt-new.jsonl; ask cdt cdt-new.jsonl
# Work that ends after the activity was destroyed, and shows or dismisses its dialog.
task_end() { enter android.os.AsyncTask "void onPostExecute(java.lang.Object)" k null; cat; leave "void onPostExecute(java.lang.Object)"; }
execute() { call k android.os.AsyncTask "android.os.AsyncTask execute(java.lang.Object[])" k null; }
new_dialog() { call - $D "void <init>(android.content.Context)" d a; }
show() { call - $D "void show()" d; }
dismiss() { call - $D "void dismiss()" d; }
{ { new_dialog; execute; } | started; show | task_end; ended; } > show.jsonl; ask show show.jsonl
{ { new_dialog; show; execute; } | started; dismiss | task_end; ended; } > dismiss.jsonl; ask dismiss dismiss.jsonl
{ { new_dialog; show; execute; } | started; dismiss | task_end; life onPause; enter $A "void onStop()" a; dismiss; leave "void onStop()"; life onDestroy; } > dismiss-fixed.jsonl
ask dismiss dismiss-fixed.jsonl
# The same, with the methods of a fragment that need its host; safe when the fragment cancels its work.
cancel() { call - android.os.AsyncTask "boolean cancel(boolean)" k true; }
host() { local property=$1; shift
    { new_fragment | started; fragment_works; "$@" | task_end; fragment_down; } > $property.jsonl; ask $property $property.jsonl
    { new_fragment | started; fragment_works; "$@" | task_end; enter $F "void onDestroy()" f; cancel; leave "void onDestroy()"; event $F "void onDetach()" f; } > $property-fixed.jsonl
    ask $property $property-fixed.jsonl; }
host getResources call r $F "android.content.res.Resources getResources()" f
host getLoaderManager call r $F "android.app.LoaderManager getLoaderManager()" f
host startActivity call - $F "void startActivity(android.content.Intent)" f i
host getString call s $F "java.lang.String getString(int)" f 7
# Arguments set by a click that may come after the fragment was added, and where it is made.
set_arguments() { call - $F "void setArguments(android.os.Bundle)" f u; }
{ { new_fragment; listen b l; } | started; set_arguments | click l b; fragment_up; } > arguments.jsonl; ask setArguments arguments.jsonl
{ listen b l | started; { new_fragment; set_arguments; } | click l b; fragment_up; } > arguments-fixed.jsonl; ask setArguments arguments-fixed.jsonl
# A player started by a click that may come before it is prepared, and by a button enabled in onPrepared.
player() { call - $P "void <init>()" p; call - $P 'void setOnPreparedListener(android.media.MediaPlayer$OnPreparedListener)' p q; call - $P "void prepareAsync()" p; }
PREPARED="void onPrepared(android.media.MediaPlayer)"
prepared() { enter "$P\$OnPreparedListener" "$PREPARED" q p; cat; leave "$PREPARED"; }
play() { call - $P "void start()" p; }
enabled() { call - android.widget.TextView "void setEnabled(boolean)" b $1; }
{ { player; listen b l; } | started; prepared < /dev/null; play | click l b; } > player.jsonl; ask mediaPlayer player.jsonl
{ { player; listen b l; enabled false; } | started; enabled true | prepared; play | click l b; } > player-fixed.jsonl; ask mediaPlayer player-fixed.jsonl
# A second click still arrives after finish(), and executes the task a second time.
{ { call - android.os.AsyncTask "void <init>()" k; listen b l; } | started; { execute; call - $A "void finish()" a; } | click l b; ended; } > finish.jsonl; ask execute finish.jsonl
