// A structure of pointers that is copied, walked, exchanged and set to a place. want: sequential
typedef struct { float *a, *b; int n; } P;
#pragma regraph size(n=40) size(n=7) extent(s->a: n) extent(s->b: n) extent(o: n) require(n >= 4)
void structure_of_walks(P *s, float *o, int n)
{
    P l = *s;
    for (int k = 0; k < 3; k++) {
        float *p = l.a, *q = l.b;
        for (int i = 0; i < n; i++) { o[i] += *p++ - 2 * *q; *q++ += k; }
        float *t = l.a; l.a = l.b; l.b = t;
    }
    float *p = l.a;
    o[0] += *++p;
    l.a = l.b + 1;
    o[1] += p[0] + l.a[0];
}
