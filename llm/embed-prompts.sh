#!/bin/sh
# Writes llm/prompts.inc, the built-in prompts as C string literals in the order of enum rg__prompt. Run it after an edit of
# llm/prompts/*.txt; tests/llm/test_prompt.c fails when it was forgotten.
set -eu
cd "$(dirname "$0")"
{
    echo "/* Made by embed-prompts.sh from prompts/. Do not edit. */"
    for name in system problem current root step attempts repair judge issue critic review until-stable until-converged diagonals two-phases; do
        echo "[RG__PROMPT_$(echo $name | tr a-z- A-Z_)] ="
        sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/\\t/g' -e 's/^/    "/' -e 's/$/\\n"/' "prompts/$name.txt"
        echo "    ,"
    done
} >prompts.inc.tmp
mv prompts.inc.tmp prompts.inc
