# Every option that takes a number or one of some words, with values that it does not take: what is said tells what it takes.
exec 2>&1
tactus help --json | python3 -c '
import json, sys
for command in json.load(sys.stdin)["commands"]:
    for option in command["options"]:
        if option["kind"] in ("number", "real", "choice"):
            print(" ".join(filter(None, [command["noun"], command["verb"]])), option["name"], option["kind"], sep="\t")' > options
while IFS=$'\t' read -r command option kind; do
    for value in -1 0 99999999999999999999 nothing; do
        [ $kind = choice ] && [ $value != nothing ] ||
            echo "$kind $value: $(tactus $command "--$option=$value" --no-such-option < /dev/null 2>&1 | head -1)"
    done
done < options
for shell in bash zsh fish; do tactus completion $shell | cksum; done
tactus completion tcsh; echo "exit $?"
