# Logs in colour: codes before a line, behind it, several, long ones, and what only looks like one.
exec 2>&1
line='05-17 12:01:02.123  9  9 W Tag     : text'
for before in '' '\033[0;33m' '\033[m' '\033[1m\033[38;5;196m' '\033[' '[0m' '\033[38;5;196;48;5;21;1;4m'; do
    for after in '' '\033[0m' '\033[m' '\033[0m\033[0m' '\033[38;5;196m' '\033[38;5;196;48;5;21;1;4m' 'm' '[0m' '\033[0' '\033[0m ' '\033[0mm'; do
        printf "$before$line$after\n05-17 12:01:03.123  9  9 W Tag     : next\n" > log
        echo "'$before' '$after': $(tactus trace show log | tail -2 | tr -s ' \n' ' ' | cat -v) $(tactus trace show log --pattern 'text(.*)$=rest' | tail -2 | tr -s ' \n' ' ' | cat -v)"
    done
done
