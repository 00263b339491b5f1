/* Names and sentences of the statuses. */
#include "support.h"

#include <string.h>

static const struct {
    ndl_status status;
    const char *identifier, *name, *text;
} list[] = {
#define X(id, name, text) {id, #id, name, text},
    NDL_STATUS_LIST(X)
#undef X
};

Test(status, SES_001_each_has_the_name_and_the_sentence_of_the_list)
{
    for (size_t i = 0; i < COUNT(list); i++) {
        cr_assert((size_t)list[i].status == i, "%s", list[i].identifier);
        cr_assert(strcmp(ndl_status_name(list[i].status), list[i].name) == 0);
        cr_assert(strcmp(ndl_status_text(list[i].status), list[i].text) == 0);
    }
}

Test(status, SES_001_no_two_share_a_name_or_a_sentence)
{
    for (size_t i = 0; i < COUNT(list); i++) {
        for (size_t j = 0; j < i; j++) {
            cr_assert(strcmp(list[i].name, list[j].name) != 0, "%s", list[i].name);
            cr_assert(strcmp(list[i].text, list[j].text) != 0, "%s", list[i].text);
        }
    }
}

Test(status, SES_001_what_is_no_status_has_a_name_too)
{
    const int others[] = {(int)COUNT(list), (int)COUNT(list) + 1, 1000, INT32_MAX};
    for (size_t i = 0; i < COUNT(others); i++) {
        cr_assert(strcmp(ndl_status_name((ndl_status)others[i]), "unknown_status") == 0);
        cr_assert(strcmp(ndl_status_text((ndl_status)others[i]), "unknown status") == 0);
    }
}
