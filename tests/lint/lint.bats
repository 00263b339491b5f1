#!/usr/bin/env bats
# Each check of `make lint` finds what it is for: it passes on a copy of the tree,
# and on the copy with a fault planted in it, it says where.

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    . tests/lint/files.sh
    export pristine=$BATS_FILE_TMPDIR/tree
    mkdir "$pristine"
    tree_files | grep -vE '^(tests/conformance|proofs/cache|corpus/seeds)/' | tar -cf - -T - | tar -xf - -C "$pristine"
}

setup() {
    cp -r "$pristine" "$BATS_TEST_TMPDIR/tree"
    cd "$BATS_TEST_TMPDIR/tree" || return
}

edit() { # edit FILE SED-SCRIPT: it must change something
    cp "$1" "$BATS_TEST_TMPDIR/before"
    sed -i -E "$2" "$1"
    ! cmp -s "$1" "$BATS_TEST_TMPDIR/before"
}

# says TEXT CHECK [ARGUMENT]...: the check fails, and one of its lines has the text.
says() {
    run "${@:2}"
    [ "$status" -ne 0 ]
    grep -F -- "$1" <<<"$output"
}

# A database for one file, so that clang-tidy and cppcheck look at it alone.
database() { # database FILE
    mkdir -p db/spec
    touch db/spec/none.h
    jq -n --arg directory "$PWD" --arg file "$1" '[{$directory, $file,
        command: "clang-14 -std=c11 -Wall -Wextra -Iengine/include -Iengine/src -c \($file)"}]' \
        >db/compile_commands.json
}

@test "format: a line laid out otherwise" {
    echo 'int  x;' >tests/planted.c
    says 'tests/planted.c:1: clang-format-14 lays this out otherwise' tests/lint/format.sh
}

@test "shell: a script with an unquoted variable, whatever its name" {
    # shellcheck disable=SC2016 # what is planted
    printf '#!/usr/bin/env bash\nrm $1\n' >tests/fault
    says SC2086 tests/lint/shell.sh
    rm tests/fault
    # shellcheck disable=SC2016 # what is planted
    edit tests/install.bats '$a echo $@'
    says 'In tests/install.bats line' tests/lint/shell.sh
}

@test "paths: a place that only some machines have" {
    tests/lint/paths.sh
    # Put together here, so that this file names none itself.
    local top=/ drive=C:
    for path in "${top}home/me/ndl" "${top}tmp/x" "${top}opt/gcc/bin" "\"${top}usr/lib/x\"" \
        "(${top}srv/x)" "$drive\\Users"; do
        printf 'see %s\n' "$path" >docs/planted.md
        says docs/planted.md:1: tests/lint/paths.sh
    done
    # shellcheck disable=SC2016 # what may stand
    printf '#!/usr/bin/env bash\nx >/dev/null; y /usr/local z\n$HOME/tmp/x ../usr/x https://x.org/home/\n' >docs/planted.md
    tests/lint/paths.sh
}

@test "rooms: each room, and each way to name what it may not see" {
    tests/lint/rooms.sh
    while read -r file include; do
        cp "$file" kept
        sed -i "1i #include $include" "$file"
        says "$file:1: " tests/lint/rooms.sh
        mv kept "$file"
    done <<'END'
engine/src/span.c "../tool/text.h"
engine/src/span.c "../tool/geometry.h"
engine/src/span.c <ref.h>
engine/src/span.h "../../tests/support.h"
engine/src/trusted/expf.c "nowhere.h"
engine/include/ndl.h "../src/state.h"
engine/record/ndl_record.h <ndl.h>
engine/tool/main.c "../src/state.h"
engine/tool/main.c "ref_log.h"
tests/support.c "state.h"
tests/crossarch/main.c "../support.h"
tests/port/toy_port.c <ndl.h>
spec/03-spans.md "span.h"
END
}

