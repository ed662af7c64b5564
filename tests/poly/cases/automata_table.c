// An automaton by a constant table, a counter of what is still to come (UTF-8), values apart from one another. want: parallel
#include <stdint.h>
#pragma regraph size(n=30000) size(n=131) size(n=3) size(n=1) extent(s: n) extent(kind: n) extent(bad: n) input(s: choice(65, 128, 150, 200, 230, 245, 46, 49))
static const uint8_t class_of[256] = {['0'] = 1, ['1'] = 1, ['2'] = 1, ['.'] = 2, ['-'] = 3};
static const uint8_t next_of[5][4] = {{0, 2, 3, 1}, {0, 2, 3, 0}, {0, 2, 4, 0}, {0, 4, 0, 0}, {0, 4, 0, 0}};
int automata_table(unsigned n, const uint8_t *s, uint8_t *kind, uint8_t *bad)
{
    uint8_t state = 0;
    int need = 0, wrong = 0, phase = -1, turns = 0;
    for (unsigned i = 0; i < n; ++i) {
        state = next_of[state][class_of[s[i]]];
        kind[i] = state;
    }
    for (unsigned i = 0; i < n; ++i) {
        unsigned c = s[i];
        int here = 0;
        if (need > 0) {
            if ((c & 0xC0) == 0x80) {
                need--;
            } else {
                here = 1;
                need = 0;
            }
        } else if (c >= 0xF0) {
            need = 3;
        } else if (c >= 0xE0) {
            need = 2;
        } else if (c >= 0xC0) {
            need = 1;
        } else {
            here = c >= 0x80;
        }
        bad[i] = (uint8_t)here;
        wrong += here;
    }
    for (unsigned i = 0; i < n; i++) { /* -1, 7 and 100 */
        if (phase < 0)
            phase = s[i] > 100 ? 7 : -1;
        else if (phase == 7)
            phase = s[i] & 1 ? 100 : 7;
        else
            phase = s[i] > 200 ? -1 : phase;
        if (phase == 100) turns++;
    }
    uint8_t level = 0;
    for (unsigned i = 0; i < n; i++) { /* 0 to 6, 254 and 255: what is compared with one number is another one in the other arm */
        if (s[i] > 150)
            level = level < 6 ? level + 1 : 255;
        else if (level > 0 && s[i] < 60)
            level--;
        if (level == 254) level = 1;
        wrong += level == 255;
    }
    return level + wrong + 2 * need + state + (turns << 4) + phase;
}
