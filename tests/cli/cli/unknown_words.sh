# Unknown commands, options and values: exit 2 and a suggestion.
tactus hlep; echo "exit $?"
tactus help --man-pges x; echo "exit $?"
tactus completion tcsh; echo "exit $?"
tactus completion; echo "exit $?"
tactus --frobnicate; echo "exit $?"
tactus help completion bash zsh; echo "exit $?"
