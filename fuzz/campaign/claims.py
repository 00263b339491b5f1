"""Which claims a target's message says are broken.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import re

# The session's target names all claims; what differs first (fuzz/observe.c,
# fuzz/lockstep.c) says which of them it is.
OBSERVED = [
    (r"span\b", "SPAN_001"),
    (r"slots", "KV_002"),
    (r"lost", "KV_010"),
    (r"is_saturated", "KV_011"),
    (r"bytes is", "KV_007"),
    (r"[kv]\[", "KV_003 KV_004"),
    (r"[kv] (codes|scales)\[", "KV_003 KV_005"),
    (r"token \d|length of the history", "TOK_001 TOK_002"),
    (r"index of table", "TOK_004"),
    (r"tail of [qkv]", "CONV_002 CONV_003"),
    (r"tail of a site", "ENG_002 ENG_003"),
    (r"out\[", "CONV_001 ENG_001 ATT_001"),
    (r"position is", "SES_008"),
    (r"byte \d+ of the save|size of the save", "SES_010"),
    (r"an argument|\*out has changed", "SES_001"),
    (r"\d+ bytes (are held|in \d+ blocks)|memory was", "SES_009"),
    (r"session \d shows something else", "SES_011"),
]
ID = re.compile(r"(?<![A-Z])[A-Z]{2,5}_\d{3}")
DIFFER = "engine and reference differ: "


def claims_of(said):
    """Of a line "PROPERTY: what differs": those of what differs, else of the property."""
    _, found, text = said.rpartition(DIFFER)
    for pattern, claims in OBSERVED if found else ():
        if re.match(pattern, text):
            return claims.split()
    _, colon, text = said.partition(": ")
    names = ID.findall(text) or ID.findall(said) if colon else []
    return list(dict.fromkeys(names))
