// Tags are stripped: a state is the character that opened the quotes, known by the condition that it was found by. want: parallel
#pragma regraph size(n=30000) size(n=131) size(n=2) size(n=1) extent(s: n) extent(d: n) input(s: choice(34, 39, 60, 62, 65))
unsigned automata_tags(unsigned n, const char *s, char *d)
{
    unsigned k = 0;
    int tag = 0;
    char q = 0;
    for (unsigned i = 0; i < n; i++) {
        char c = s[i];
        if (tag) {
            if (q) {
                if (c == q) q = 0;
            } else if (c == '"' || c == '\'') {
                q = c;
            } else if (c == '>') {
                tag = 0;
            }
        } else if (c == '<') {
            tag = 1;
        } else {
            d[k++] = c;
        }
    }
    return k;
}
