# Profiles and tasks as Tasker exports them: times that repeat, last a minute or come from variables; events told apart by all
# their arguments; variables of one task; what a task does when it runs already; Or before And; a task that ends another one.
wrap() { { echo '<TaskerData sr="" dvi="1" tv="6.3.13">'; cat; echo '</TaskerData>'; } > "$1"; }
profile() { echo "<Profile sr=\"prof$1\" ve=\"2\"><id>$1</id><mid0>$2</mid0><nme>$3</nme>$4</Profile>"; }
leaving() { echo "<Profile sr=\"prof$1\" ve=\"2\"><id>$1</id><mid1>$2</mid1><nme>$3</nme>$4</Profile>"; }
task() { echo "<Task sr=\"task$1\"><id>$1</id><nme>task $1</nme>$2</Task>"; }
wifi() { echo "<Action sr=\"act${2:-0}\" ve=\"7\"><code>425</code><Int sr=\"arg0\" val=\"$1\"/></Action>"; }
when() { echo "<Time sr=\"con${2:-0}\">$1</Time>"; }
from_to() { echo "<fh>$1</fh><fm>$2</fm><th>$3</th><tm>$4</tm>"; }
event() { echo "<Event sr=\"con0\" ve=\"2\"><code>$1</code><Str sr=\"arg0\" ve=\"3\">$2</Str><Str sr=\"arg1\" ve=\"3\">$3</Str></Event>"; }
state() { echo "<State sr=\"con$1\" ve=\"2\"><code>$2</code></State>"; }
test_of() { echo "<Condition sr=\"c$1\" ve=\"3\"><lhs>$2</lhs><op>2</op><rhs>$3</rhs></Condition>"; }
value() { echo "<State sr=\"con0\" ve=\"2\"><code>165</code><ConditionList sr=\"if\">$1</ConditionList></State>"; }

echo '== times: none of them is dead; the minute of seven is one occasion, and so is every second minute'
{ profile 1 91 'every two minutes' "$(when '<fh>-1</fh><fm>-1</fm><rep>2</rep><repval>2</repval><th>-1</th><tm>-1</tm>')"
  profile 2 90 'every two minutes again' "$(when '<rep>2</rep><repval>2</repval>')"
  profile 3 91 'every hour' "$(when '<rep>1</rep><repval>1</repval>')"
  profile 4 91 'at seven' "$(when "$(from_to 7 0 7 0)")"
  profile 5 90 'from seven' "$(when "$(from_to 7 0 9 30)")"
  profile 6 91 'when the timer says' "$(when '<fromvar>%TimerEnd</fromvar><tovar>%TimerEnd</tovar>')"
  task 90 "$(wifi 0)"; task 91 "$(wifi 1)"; } | wrap times.prj.xml
tactus automation check times.prj.xml; echo "exit $?"

echo '== days: a Sunday is not a Monday'
{ profile 1 91 'on Sundays' "$(when "$(from_to 8 0 9 0)")<Day sr=\"con1\"><wday0>1</wday0></Day>"
  profile 2 90 'on Mondays' "$(when "$(from_to 8 0 9 0)")<Day sr=\"con1\"><wday0>2</wday0></Day>"
  task 90 "$(wifi 0)"; task 91 "$(wifi 1)"; } | wrap days.prj.xml
tactus automation check days.prj.xml; echo "exit $?"

echo '== events: one variable set to two values, and one notification of two senders'
{ profile 1 91 'armed' "$(event 3050 %Armed true)"
  profile 2 90 'disarmed' "$(event 3050 %Armed false)"
  profile 3 91 'mail from Ann' "$(event 461 '' Ann)"
  profile 4 90 'mail from Bob' "$(event 461 '' Bob)"
  profile 5 90 'armed, too' "$(event 3050 %Armed true)"
  task 90 "$(wifi 0)"; task 91 "$(wifi 1)"; } | wrap events.prj.xml
tactus automation check events.prj.xml; echo "exit $?"

echo '== local variables are nobody else'"'"'s; global ones are'
set_to() { echo "<Action sr=\"act0\" ve=\"7\"><code>547</code><Str sr=\"arg0\" ve=\"3\">$1</Str><Str sr=\"arg1\" ve=\"3\">$2</Str></Action>"; }
{ profile 1 80 'counts' "$(state 0 123)"; profile 2 81 'counts, too' "$(state 0 123)"
  profile 3 82 'says' "$(state 0 123)"; profile 4 83 'says otherwise' "$(state 0 123)"
  task 80 "$(set_to %count 1)"; task 81 "$(set_to %count 2)"; task 82 "$(set_to %Mode day)"; task 83 "$(set_to %Mode night)"; } | wrap variables.prj.xml
tactus automation check variables.prj.xml; echo "exit $?"

echo '== a run that begins again does not come too early'
wait_a_minute='<Action sr="act1" ve="7"><code>30</code><Int sr="arg2" val="1"/></Action>'
{ profile 1 70 'drops the second' "$(state 0 123)"; profile 2 71 'starts again' "$(state 0 120)"
  task 70 "$(wifi 1)$wait_a_minute$(wifi 0 2)"
  task 71 "<rty>1</rty><Action sr=\"act0\" ve=\"7\"><code>433</code><Int sr=\"arg0\" val=\"1\"/></Action>$wait_a_minute<Action sr=\"act2\" ve=\"7\"><code>433</code><Int sr=\"arg0\" val=\"0\"/></Action>"; } | wrap modes.prj.xml
