# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command once for each line of inputs.jsonl, which it gets on stdin; all in one folder, so
# that what is compiled for the first is there for the others.
#
# usage: compare_outputs.sh RESULTS COMMAND [ARGUMENT...]
# A result is the exit code and what came on stdout, as "CODE BYTES\n", the text and "\n".

results=$1
shift
longest=8192
while IFS= read -r line <&3; do
    printf '%s\n' "$line" | "$@" >.stdout 3<&-
    code=$?
    size=$(wc -c <.stdout | tr -d ' ')
    if [ "$size" -gt "$longest" ]; then
        head -c "$longest" .stdout >.kept
        printf ' ... (%s bytes, sha256 %s)' "$size" "$(sha256sum <.stdout | cut -c 1-64)" >>.kept
        mv -f .kept .stdout
        size=$(wc -c <.stdout | tr -d ' ')
    fi
    { printf '%s %s\n' "$code" "$size" && cat .stdout && printf '\n'; } >>"$results"
done 3<inputs.jsonl
