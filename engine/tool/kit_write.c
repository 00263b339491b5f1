#include "kit_write.h"

#include "emit.h"
#include "fill.h"
#include "outfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *kit_name(char out[NAME_TEXT], size_t i)
{
    snprintf(out, NAME_TEXT, "kit-%02zu.jsonl", i + 1);
    return out;
}

bool kit_folder(const char *folder, problem *p)
{
    const struct dirent *e;
    bool empty = true;
    if (mkdir(folder, 0777) == 0)
        return true;
    if (errno != EEXIST)
        return fail(p, "cannot be made: %s", strerror(errno));
    DIR *d = opendir(folder);
    if (d == NULL)
        return fail(p, "%s", strerror(errno));
    while ((e = readdir(d)) != NULL)
        empty = empty && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
    closedir(d);
    return empty || fail(p, "is not empty: a kit is written into a folder of its own");
}

/* The claims that the mistakes a script is for break, each once. */
typedef struct claims {
    char names[128][16];
    size_t count;
} claims;

static void add_claims(claims *all, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, " ,");
        bool known = len == 0 || len >= sizeof all->names[0];
        for (size_t i = 0; !known && i < all->count; i++)
            known = strlen(all->names[i]) == len && memcmp(all->names[i], text, len) == 0;
        if (!known && all->count < sizeof all->names / sizeof all->names[0]) {
            memcpy(all->names[all->count], text, len);
            all->names[all->count++][len] = '\0';
        }
        text += len + (text[len] != '\0');
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void claims_of(claims *all, const kit *k, const kit_script *s)
{
    memset(all, 0, sizeof *all);
    for (size_t i = 0; i < k->hypotheses->singles; i++)
        if (s->chosen_for[i])
            add_claims(all, k->hypotheses->all[i].mistakes[0].claims);
    qsort(all->names, all->count, sizeof all->names[0], by_text);
}

/* The header says which trace it is and what it is for; the rest stays. */
static void write_header(FILE *out, const kit *k, size_t at, const char *header)
{
    const kit_script *s = &k->scripts[at];
    char name[NAME_TEXT];
    claims all;
    const char *rest = strstr(header, "\"precision\"");
    kit_name(name, at);
    claims_of(&all, k, s);
    fprintf(out,
            "{\"needle_trace\":1,\"source\":\"ndl " NDL_VERSION "\",\"id\":\"%.*s\",\"claims\":[",
            (int)strcspn(name, "."), name);
    for (size_t i = 0; i < all.count; i++)
        fprintf(out, "%s\"%s\"", i == 0 ? "" : ",", all.names[i]);
    fprintf(out, "],%s\n", rest);
}

static char *with_header(const kit *k, size_t at, size_t *len)
{
    const script *s = &k->scripts[at].script;
    char *text = NULL;
    FILE *out = open_text(&text, len);
    write_header(out, k, at, s->lines[0]);
    for (size_t i = 1; i < s->count; i++)
        fprintf(out, "%s\n", s->lines[i]);
    if (fclose(out) != 0)
        out_of_memory(*len);
    return text;
}

static bool write_trace(const kit *k, size_t at, const char *path, problem *p)
{
    outfile out;
    size_t len, line;
    if (!outfile_open(&out, path, p))
        return false;
    char *text = with_header(k, at, &len);
    fill f = {.out = out.file, .form = FORM_DECIMAL, .quiet = true};
    bool good = fill_text(&f, path, text, len, p, &line) || p->text[0] == '\0';
    free(text);
    if (good)
        return outfile_keep(&out, p);
    outfile_drop(&out);
    return false;
}

static void put_mistakes(emit *j, const kit *k, const char *name, const bool *which)
{
    emit_list(j, name);
    for (size_t i = 0; i < k->hypotheses->singles; i++)
        if (which[i])
            emit_text(j, NULL, k->hypotheses->all[i].name);
    emit_list_end(j);
}

static void write_manifest(const kit *k, FILE *out)
{
    const hypotheses *h = k->hypotheses;
    char name[NAME_TEXT];
    emit *j = emit_begin(out);
    emit_text(j, "ndl", NDL_VERSION);
    emit_list(j, "traces");
    for (size_t i = 0; i < k->count; i++) {
        claims all;
        claims_of(&all, k, &k->scripts[i]);
        emit_open(j, NULL);
        emit_text(j, "file", kit_name(name, i));
        emit_number(j, "operations", k->scripts[i].script.count - 1);
        emit_list(j, "claims");
        for (size_t c = 0; c < all.count; c++)
            emit_text(j, NULL, all.names[c]);
        emit_list_end(j);
        put_mistakes(j, k, "for", k->scripts[i].chosen_for);
        put_mistakes(j, k, "fails", k->scripts[i].fails);
        emit_close(j);
    }
    emit_list_end(j);
    emit_open(j, "mistakes");
    for (size_t i = 0; i < h->singles; i++)
        emit_text(j, h->all[i].name, h->all[i].mistakes[0].sentence);
    emit_close(j);
    put_mistakes(j, k, "not_told_from_the_engine", k->equal);
    emit_end(j);
    fputc('\n', out);
}

