// Cases that fall into the next one, and breaks inside of conditions, alone and in blocks, with declarations behind. want: parallel
#include <stddef.h>
#pragma regraph size(n=30000) size(n=131) size(n=2) size(n=1) extent(s: n) extent(k: n) extent(out: n) extent(kind: n) input(s: choice(34, 44, 10, 65, 66)) input(k: uniform(0, 9))
enum state { START, PLAIN, QUOTED, MAYBE };
long switch_falls(size_t n, const char *s, const int *k, int *out, unsigned char *kind)
{
    enum state st = START;
    long fields = 0;
    for (const char *p = s; p < s + n; ++p) {
        char c = *p;
        switch (st) {
        case START:
            if (c == '"') {
                st = QUOTED;
                break;
            }
            /* fall through */
        case PLAIN:
            if (c == ',' || c == '\n') {
                st = START;
                fields++;
            } else
                st = PLAIN;
            break;
        case QUOTED:
            if (c != '"') break;
            st = MAYBE;
            break;
        case MAYBE:
            st = c == '"' ? QUOTED : c == ',' || c == '\n' ? START : PLAIN;
            fields += st == START;
        }
        kind[p - s] = (unsigned char)st;
    }
    for (size_t i = 0; i < n; i++) {
        int v = 1;
        switch (k[i]) {
        default:
            v = 7;
            break;
        case 9:
            v += 2;
        case 8:
            v *= 3;
        case 7: {
            int w = v + 1;
            if (w > 5) {
                if (s[i] == 65) break;
                v += w;
            } else if (s[i] == 66) {
                v = -v;
                break;
            } else {
                v++;
            }
            int u = v * 2;
            v = u + w;
        }
        case 6:
            if (v & 1)
                v += 10;
            else
                break;
            v *= 5;
            break;
        case 5:
            if (s[i] == 10) {
                v = 4;
                continue;
            }
            v = 6;
        case 4:
        case 3:;
        }
        out[i] = v;
    }
    return fields * 10 + st;
}
