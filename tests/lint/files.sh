# files.sh, sourced by the checks that read the tree: files of this project, one
# a line, from its top. In a clone those that git knows or would take, else all
# but what is made.
#
# shellcheck shell=bash

tree_files() { # tree_files [EXTENSION...]
    local extension
    if [ "$(git rev-parse --show-prefix 2>/dev/null || echo none)" = '' ]; then
        git ls-files -co --exclude-standard
    else
        find . -path ./build -prune -o -type f -print | sed 's|^\./||' | LC_ALL=C sort
    fi | while read -r file; do
        [ -f "$file" ] || continue
        [ $# -gt 0 ] || echo "$file"
        for extension; do
            [[ $file != *."$extension" ]] || echo "$file"
        done
    done
}

c_files() { # what is compiled or read as C: not the small tree that the ledger's tests break
    tree_files c h | grep -v '^tests/ledger/tree/'
}