static void write_notes(const kit *k, FILE *out)
{
    const hypotheses *h = k->hypotheses;
    char name[NAME_TEXT];
    fputs("# Conformance kit for ports of Needle 3's decode state\n"
          "\n"
          "Each `kit-*.jsonl` is a needle-trace: calls of the decode state, a line each, with\n"
          "what must come out. Make the calls on a port, and compare; or record what the port\n"
          "gives in the same form and let `ndl check` compare, and `ndl diagnose` say which\n"
          "mistake it is. Integers must be equal and floats the same bits, but the outputs of\n"
          "`attend_step` and `attend_sequence`, which may lie within 1e-5 of the root mean\n"
          "square of what is recorded. A call whose `status` is another than `ok` must be\n"
          "refused, and must change nothing.\n"
          "\n"
          "The engine passes every trace. A port with one of the mistakes below fails the trace\n"
          "that it stands under. `manifest.json` says the same to programs, and of each trace\n"
          "every mistake that fails it.\n",
          out);
    for (size_t i = 0; i < k->count; i++) {
        fprintf(out, "\n## %s\n\n%zu operations, for:\n\n", kit_name(name, i),
                k->scripts[i].script.count - 1);
        for (size_t n = 0; n < h->singles; n++)
            if (k->scripts[i].chosen_for[n])
                fprintf(out, "- `%s`: %s\n", h->all[n].name, h->all[n].mistakes[0].sentence);
    }
    bool any = false;
    for (size_t n = 0; n < h->singles; n++) {
        if (!k->equal[n])
            continue;
        if (!any)
            fputs("\n## Not in this kit\n\nNo session that was looked at tells these from the "
                  "engine:\n\n",
                  out);
        any = true;
        fprintf(out, "- `%s`: %s\n", h->all[n].name, h->all[n].mistakes[0].sentence);
    }
}

static bool write_file(const kit *k, const char *path, void (*put)(const kit *, FILE *), problem *p)
{
    outfile out;
    if (!outfile_open(&out, path, p))
        return false;
    put(k, out.file);
    return outfile_keep(&out, p);
}

bool kit_write(const kit *k, const char *folder, char about[PATH_TEXT], problem *p)
{
    char name[NAME_TEXT];
    snprintf(about, PATH_TEXT, "%s", folder);
    for (size_t i = 0; i < k->count; i++) {
        snprintf(about, PATH_TEXT, "%s/%s", folder, kit_name(name, i));
        if (!write_trace(k, i, about, p))
            return false;
    }
    snprintf(about, PATH_TEXT, "%s/manifest.json", folder);
    if (!write_file(k, about, write_manifest, p))
        return false;
    snprintf(about, PATH_TEXT, "%s/README.md", folder);
    return write_file(k, about, write_notes, p);
}

/* Which hypotheses do not give what a trace records. */
static bool fails_trace(const hypotheses *h, const tape *t, bool *failed, problem *p)
{
    for (size_t i = 0; i < h->singles; i++) {
        trial one;
        if (!trial_run(&one, &h->all[i], t, TRY_UNTIL, p))
            return false;
        failed[i] = failed[i] || one.end != TRIAL_ENDED;
        trial_free(&one);
    }
    return true;
}

bool kit_check(const kit *k, const char *folder, problem *p)
{
    const hypotheses *h = k->hypotheses;
    bool *failed = get_memory(h->singles + 1), good = true;
    memset(failed, 0, h->singles + 1);
    for (size_t i = 0; good && i < k->count; i++) {
        char path[PATH_TEXT], name[NAME_TEXT];
        tape t;
        size_t line;
        snprintf(path, sizeof path, "%s/%s", folder, kit_name(name, i));
        if (!tape_read(&t, path, replay_default_memory(), false, false, p, &line)) {
            good = false;
            break;
        }
        good = t.differing == 0 || fail(p, "the engine does not pass %s", name);
        good = good && fails_trace(h, &t, failed, p);
        tape_free(&t);
    }
    for (size_t i = 0; good && i < h->singles; i++)
        good = failed[i] || k->equal[i] || fail(p, "%s passes the kit", h->all[i].name);
    free(failed);
    return good;
}
