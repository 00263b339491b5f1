#include "api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *library_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        fprintf(stderr, "bench: %s\n", dlerror());
        exit(2);
    }
    return library;
}

void *library_symbol(void *library, const char *symbol)
{
    void *found = dlsym(library, symbol);

    if (found == NULL) {
        fprintf(stderr, "bench: %s\n", dlerror());
        exit(2);
    }
    return found;
}

api api_open(const char *name, const char *path)
{
    void *library = library_open(path);
    api a = {.name = name, .engine = dlsym(library, "ndl_session_clone") != NULL};

    /* The form that POSIX gives for pointers to functions. */
#define X(call) *(void **)&a.call = library_symbol(library, "ndl_" #call);
    API_DECODER(X)
    if (a.engine) {
        API_ENGINE(X)
    }
#undef X
    return a;
}

void must(ndl_status status, const api *a, const char *what)
{
    if (status == NDL_OK)
        return;
    fprintf(stderr, "bench: %s: %s gives status %d\n", a->name, what, (int)status);
    exit(2);
}
