# Orders of callbacks that Android never produces: the library refuses each and names the rule, and
# admits the same callbacks in a right order.
. "$ROOT/tests/cli/protocol/android-recording.bash"
order() { tactus protocol validate --rules-list "$ROOT/rules/android.txt" "$1.jsonl" > answer.txt
    echo "$(sed -n "1s/,.*//p" answer.txt)$(sed -n 's/^  because *\([^ ]*\/\)*\([^ :]*\):[0-9]* / (\2 /p' answer.txt | sed 's/$/)/')"; }
empty() { "$@" < /dev/null; }

{ life onStart; empty started; } > activity-early.jsonl; order activity-early
{ empty started; life onStop onPause; } > activity-skip.jsonl; order activity-skip
{ empty started; life onPause onStop onRestart onStart onResume; ended; } > activity.jsonl; order activity
{ new_fragment | started; event $F "$CREATE" f null; fragment_up; } > fragment-early.jsonl; order fragment-early
{ new_fragment | started; fragment_up; fragment_down; fragment_up; } > fragment.jsonl; order fragment

TICK="void onTick(long)"
cancel_timer() { call - $T "void cancel()" t; }
{ { timer_new; timer_start; cancel_timer; } | started; event $T "void onFinish()" t; } > timer-cancelled.jsonl; order timer-cancelled
{ { timer_new; timer_start; } | started; event $T "$TICK" t 5; event $T "void onFinish()" t; } > timer.jsonl; order timer
execute() { call k android.os.AsyncTask "android.os.AsyncTask execute(java.lang.Object[])" k null; }
post() { event android.os.AsyncTask "void onPostExecute(java.lang.Object)" k null; }
{ execute | started; post; post; } > task-twice.jsonl; order task-twice
{ { execute; call - android.os.AsyncTask "boolean cancel(boolean)" k true; } | started; post; } > task-cancelled.jsonl; order task-cancelled

enabled() { call - android.widget.TextView "void setEnabled(boolean)" b $1; }
{ empty started; empty click l b; } > click-unheard.jsonl; order click-unheard
{ { listen b l; enabled false; } | started; empty click l b; } > click-disabled.jsonl; order click-disabled
{ { call b $A "android.view.View findViewById(int)" a 3; listen b l; } | started; empty click l b; life onPause; empty click l b; } > click-paused.jsonl; order click-paused
finish() { call - $A "void finish()" a; }
go_away() { call - $A "void startActivity(android.content.Intent)" a i; }
found() { call b $A "android.view.View findViewById(int)" a 3; listen b l; }
{ found | started; finish | click l b; life onPause; empty click l b; } > click-finished.jsonl; order click-finished
{ found | started; go_away | click l b; life onPause; empty click l b; } > click-left.jsonl; order click-left
{ found | started; finish | click l b; life onPause onStop; empty click l b; } > click-stopped.jsonl; order click-stopped
{ found | started; go_away | click l b; life onPause onResume onPause; empty click l b; } > click-came-back.jsonl; order click-came-back
item() { event 'android.widget.AdapterView$OnItemClickListener' "void onItemClick(android.widget.AdapterView,android.view.View,int,long)" l v w 0 0; }
listen_items() { call - android.widget.AdapterView 'void setOnItemClickListener(android.widget.AdapterView$OnItemClickListener)' v l; }
{ empty started; item; } > list-unheard.jsonl; order list-unheard
{ listen_items | started; item; } > list.jsonl; order list

for M in android.widget.PopupMenu android.support.v7.widget.PopupMenu androidx.appcompat.widget.PopupMenu; do
    chosen() { event "$M\$OnMenuItemClickListener" "boolean onMenuItemClick(android.view.MenuItem)" l m; }
    menu() { call - $M "void <init>(android.content.Context,android.view.View)" p a v; call - $M "void setOnMenuItemClickListener($M\$OnMenuItemClickListener)" p l; }
    { menu | started; chosen; } > popup-unshown.jsonl; order popup-unshown
    { { menu; call - $M "void show()" p; } | started; chosen; } > popup.jsonl; order popup
    { { menu; call - $M "void show()" p; } | started; life onPause onStop; chosen; } > popup-stopped.jsonl; order popup-stopped
done
for M in android.widget.Toolbar android.support.v7.widget.Toolbar androidx.appcompat.widget.Toolbar; do
    { empty started; chosen; } > toolbar-unheard.jsonl; order toolbar-unheard
    { call - $M "void setOnMenuItemClickListener($M\$OnMenuItemClickListener)" v l | started; chosen; } > toolbar.jsonl; order toolbar
done

B=android.app.AlertDialog\$Builder
dialog() { call - "$B" "void <init>(android.content.Context)" c a
    call c "$B" "$B setPositiveButton(int,android.content.DialogInterface\$OnClickListener)" c 4 l; call d "$B" "android.app.AlertDialog create()" c; }
button() { event 'android.content.DialogInterface$OnClickListener' "void onClick(android.content.DialogInterface,int)" l d 1; }
show() { call - $D "void show()" d; }
{ dialog | started; button; } > dialog-unshown.jsonl; order dialog-unshown
{ { dialog; show; } | started; button; } > dialog.jsonl; order dialog
{ { dialog; show; call - $D "void dismiss()" d; } | started; button; } > dialog-dismissed.jsonl; order dialog-dismissed
{ { dialog; show; } | started; life onPause; button; } > dialog-paused.jsonl; order dialog-paused

run() { event java.lang.Runnable "void run()" r; }
{ empty started; run; } > run-unposted.jsonl; order run-unposted
{ call - android.os.Handler "boolean postDelayed(java.lang.Runnable,long)" h r 9 | started; run; } > run.jsonl; order run

# A handler that the layout names (android:onClick): while the activity is resumed, and after it has left.
named() { local v='{"object": "a", "type": "app", "framework_type": "android.app.Activity"}, {"object": "b", "type": "b"}' m='void onSave(android.view.View)'
    echo "{\"type\": \"callback_entry\", \"class\": \"app\", \"method\": \"$m\", \"overrides\": [], \"params\": [$v]}"; cat; leave "$m"; }
whole() { sed 's/{"object": "a", "type": "a"}/{"object": "a", "type": "app", "framework_type": "android.app.Activity"}/g'; }
{ empty started; empty named; } | whole > named.jsonl; order named
{ empty started; life onPause; empty named; } | whole > named-paused.jsonl; order named-paused
{ empty started; finish | named; life onPause; empty named; } | whole > named-finished.jsonl; order named-finished
# A view that code has added to a view of the activity, and taken out again.
added() { call p $A "android.view.View findViewById(int)" a 3; call - android.view.ViewGroup "void addView(android.view.View)" p b; listen b l; }
removed() { call - android.view.ViewGroup "void removeView(android.view.View)" p b; }
{ added | started; empty click l b; } > added.jsonl; order added
{ added | started; life onPause; empty click l b; } > added-paused.jsonl; order added-paused
{ added | started; removed | click l b; empty click l b; } > added-removed.jsonl; order added-removed
# Services and loaders.
S=android.app.Service INTENT=android.content.Intent
command() { event $S "int onStartCommand($INTENT,int,int)" s i 0 1; }
{ command; event $S "void onCreate()" s; } > service-early.jsonl; order service-early
{ event $S "void onCreate()" s; command; event $S "android.os.IBinder onBind($INTENT)" s i; event $S "boolean onUnbind($INTENT)" s i; event $S "void onDestroy()" s; } > service.jsonl; order service
{ event $S "void onCreate()" s; event $S "void onDestroy()" s; command; } > service-late.jsonl; order service-late
LC='android.app.LoaderManager$LoaderCallbacks'
loaded() { event $LC "void onLoadFinished(android.content.Loader,java.lang.Object)" c d r; }
load() { call d android.app.LoaderManager "android.content.Loader initLoader(int,android.os.Bundle,$LC)" m 0 null c; }
{ empty started; loaded; } > load-unasked.jsonl; order load-unasked
{ load | started; loaded; event $LC "void onLoaderReset(android.content.Loader)" c d; } > load.jsonl; order load
# The host takes its fragments along; under a resumed host a fragment is not left half way.
{ new_fragment | started; fragment_up; ended; event $F "void onStart()" f; } > host-gone.jsonl; order host-gone
