// A helper that stays a function, with a pointer that is set to one array or another. want: parallel
// chain: parallelize@C
// shows: const unsigned char \*src;
static unsigned digest(const unsigned char *p, int len, unsigned state)
{
    unsigned char tail[8] = {0};
    const unsigned char *src = p;
    int take = len < 8 ? len : 8;
    if (take < 8) {
        for (int i = 0; i < take; i++) tail[i] = p[i];
        tail[take] = 0x80;
        src = tail;
    }
    for (int i = 0; i < 8; i++) state = state * 31u + src[i] + (state >> 7);
    return len < 8 ? state : digest(p + take, len - take, state);
}

#pragma regraph size(n=3000) size(n=1) size(n=37) extent(data: n*50)
void digests(const unsigned char *restrict data, int n, unsigned *restrict out)
{
    for (int i = 0; i < n; i++) out[i] = digest(data + 50 * i, 50 - i % 17, i);
}
