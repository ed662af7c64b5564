// Comments of C are dropped: seven states of an enumeration, by switch. want: parallel
#pragma regraph size(n=30000) size(n=131) size(n=2) size(n=1) extent(s: n) extent(out: n) input(s: choice(34, 92, 47, 42, 10, 66))
enum st { CODE, SLASH, LINE, BLOCK, STAR, STR, ESC };
long automata_comments(long n, const unsigned char *s, char *out)
{
    enum st state = CODE;
    long lines = 0, k = 0;
    for (long i = 0; i < n; i++) {
        unsigned char c = s[i];
        switch (state) {
        case CODE:
            if (c == '/')
                state = SLASH;
            else if (c == '"')
                state = STR;
            break;
        case SLASH:
            state = c == '/' ? LINE : c == '*' ? BLOCK : c == '"' ? STR : CODE;
            break;
        case LINE:
            if (c == '\n') state = CODE;
            break;
        case BLOCK:
            if (c == '*') state = STAR;
            break;
        case STAR:
            if (c == '/')
                state = CODE;
            else if (c != '*')
                state = BLOCK;
            break;
        case STR:
            if (c == '\\')
                state = ESC;
            else if (c == '"')
                state = CODE;
            break;
        case ESC:
            state = STR;
            break;
        }
        if (c == '\n') lines += state == CODE;
        if (state == CODE || state == STR || state == ESC) out[k++] = (char)c;
    }
    return lines * 100 + (long)state + k;
}
