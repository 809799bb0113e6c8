# The version names the libraries; the help of a command has its example.
tactus --version | grep -c '^  ' | sed 's/^[0-9]*$/libraries listed/'
tactus help completion
tactus completion bash -o out.bash && bash -n out.bash && grep -c 'complete -o filenames' out.bash
tactus completion bash -o /nonexistent/out.bash; echo "exit $?"
tactus completion bash > /dev/full; echo "exit $?"
