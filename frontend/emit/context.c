/* What a reader of the function has to know of its file: helpers that it calls, and the macros, types and file-scope
 * variables that it, they, or one another name. As written, in the order of the file. */
#include "frontend/emit/context.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

struct rg__context_item {
    char *text;
    size_t at; /* of the body of a macro in the text: what its definition names */
    bool in, pinned;
};

struct name {
    const char *name;
    int item;
};

static struct rg__context_item *add_item(struct rg__context *c, char *text, size_t at)
{
    RG_GROW(c->items, c->n, c->cap);
    c->items[c->n] = (struct rg__context_item){.text = text, .at = at};
    return &c->items[c->n++];
}

static void add_name(struct rg__context *c, const char *name)
{
    if (!*name) return;
    RG_GROW(c->names, c->n_names, c->cap_names);
    c->names[c->n_names++] = (struct name){rg_arena_strdup(&c->arena, name), c->n - 1};
}

static size_t word_length(const char *p)
{
    return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static const char *skip_blank(const char *p)
{
    return p + strspn(p, " \t");
}

/* The name that a line defines as a macro, and its length; NULL: none. */
static const char *defined(const char *line, size_t *n)
{
    const char *p = skip_blank(line);
    if (*p++ != '#') return NULL;
    p = skip_blank(p);
    if (strncmp(p, "define", 6) || (p[6] != ' ' && p[6] != '\t')) return NULL;
    p = skip_blank(p + 6);
    *n = word_length(p);
    return *n ? p : NULL;
}

static void add_macro(struct rg__context *c, const char *line, size_t len, const char *name, size_t n)
{
    char *text = rg_xasprintf("%.*s\n", (int)len, line), *word = rg_xstrndup(name, n);
    add_item(c, text, (size_t)(name - line) + n);
    add_name(c, word);
    free(word);
}

/* Of the user's headers and the compiler's command line: as the preprocessor prints them. */
static void macros_elsewhere(struct rg__context *c, const char *file, const char *cflags)
{
    static const char *const keep[] = {"-dD", NULL};
    struct rg_buf text = RG_BUF_INIT;
    bool here = false;
    if (rg__preprocess(file, cflags, keep, &text, NULL) != RG_OK) return; /* a compiler without -dD */
    for (const char *line = text.data, *end; line && *line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        size_t len = end ? (size_t)(end - line) : strlen(line), n;
        if (len > 2 && line[0] == '#' && line[1] == ' ') {
            here = rg__marker_is_users(line, len) || memmem(line, len, "\"<command", 9);
            const char *name = memchr(line, '"', len);
            here = here && !(name && !strncmp(name + 1, file, strlen(file)) && name[1 + strlen(file)] == '"');
            continue;
        }
        const char *name = here ? defined(line, &n) : NULL;
        if (name && strncmp(name, "__", 2)) add_macro(c, line, len, name, n);
    }
    rg_buf_release(&text);
}

/* Of the file itself: with its comments. */
static void macros_here(struct rg__context *c, const char *file)
{
    char *text;
    size_t len, n;
    if (rg_file_read(file, (size_t)64 << 20, &text, &len, NULL) != RG_OK) return;
    for (char *line = text, *end; line && *line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        while (end && end > line && end[-1] == '\\') end = strchr(end + 1, '\n');
        const char *name = defined(line, &n);
        if (name) add_macro(c, line, end ? (size_t)(end - line) : strlen(line), name, n);
    }
    free(text);
}

void rg__context_init(struct rg__context *c, const char *file, const char *cflags)
{
    *c = (struct rg__context){.arena = RG_ARENA_INIT};
    macros_elsewhere(c, file, cflags);
    macros_here(c, file);
}

void rg__context_declaration(struct rg__context *c, const char *text, bool goes_on)
{
    if (!goes_on || !c->n) {
        add_item(c, rg_xstrdup(text), 0);
    } else if (*text) {
        struct rg__context_item *last = &c->items[c->n - 1];
        char *both = rg_xasprintf("%s%s", last->text, text);
        free(last->text);
        last->text = both;
    }
}

void rg__context_name(struct rg__context *c, const char *name)
{
    add_name(c, name);
}

void rg__context_pin(struct rg__context *c)
{
    c->items[c->n - 1].pinned = true;
}

static int by_name(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->item - y->item;
}

/* Takes the items that the text names, its conditions (`#if DEPTH > 2`) too, and those that these name. */
static void follow(struct rg__context *c, const char *text)
{
    struct rg__source s;
    char *words = rg_xstrdup(text);
    for (char *line = words; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        char *first = line + strspn(line, " \t");
        if (*first == '#') *first = ' '; /* a directive is no token */
    }
    rg__source_init(&s, words, strlen(words));
    for (int k = 0; k < s.n_toks; k++) {
        if (s.toks[k].kind != RG__TOK_IDENT) continue;
        const char *word = rg__tok_text(&s, k, &s.arena);
        int low = 0, high = c->n_names;
        while (low < high) {
            int mid = (low + high) / 2;
            if (strcmp(c->names[mid].name, word) < 0)
                low = mid + 1;
            else
                high = mid;
        }
        for (; low < c->n_names && !strcmp(c->names[low].name, word); low++) {
            struct rg__context_item *item = &c->items[c->names[low].item];
            if (item->in) continue;
            item->in = true;
            follow(c, item->text + item->at);
        }
    }
    rg__source_release(&s);
}

void rg__context_follow(struct rg__context *c, const char *text)
{
    if (c->n_names) qsort(c->names, (size_t)c->n_names, sizeof *c->names, by_name);
    follow(c, text);
    for (int i = 0; i < c->n; i++) {
        if (!c->items[i].pinned || c->items[i].in) continue;
        c->items[i].in = true;
        follow(c, c->items[i].text);
    }
}

void rg__context_print(const struct rg__context *c, struct rg_buf *out)
{
    for (int i = 0; i < c->n; i++)
        if (c->items[i].in) rg_buf_str(out, c->items[i].text);
}

void rg__context_release(struct rg__context *c)
{
    for (int i = 0; i < c->n; i++) free(c->items[i].text);
    free(c->items);
    free(c->names);
    rg_arena_release(&c->arena);
}