@test "engine: floats outside the leaves, in each form" {
    while read -r said; read -r line; do
        cp engine/src/span.c kept
        printf '%s\n' "$line" >>engine/src/span.c
        says "engine/src/span.c:$(($(wc -l <kept) + 1)): $said" tests/lint/engine.sh
        mv kept engine/src/span.c
    done <<'END'
a float operator outside the leaves
float ndl_x(float a, float b); float ndl_x(float a, float b) { return a + b; }
a float operator outside the leaves
static inline double ndl_x(const double *a) { return a[0] * a[1]; }
a float operator outside the leaves
static inline int ndl_x(const float *a) { return a[0] < 1.0f; }
a float operator outside the leaves
static inline float ndl_x(float a) { a /= 2.0f; return a; }
a float operator outside the leaves
static inline float ndl_x(float a) { return -a; }
a float operator outside the leaves
static inline float ndl_x(float a) { return a++; }
a float operator outside the leaves
static inline int ndl_x(float a) { return !a; }
a float operator outside the leaves
static inline int ndl_x(float a) { return a && 1; }
a float operator outside the leaves
typedef float four __attribute__((vector_size(16))); static inline four ndl_x(four a) { return a * a; }
a float conversion outside the leaves
static inline int ndl_x(float a) { return (int)a; }
a float conversion outside the leaves
static inline float ndl_x(int a) { return a; }
a float conversion outside the leaves
static inline double ndl_x(float a) { return a; }
a float as a condition outside the leaves
static inline int ndl_x(float a) { return a ? 1 : 2; }
a float as a condition outside the leaves
static inline int ndl_x(float a) { while (a) return 1; return 2; }
a library's function of floats
float sqrtf(float); static inline float ndl_x(float a) { return sqrtf(a); }
a library's function of floats
static inline float ndl_x(float a) { return __builtin_fabsf(a); }
a variable that outlives a call
static inline int ndl_x(void) { static int count; return ++count; }
a pointer of one type used as another
static inline int ndl_x(float *a) { return *(int *)(void *)a; }
a function with linkage whose name does not begin with ndl_
int span_x(void); int span_x(void) { return 1; }
a variable with linkage whose name does not begin with ndl_
extern const int span_x; const int span_x = 1;
END
}

@test "engine: a leaf that is none" {
    while read -r said; read -r line; do
        cp engine/src/leaf.h kept
        sed -i "\$i $line" engine/src/leaf.h
        says "$said" tests/lint/engine.sh
        mv kept engine/src/leaf.h
    done <<'END'
a leaf that takes a pointer
static inline float ndl_x(const float *a) { return a[0]; }
a leaf that is not static inline
static float ndl_x(float a) { return a; }
a loop in a leaf
static inline float ndl_x(float a) { while (a > 1.0f) a = a / 2.0f; return a; }
END
}

@test "engine: what may stand, and that a broken pattern is no success" {
    cat >>engine/src/span.c <<'END'
typedef struct span_pair { float a, b; } span_pair;
static inline float ndl_x(float a, float b, int c) { return c ? a : b; }
static inline float ndl_y(float *a) { a[1] = a[0]; return *a; }
static inline int ndl_z(const float *a, const float *b) { return a == b || a < b || a == 0; }
static inline span_pair ndl_p(span_pair a) { span_pair b = a; b.a = -1.0f; return b; }
static const char *const span_names[] = {"a"};
static inline const char *ndl_n(void) { return span_names[0]; }
END
    tests/lint/engine.sh
    edit tests/lint/engine.query 's/hasEitherOperand/hasEitherOperator/'
    says 'could be looked for' tests/lint/engine.sh
}

