#!/usr/bin/env bash
# man.sh: the manual pages are sound mdoc, and each page and each function of the
# header that one points to exists.
set -euo pipefail
cd "$(dirname "$0")/../.."

bad=0
# That a page is not installed here is no fault of the one that points to it.
said=$(mandoc -T lint docs/man/*.[1-8] 2>&1 | grep -vE 'referenced manual not found|mandoc\.db' || true)
[ -z "$said" ] || {
    echo "$said"
    bad=1
}
while IFS=: read -r file line name section; do
    [ -f "docs/man/$name.$section" ] && continue
    # Pages of the system that are pointed to.
    case $name.$section in
    gzip.1 | pkg-config.1) ;;
    *)
        echo "$file:$line: there is no $name($section)"
        bad=1
        ;;
    esac
done < <(grep -HnE '^\.Xr ' docs/man/*.[1-8] | sed -E 's/:\.Xr ([^ ]+) ([0-9]).*/:\1:\2/')
while IFS=: read -r file line name; do
    grep -qE "[ *]$name\(" engine/include/ndl.h && continue
    echo "$file:$line: there is no $name()"
    bad=1
done < <(grep -HnE '^\.Fn ' docs/man/*.[1-8] | sed -E 's/:\.Fn ([^ ]+).*/:\1/')
[ $bad -eq 0 ]
