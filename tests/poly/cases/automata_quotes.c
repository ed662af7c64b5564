// Text in quotes, where a backslash hides what follows: flags of their own, a structure's members, bool; lists of what is found. want: parallel
#include <stdbool.h>
#include <stddef.h>
#pragma regraph size(n=30000) size(n=131) size(n=3) size(n=1) extent(s: n) extent(inside: n) extent(at: n) extent(depth: n) input(s: choice(34, 92, 65, 66, 44, 40, 41))
struct scanner {
    bool quoted, hidden;
};
int automata_quotes(size_t n, const char *s, unsigned char *inside, int *at, int *depth)
{
    int quoted = 0, escaped = 0, count = 0, fields = 0, level = 0;
    for (size_t i = 0; i < n; i++) {
        inside[i] = (unsigned char)quoted;
        if (escaped) {
            escaped = 0;
            continue;
        }
        if (quoted) {
            if (s[i] == '\\')
                escaped = 1;
            else if (s[i] == '"')
                quoted = 0;
        } else if (s[i] == '"') {
            quoted = 1;
            count++;
        }
    }
    struct scanner st = {false, false};
    const char *p = s, *end = s + n;
    while (p != end) {
        const char c = *p;
        if (st.hidden) {
            st.hidden = false;
        } else if (c == '"') {
            st.quoted = !st.quoted;
        } else if (c == '\\') {
            st.hidden = st.quoted;
        } else if (!st.quoted && c == ',') {
            at[fields++] = (int)(p - s);
        } else if (!st.quoted) {
            level += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        depth[p - s] = level;
        p++;
    }
    return (quoted ? -count : count) + 1000 * fields + (st.quoted && st.hidden);
}