@test "docstrings: what is missing, and what is not true" {
    check='python3 -B tests/lint/docstrings.py'
    $check
    while IFS='|' read -r script said; do
        cp engine/include/ndl.h kept
        edit engine/include/ndl.h "$script"
        # shellcheck disable=SC2086
        says "$said" $check
        mv kept engine/include/ndl.h
    done <<'END'
s/^size_t ndl_bytes\(/\n&/|ndl_bytes has no docstring
s/Claims: KV_007\. Chapter: 2/Chapter: 2/|ndl_bytes: its docstring ends with 'Claims: ID.... Chapter: N.'
s/Claims: KV_007\. Chapter: 2\./Claims: KV_007./|ndl_bytes: its docstring ends with 'Claims: ID.... Chapter: N.'
s/Claims: KV_007\./Claims: KV_777./|ndl_bytes: no chapter declares KV_777
s/Claims: KV_007\. Chapter: 2/Claims: KV_007. Chapter: 8/|ndl_bytes: chapter 8 declares none of its claims
s/k: num_kv_heads \* qk_head_dim floats; v/v/|ndl_write_kv: the shape of k is not given
s/\*lost is unchanged then/unchanged then/|ndl_lost: lost is not mentioned
s/Errors: NDL_E_LAYER; \*lost is unchanged then/Errors: NDL_E_LAYER. *lost/|ndl_lost: what is unchanged after a failure?
s/Errors: NDL_E_LAYER; \*lost/NDL_E_LAYER; *lost/|ndl_lost: its errors are not listed
s/NDL_E_LAYER, NDL_E_POSITION; \*out/NDL_E_LAYER; *out/|ndl_span_at: can return NDL_E_POSITION, which is not listed
s/Errors: NDL_E_LAYER; \*lost/Errors: NDL_E_LAYER, NDL_E_SITE; *lost/|ndl_lost: never returns NDL_E_SITE, which is listed
s/Errors: NDL_E_LAYER; \*lost/Errors: NDL_E_LAYERS; *lost/|ndl_lost: there is no status NDL_E_LAYERS
END
    edit engine/include/ndl.h 's/^    X\(NDL_E_LAYER,/    X(NDL_E_NONE, "none", "none") \\\n&/'
    # shellcheck disable=SC2086
    says 'nothing returns NDL_E_NONE' $check
}

@test "docstrings: a status that the code begins to return" {
    edit engine/src/state_kv.c 's/return NDL_E_LAYER;/return pos == 9 ? NDL_E_SITE : NDL_E_LAYER;/'
    says 'can return NDL_E_SITE, which is not listed' python3 -B tests/lint/docstrings.py
}

@test "tidy: a fault, a check turned off without a reason, and nothing twice" {
    database tests/planted.c
    printf 'int ndl_x(const char *s);\nint ndl_x(const char *s)\n{\n    return s == 0;\n}\n' >tests/planted.c
    tests/lint/tidy.sh db
    edit tests/planted.c 's/s == 0/s == 0 ? 1 : 1/'
    says 'tests/planted.c:4' tests/lint/tidy.sh db
    says 'tests/planted.c:4' tests/lint/tidy.sh db
    edit .clang-tidy 's/^  -bugprone-easily/  -bugprone-branch-clone,\n&/'
    says '< bugprone-branch-clone' tests/lint/tidy.sh db
    edit .clang-tidy '/^  -bugprone-branch-clone/d; /^  -readability-magic-numbers,/d'
    says '> readability-magic-numbers' tests/lint/tidy.sh db
}

@test "cppcheck: a fault" {
    database tests/planted.c
    printf 'int ndl_x(int i);\nint ndl_x(int i)\n{\n    int a[2] = {1, 2};\n    return i == 5 ? a[i] : 0;\n}\n' >tests/planted.c
    says 'tests/planted.c:5: ' tests/lint/cppcheck.sh db
    edit tests/planted.c 's/== 5/== 1/'
    tests/lint/cppcheck.sh db
}

@test "man: unsound mdoc, a page and a function that there are not" {
    tests/lint/man.sh
    while IFS='|' read -r line said; do
        cp docs/man/ndl.1 kept
        printf '%s\n' "$line" >>docs/man/ndl.1
        says "$said" tests/lint/man.sh
        mv kept docs/man/ndl.1
    done <<'END'
.Ed|ERROR: skipping end of block that is not open
.Xr ndl-wash 1|there is no ndl-wash(1)
.Fn ndl_wash|there is no ndl_wash()
END
}

@test "the database has each C file once, with the flags that make gives it" {
    cd "$BATS_TEST_DIRNAME/../.." || return
    . tests/lint/files.sh
    database=${LINT:-build/lint}/compile_commands.json
    diff <(c_files | grep '\.c$' | sort) <(jq -r '.[].file' "$database" | grep -v /spec/ref_ | sort)
    jq -e '[.[] | select(.file | test("/spec/ref_"))] | length > 5' "$database"
    jq -e '.[] | select(.file == "engine/tool/main.c") | .command | test("-Iengine/include .*/spec ")' "$database"
}
