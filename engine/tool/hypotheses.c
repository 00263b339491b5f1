#include "hypotheses.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const hypothesis right_engine = {.name = (char[]){"right"}};

static char *text_of(const char *text, size_t len)
{
    char *copy = get_memory(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

/* A line more of a value; lines are one text with blanks between them. */
static void append(char **value, const char *text, size_t len)
{
    size_t used = *value == NULL ? 0 : strlen(*value);
    while (len > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        len--;
    }
    if (len == 0)
        return;
    *value = get_more(*value, used + len + 2);
    if (used > 0)
        (*value)[used++] = ' ';
    memcpy(*value + used, text, len);
    (*value)[used + len] = '\0';
}

/* Where the value of a line like "Look: ..." goes; NULL: it begins no field of use here. */
static char **field(mistake *m, const char *line, size_t len, size_t *skip)
{
    struct {
        const char *name;
        char **value;
    } fields[] = {
        {"Kind:", &m->kind}, {"Look:", &m->look}, {"Claims:", &m->claims}, {"Target:", &m->target}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        *skip = strlen(fields[i].name);
        if (len >= *skip && memcmp(line, fields[i].name, *skip) == 0)
            return fields[i].value;
    }
    return NULL;
}

static bool begins_field(const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    return colon != NULL && line[0] >= 'A' && line[0] <= 'Z' &&
           (memchr(line, ' ', (size_t)(colon - line)) == NULL ||
            strncmp(line, "Unseen by", 9) == 0);
}

static void make_whole(mistake *m)
{
    char **all[] = {&m->name, &m->sentence, &m->kind, &m->look, &m->claims, &m->target};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (*all[i] == NULL)
            *all[i] = text_of("", 0);
}

/*
 * The header of a patch: its name, the sentence up to the first empty line, and
 * fields, a line each, which go on in lines that are indented.
 */
static bool read_header(hypothesis *h, const char *text, problem *p)
{
    static const char begin[] = "Name: ";
    mistake *m = NULL;
    char **value = NULL;
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n"), skip;
        if (strncmp(line, begin, sizeof begin - 1) == 0) {
            if (h->count == MOST_MISTAKES)
                return fail(p, "it describes more than %d mistakes", MOST_MISTAKES);
            m = &h->mistakes[h->count++];
            m->name = text_of(line + sizeof begin - 1, len - (sizeof begin - 1));
            value = &m->sentence;
        } else if (m == NULL) {
            return fail(p, "its description has no name");
        } else if (len == 0) {
            value = NULL;
        } else if (value != &m->sentence && begins_field(line, len)) {
            value = field(m, line, len, &skip);
            if (value != NULL)
                append(value, line + skip, len - skip);
        } else if (value != NULL) {
            append(value, line, len);
        }
        line += len + (line[len] == '\n');
    }
    if (h->count == 0)
        return fail(p, "its description is empty");
    for (size_t i = 0; i < h->count; i++)
        make_whole(&h->mistakes[i]);
    return true;
}

static char *joined(const char *folder, const char *file)
{
    size_t len = strlen(folder) + strlen(file) + 2;
    char *path = get_memory(len);
    snprintf(path, len, "%s/%s", folder, file);
    return path;
}

static void release(hypothesis *h)
{
    for (size_t i = 0; i < MOST_MISTAKES; i++) {
        mistake *m = &h->mistakes[i];
        char *all[] = {m->name, m->sentence, m->kind, m->look, m->claims, m->target};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
            free(all[k]);
    }
    free(h->name);
    free(h->path);
    if (h->library != NULL)
        dlclose(h->library);
}

static bool open_library(hypothesis *h, problem *p)
{
    problem why;
    if (h->library != NULL)
        return true;
    h->library = dlopen(h->path, RTLD_NOW | RTLD_LOCAL);
    if (h->library == NULL)
        return fail(p, "%s", dlerror());
    return backend_take(h->library, &why) || fail(p, "%s is no hypothesis: %s", h->path, why.text);
}

/* Opens a library for what it says of itself. */
static bool introduce(hypothesis *h, problem *p)
{
    problem why;
    if (!open_library(h, p))
        return false;
    const char *text = dlsym(h->library, "ndl_hypothesis");
    if (text == NULL)
        return fail(p, "%s is no hypothesis: it has no ndl_hypothesis", h->path);
    return read_header(h, text, &why) || fail(p, "%s is no hypothesis: %s", h->path, why.text);
}

static void copy_mistake(mistake *to, const mistake *from)
{
    to->name = text_of(from->name, strlen(from->name));
    to->sentence = text_of(from->sentence, strlen(from->sentence));
    to->kind = text_of(from->kind, strlen(from->kind));
    to->look = text_of(from->look, strlen(from->look));
    to->claims = text_of(from->claims, strlen(from->claims));
    to->target = text_of(from->target, strlen(from->target));
}

/* A pair is known by its name and by the two, of which there may be thousands. */
static bool introduce_pair(const hypotheses *all, hypothesis *h, problem *p)
{
    const size_t len = strcspn(h->name, "+");
    const hypothesis *a = NULL, *b = NULL;
    for (size_t i = 0; i < all->singles; i++) {
        const hypothesis *one = &all->all[i];
        if (strlen(one->name) == len && memcmp(one->name, h->name, len) == 0)
            a = one;
        if (h->name[len] == '+' && strcmp(one->name, h->name + len + 1) == 0)
            b = one;
    }
    if (a == NULL || b == NULL)
        return introduce(h, p);
    copy_mistake(&h->mistakes[0], &a->mistakes[0]);
    copy_mistake(&h->mistakes[1], &b->mistakes[0]);
    h->count = 2;
    return true;
}

static void found(hypothesis *h, const char *folder, const char *file)
{
    memset(h, 0, sizeof *h);
    h->name = text_of(file, strlen(file) - strlen(".so"));
    h->path = joined(folder, file);
}

static int by_mistakes(const void *a, const void *b)
{
    const hypothesis *x = a, *y = b;
    const bool pair_x = strchr(x->name, '+') != NULL, pair_y = strchr(y->name, '+') != NULL;
    if (pair_x != pair_y)
        return pair_x ? 1 : -1;
    return strcmp(x->name, y->name);
}

static bool is_library(const char *file)
{
    size_t len = strlen(file);
    return len > 3 && file[0] != '.' && strcmp(file + len - 3, ".so") == 0;
}

static bool is_named(const char *file, const char *name)
{
    size_t len = strlen(name);
    return strncmp(file, name, len) == 0 && strcmp(file + len, ".so") == 0;
}

static bool load_folder(hypotheses *h, DIR *d, const char *folder, const char *only, problem *p)
{
    const struct dirent *e;
    size_t room = 0;
    while ((e = readdir(d)) != NULL) {
        if (only != NULL ? !is_named(e->d_name, only) : !is_library(e->d_name))
            continue;
        if (h->count == room) {
            room = room * 2 + 64;
            h->all = get_more(h->all, room * sizeof *h->all);
        }
        found(&h->all[h->count++], folder, e->d_name);
    }
    if (h->count == 0)
        return true;
    qsort(h->all, h->count, sizeof *h->all, by_mistakes);
    while (h->singles < h->count && strchr(h->all[h->singles].name, '+') == NULL)
        if (!introduce(&h->all[h->singles++], p))
            return false;
    for (size_t i = h->singles; i < h->count; i++)
        if (!introduce_pair(h, &h->all[i], p))
            return false;
    return true;
}

/* The folder of this command's own hypotheses. */
static char *own_folder(void)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    path[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return text_of(hypotheses_from_here, strlen(hypotheses_from_here));
    *slash = '\0';
    return joined(path, hypotheses_from_here);
}

/* Those of a folder, or the one of a name. */
static bool load(hypotheses *h, const char *folder, const char *only, problem *p)
{
    const char *named = getenv("NDL_HYPOTHESES");
    memset(h, 0, sizeof *h);
    if (folder == NULL && named != NULL && *named != '\0')
        folder = named;
    h->where = folder != NULL ? text_of(folder, strlen(folder)) : own_folder();
    DIR *d = opendir(h->where);
    if (d == NULL) {
        say_problem(p,
                    "the hypotheses' folder %s: %s; \"make\" builds them, and --hypotheses "
                    "says where they are",
                    h->where, strerror(errno));
        hypotheses_free(h);
        return false;
    }
    bool good = load_folder(h, d, h->where, only, p);
    closedir(d);
    if (good && h->count == 0 && only == NULL)
        good = fail(p, "the folder %s holds no hypotheses", h->where);
    if (!good)
        hypotheses_free(h);
    return good;
}

bool hypotheses_load(hypotheses *h, const char *folder, problem *p)
{
    return load(h, folder, NULL, p);
}

bool hypotheses_load_one(hypotheses *h, const char *folder, const char *name, problem *p)
{
    return load(h, folder, name, p);
}

void hypotheses_free(hypotheses *h)
{
    for (size_t i = 0; i < h->count; i++)
        release(&h->all[i]);
    free(h->all);
    free(h->where);
    memset(h, 0, sizeof *h);
}

const hypothesis *hypotheses_find(const hypotheses *h, const char *name, problem *p)
{
    char q[QUOTED];
    if (strcmp(name, right_engine.name) == 0)
        return &right_engine;
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->all[i].name, name) == 0)
            return &h->all[i];
    say_problem(p, "there is no hypothesis %s in %s; \"ndl diagnose --list\" names them",
                quoted(q, name, strlen(name)), h->where);
    return NULL;
}

const backend *hypothesis_backend(const hypothesis *h)
{
    problem p;
    if (h->path == NULL)
        return &backend_engine;
    /* In the process of its own: another need not know that it is open. */
    hypothesis own = *h;
    return open_library(&own, &p) && backend_take(own.library, &p) ? &backend_hypothesis : NULL;
}
