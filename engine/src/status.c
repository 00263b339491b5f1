/* The names and sentences of the statuses, both from the one list of ndl.h.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "ndl.h"

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures some: \result != \null;
*/
const char *ndl_status_name(ndl_status status)
{
    switch (status) {
#define X(id, name, text)                                                                          \
    case id:                                                                                       \
        return name;
        NDL_STATUS_LIST(X)
#undef X
    }
    return "unknown_status";
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures some: \result != \null;
*/
const char *ndl_status_text(ndl_status status)
{
    switch (status) {
#define X(id, name, text)                                                                          \
    case id:                                                                                       \
        return text;
        NDL_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}
