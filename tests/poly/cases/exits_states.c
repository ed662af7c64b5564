// want: parallel
/* Depth, and whether a character is hidden, up to the first that closes too much: behind it nothing is written. */
#include <stddef.h>
#pragma regraph size(len=6000, base=2000) size(len=1, base=1) size(len=2, base=0) size(len=700, base=3)
#pragma regraph input(text: uniform(38, 43))
enum nest { OK, UNDERFLOW_AT, UNCLOSED };
enum nest exits_states(const char *text, size_t len, int base, int *depth, int *deepest, size_t *where)
{
    int d = base, hidden = 0, quoted = 0;
    *deepest = 0;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        depth[i] = d;
        if (hidden) {
            hidden = 0;
            continue;
        }
        if (quoted) {
            if (c == '&') hidden = 1;
            else if (c == '*') quoted = 0;
            continue;
        }
        switch (c) {
        case '*': quoted = 1; break;
        case '(':
            if (++d > *deepest) *deepest = d;
            break;
        case ')':
            if (d == 0) {
                *where = i;
                return UNDERFLOW_AT;
            }
            depth[i] = --d;
        }
    }
    *where = len;
    return d || quoted ? UNCLOSED : OK;
}
