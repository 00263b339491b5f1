#include "names.h"

#include "text.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const names_entry *x = a, *y = b;
    if (x->len != y->len)
        return x->len < y->len ? -1 : 1;
    return x->len == 0 ? 0 : memcmp(x->text, y->text, x->len);
}

/* A node of tsearch's tree starts with the pointer to the entry. */
static names_entry *entry(void *node)
{
    return *(names_entry *const *)node;
}

names_entry *names_find(const names *n, const char *text, size_t len)
{
    const names_entry key = {(char *)text, len, NULL}; /* only read */
    void *node = tfind(&key, &n->root, compare);
    return node == NULL ? NULL : entry(node);
}

names_entry *names_add(names *n, const char *text, size_t len)
{
    names_entry *found = names_find(n, text, len);
    if (found != NULL)
        return found;
    names_entry *fresh = get_memory(sizeof *fresh);
    char *copy = get_memory(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    *fresh = (names_entry){copy, len, NULL};
    if (tsearch(fresh, &n->root, compare) == NULL)
        out_of_memory(sizeof *fresh);
    return fresh;
}

void names_free(names *n, void (*release)(void *context, void *thing), void *context)
{
    while (n->root != NULL) {
        names_entry *first = entry(n->root);
        tdelete(first, &n->root, compare);
        if (release != NULL && first->thing != NULL)
            release(context, first->thing);
        free(first->text);
        free(first);
    }
}
