// A member of the first structure, and of all of them: data, no size. want: parallel
typedef struct { int from, len; } seg;
#pragma regraph size(n=40) size(n=7) extent(s: n) extent(o: n)
void structure_read_whole(const seg *s, int n, int *o)
{
    for (int i = 0; i < n; i++) o[i] = s[i].len % 5 + s->len % 7;
}