tactus automation check modes.prj.xml; echo "exit $?"

echo '== %Mode is day And %Who is ann Or %Mode is night: the Or comes first, so that night is not enough'
{ profile 1 91 'needs the day' "$(value "<bool0>And</bool0><bool1>Or</bool1>$(test_of 0 %Mode day)$(test_of 1 %Who ann)$(test_of 2 %Mode night)")$(echo "<State sr=\"con1\" ve=\"2\"><code>165</code><ConditionList sr=\"if\">$(test_of 0 %Mode night)</ConditionList></State>")"
  profile 2 91 'day and night at once' "$(value "<bool0>And</bool0>$(test_of 0 %Mode day)$(test_of 1 %Mode night)")"
  profile 3 91 'day, or night' "$(value "<bool0>Or2</bool0>$(test_of 0 %Mode day)$(test_of 1 %Mode night)")"
  task 91 "$(wifi 1)"; } | wrap conditions.prj.xml
tactus automation check conditions.prj.xml --only never-fires; echo "exit $?"

echo '== ending another task, or returning without an end, is not the end of this one'
{ profile 1 60 'goes on' "$(event 6 '' '')"; profile 2 61 'goes on, too' "$(event 6 '' '')"; profile 3 62 'ends' "$(event 6 '' '')"
  task 60 "<Action sr=\"act0\" ve=\"7\"><code>137</code><Int sr=\"arg0\" val=\"0\"/><Str sr=\"arg1\" ve=\"3\">another</Str></Action>$(wifi 1 1)"
  task 61 "<Action sr=\"act0\" ve=\"7\"><code>126</code><Str sr=\"arg0\" ve=\"3\">x</Str><Int sr=\"arg1\" val=\"0\"/></Action>$(wifi 0 1)"
  task 62 "<Action sr=\"act0\" ve=\"7\"><code>137</code><Int sr=\"arg0\" val=\"0\"/><Str sr=\"arg1\" ve=\"3\"></Str></Action>$(wifi 0 1)"; } | wrap stops.prj.xml
tactus automation check stops.prj.xml --only opposite-writes; echo "exit $?"

echo '== a profile ends while its other contexts hold: morning and evening do not end together'
{ leaving 1 91 'morning at home' "$(state 0 160)$(when "$(from_to 6 0 9 0)" 1)"
  leaving 2 90 'evening at home' "$(state 0 160)$(when "$(from_to 18 0 22 0)" 1)"
  leaving 3 90 'breakfast' "$(state 0 160)$(when "$(from_to 7 0 8 0)" 1)"
  task 90 "$(wifi 0)"; task 91 "$(wifi 1)"; } | wrap exits.prj.xml
tactus automation check exits.prj.xml; echo "exit $?"

echo '== tasks without a profile'
task 90 "$(wifi 0)" | wrap lonely.tsk.xml
tactus automation check lonely.tsk.xml; echo "exit $?"

echo '== what a loop or a jump may leave out is not sure to be done; more branches than can be counted on two hands are branches'
action() { echo "<Action sr=\"act$1\" ve=\"7\"><code>$2</code>$3</Action>"; }
only_if() { echo "<ConditionList sr=\"if\"><Condition sr=\"c0\" ve=\"3\"><lhs>%Mode</lhs><op>0</op><rhs>$1</rhs></Condition></ConditionList>"; }
many=$(action 0 37 "$(only_if m0)"; for i in $(seq 1 40); do action $((2 * i - 1)) 548; action $((2 * i)) 43 "$(only_if "m$i")"; done; wifi 0 81; action 82 38)
{ profile 1 60 'for each' "$(state 0 123)"; profile 2 61 'goes away' "$(state 0 123)"; profile 3 62 'always' "$(state 0 123)"
  profile 4 63 'one of forty' "$(state 0 120)"; profile 5 64 'in another' "$(state 0 120)"
  task 60 "$(action 0 39)$(wifi 0 1)$(action 2 40)"
  task 61 "$(action 0 135 "$(only_if away)")$(wifi 0 1)$(action 2 548)"
  task 62 "$(wifi 1)"; task 63 "$many"; task 64 "$(action 0 425 "<Int sr=\"arg0\" val=\"1\"/>$(only_if m3)")"; } | wrap loops.prj.xml
tactus automation check loops.prj.xml; echo "exit $?"

echo '== apps beyond the eighth tell contexts apart; a pattern that begins with ! is none'
apps() { echo "<App sr=\"con0\" ve=\"2\">$(for i in 0 1 2 3 4 5 6 7; do echo "<pkg$i>com.example.a$i</pkg$i>"; done)<pkg8>com.example.$1</pkg8></App>"; }
{ profile 1 91 'with mail' "$(apps mail)"; profile 2 90 'with maps' "$(apps maps)"
  profile 3 91 'not at night' "$(value "<bool0>And</bool0>$(test_of 0 %Mode '!night')$(test_of 1 %Mode day)")"
  task 90 "$(wifi 0)"; task 91 "$(wifi 1)"; } | wrap apps.prj.xml
tactus automation check apps.prj.xml; echo "exit $?"
