#include "engine/journal.h"
#include "engine/journal_line_json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *rg__tuned_json(const struct rg_evidence *row)
{
    json_t *o = json_object();
    for (int i = 0; i < row->n_tuned; i++) {
        const struct rg_tuned *t = &row->tuned[i];
        json_t *values = json_object_get(o, t->name);
        if (!values) {
            values = json_object();
            json_object_set_new(o, t->name, values);
        }
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)t->value);
        json_object_set_new(values, text, json_integer(t->count));
    }
    return o;
}

/* Length of the UTF-8 sequence at s, 0 when it is none (overlong, surrogate, beyond U+10FFFF, cut). */
static int sequence(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int n = s[0] >= 0xC2 && s[0] <= 0xDF ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))) return 0;
    if (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))) return 0;
    return n;
}

void rg__utf8_clean(char *s)
{
    while (*s) {
        int n = sequence((const unsigned char *)s);
        if (n == 0) *s = '?';
        s += n ? n : 1;
    }
}
