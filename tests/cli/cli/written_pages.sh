# The manual's pages and the schemas are those that are committed; where they cannot be written, that is said.
tactus help --man-pages man && diff -r man $ROOT/man --exclude=meson.build --exclude='*.in'; echo "exit $?"
tactus help --schemas schemas && diff -r schemas $ROOT/schemas | grep -v '^Only in .*ROOT.*/schemas\|xsd\|report.schema.json'
tactus help --man-pages man && tactus help --schemas schemas; echo "again: exit $?"
tactus help --man-pages /nowhere/man; echo "exit $?"
tactus help --schemas /nowhere/schemas; echo "exit $?"
: > file; tactus help --man-pages file; echo "exit $?"
