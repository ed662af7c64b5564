/* Reading C text without parsing it: models write code that no parser accepts, and nothing here may fail on it. */
#include "llm.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool rg__c_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

char *rg__c_blank(const char *text, size_t n)
{
    char *out = rg_xmalloc(n + 1);
    memcpy(out, text, n);
    out[n] = '\0';
    for (size_t i = 0; i < n;) {
        if (out[i] == '/' && i + 1 < n && out[i + 1] == '/') {
            while (i < n && out[i] != '\n') out[i++] = ' ';
        } else if (out[i] == '/' && i + 1 < n && out[i + 1] == '*') {
            out[i++] = ' ';
            out[i++] = ' ';
            while (i < n && !(out[i] == '*' && i + 1 < n && out[i + 1] == '/')) {
                if (out[i] != '\n') out[i] = ' ';
                i++;
            }
            if (i < n) {
                out[i++] = ' ';
                out[i++] = ' ';
            }
        } else if (out[i] == '"' || out[i] == '\'') {
            char quote = out[i++];
            /* 1'000'000: a digit separator is no literal. */
            if (quote == '\'' && i >= 2 && isalnum((unsigned char)out[i - 2]) && i < n &&
                isalnum((unsigned char)out[i]))
                continue;
            while (i < n && out[i] != quote && out[i] != '\n') {
                if (out[i] == '\\' && i + 1 < n && out[i + 1] != '\n') out[i++] = ' ';
                out[i++] = ' ';
            }
            if (i < n && out[i] == quote) i++;
        } else {
            i++;
        }
    }
    return out;
}

size_t rg__c_find_word(const char *text, size_t n, size_t from, const char *word)
{
    size_t w = strlen(word);
    for (size_t i = from; w && i + w <= n; i++) {
        const char *hit = memchr(text + i, word[0], n - w + 1 - i);
        if (!hit) break;
        i = (size_t)(hit - text);
        if (!memcmp(hit, word, w) && (i == 0 || !rg__c_word_char(text[i - 1])) &&
            (i + w == n || !rg__c_word_char(text[i + w])))
            return i;
    }
    return (size_t)-1;
}

size_t rg__c_close(const char *blank, size_t n, size_t open)
{
    char a = blank[open], b = a == '(' ? ')' : a == '{' ? '}' : ']';
    int depth = 0;
    for (size_t i = open; i < n; i++) {
        if (blank[i] == a) depth++;
        if (blank[i] == b && --depth == 0) return i;
    }
    return n;
}

static bool has_word(const char *blank, size_t from, size_t to, const char *word)
{
    return rg__c_find_word(blank, to, from, word) != (size_t)-1;
}

/* The parameter list is the last bracket before the body; its name is the word before it. */
static bool function_head(const char *blank, size_t start, size_t brace, struct rg__item *it)
{
    size_t e = brace;
    while (e > start && isspace((unsigned char)blank[e - 1])) e--;
    for (;;) { /* trailing const, noexcept */
        size_t w = e;
        while (w > start && rg__c_word_char(blank[w - 1])) w--;
        size_t len = e - w;
        if ((len == 5 && !memcmp(blank + w, "const", 5)) || (len == 8 && !memcmp(blank + w, "noexcept", 8))) {
            e = w;
            while (e > start && isspace((unsigned char)blank[e - 1])) e--;
        } else {
            break;
        }
    }
    if (e == start || blank[e - 1] != ')') return false;
    int depth = 0;
    size_t open = e;
    while (open > start) {
        open--;
        if (blank[open] == ')') depth++;
        if (blank[open] == '(' && --depth == 0) break;
    }
    if (depth) return false;
    size_t ne = open;
    while (ne > start && isspace((unsigned char)blank[ne - 1])) ne--;
    size_t ns = ne;
    while (ns > start && rg__c_word_char(blank[ns - 1])) ns--;
    if (ns == ne) return false;
    it->name = ns;
    it->name_end = ne;
    it->kind = has_word(blank, start, open, "__global__")   ? RG__ITEM_KERNEL
               : has_word(blank, start, open, "__device__") ? RG__ITEM_DEVICE
                                                            : RG__ITEM_HOST;
    return true;
}

static size_t directive_end(const char *blank, size_t n, size_t i)
{
    while (i < n && blank[i] != '\n') {
        if (blank[i] == '\\' && i + 1 < n && blank[i + 1] == '\n') i++;
        i++;
    }
    return i < n ? i + 1 : n;
}

