// No automata: what is in front of the loop is the caller's, a number that grows, an element that only one state may read, a text that the loop changes. want: sequential
#pragma regraph size(n=3000) size(n=131) size(n=1) extent(s: n) extent(t: n + 1) extent(from: 1) extent(out: n) input(s: choice(34, 92, 65, 66)) input(t: uniform(0, 3)) input(from: uniform(0, 9))
int automata_not(int n, const char *s, const int *t, int *from, char *out)
{
    int state = from[0], depth = 0, open = 0, quoted = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        if (state == 0)
            state = s[i] == 34 ? 1 : 0;
        else if (s[i] == 92)
            state = state == 1 ? 2 : 0;
        sum += state;
    }
    for (int i = 0; i < n; i++) {
        if (depth > 2 && s[i] == 65)
            depth = 0;
        else if (s[i] != 66)
            depth++;
        sum += depth;
    }
    for (int i = 0; i < n; i++) {
        if (open)
            open = t[i + 1 - (s[i] == 34)] > 1;
        else
            open = s[i] == 34;
        sum += open;
    }
    for (int i = 0; i < n; i++) {
        if (quoted && out[i] == 92)
            quoted = 0;
        else if (s[i] == 34)
            quoted = 1;
        if (i + 1 < n) out[i + 1] = (char)(quoted ? s[i] : 92);
    }
    from[0] = state;
    return sum + depth + open + quoted;
}
