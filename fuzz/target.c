#include "target.h"

#include <stdlib.h>

coverage target_cover;

void target_report(const char *property, const finding *f, const script *s)
{
    if (!found(f))
        return;
    fprintf(stderr, "%s: %s\n", property, f->text);
    if (s) {
        script_print(s, stderr);
        script_print_questions(s, stderr);
    }
    abort();
}