/* extern "C" {  and namespace x {  are looked through. */
static bool transparent(const char *blank, size_t start, size_t brace)
{
    size_t w = start;
    while (w < brace && rg__c_word_char(blank[w])) w++;
    if (w - start == 9 && !memcmp(blank + start, "namespace", 9)) return true;
    if (w - start != 6 || memcmp(blank + start, "extern", 6)) return false;
    while (w < brace && isspace((unsigned char)blank[w])) w++;
    if (w >= brace || blank[w] != '"') return false;
    const char *q = memchr(blank + w + 1, '"', brace - w - 1);
    if (!q) return false;
    w = (size_t)(q - blank) + 1;
    while (w < brace && isspace((unsigned char)blank[w])) w++;
    return w == brace;
}

int rg__c_items(const char *blank, size_t n, struct rg__item **items)
{
    int count = 0, cap = 0;
    *items = NULL;
    for (size_t i = 0; i < n;) {
        if (isspace((unsigned char)blank[i]) || blank[i] == '}') { /* a lone }: the end of something transparent */
            i++;
            continue;
        }
        struct rg__item it = {.kind = RG__ITEM_OTHER, .start = i};
        if (blank[i] == '#') {
            i = directive_end(blank, n, i);
        } else {
            bool end = false, assigned = false;
            while (i < n && !end) {
                char c = blank[i];
                if (c == '(' || c == '[') {
                    size_t close = rg__c_close(blank, n, i);
                    i = close < n ? close + 1 : n;
                } else if (c == '{') {
                    if (transparent(blank, it.start, i)) {
                        i++;
                        it.start = i;
                        break;
                    }
                    size_t close = rg__c_close(blank, n, i);
                    if (!assigned && function_head(blank, it.start, i, &it)) {
                        it.body = i + 1;
                        it.body_end = close;
                        end = true;
                    }
                    i = close < n ? close + 1 : n;
                } else {
                    end = c == ';';
                    assigned |= c == '=';
                    i++;
                }
            }
            if (it.start == i) continue;
        }
        it.end = i;
        RG_GROW(*items, count, cap);
        (*items)[count++] = it;
    }
    return count;
}

bool rg__c_has_kernel(const char *blank, size_t n, const char *name, size_t name_len)
{
    const char *angle = memchr(name, '<', name_len);
    if (angle) name_len = (size_t)(angle - name);
    while (name_len && isspace((unsigned char)name[name_len - 1])) name_len--;
    struct rg__item *items;
    int count = rg__c_items(blank, n, &items);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        found = items[i].kind == RG__ITEM_KERNEL && items[i].name_end - items[i].name == name_len &&
                !memcmp(blank + items[i].name, name, name_len);
    free(items);
    return found;
}

char *rg__c_plain(const char *cuda)
{
    size_t n = strlen(cuda), w = 0;
    char *blank = rg__c_blank(cuda, n), *out = rg_xmalloc(n + 1);
    size_t literal = 0; /* end of the one that is being copied: its insides are blanks there as a comment is */
    for (size_t i = 0; i < n; i++) {
        if (i >= literal && (blank[i] == '"' || blank[i] == '\'')) {
            size_t end = i + 1 + strspn(blank + i + 1, " ");
            if (blank[end] == blank[i]) literal = end + 1;
        }
        char c = i < literal || blank[i] != ' ' ? cuda[i] : cuda[i] == '\t' ? '\t' : ' ';
        if (c == '\n')
            while (w && (out[w - 1] == ' ' || out[w - 1] == '\t')) w--;
        if (c == '\n' && (!w || out[w - 1] == '\n')) continue; /* a line that was nothing else */
        out[w++] = c;
    }
    out[w] = 0;
    free(blank);
    return out;
}

char *rg__c_shown(const char *code)
{
    char *s = rg__c_plain(code);
    size_t w = 0;
    for (size_t i = 0; s[i];) {
        size_t blanks = strspn(s + i, " "), line = strcspn(s + i, "\n") + (strchr(s + i, '\n') != NULL);
        size_t kept = blanks / 4 + blanks % 4;
        memset(s + w, ' ', kept);
        memmove(s + w + kept, s + i + blanks, line - blanks);
        w += kept + line - blanks;
        i += line;
    }
    s[w] = 0;
    return s;
}
