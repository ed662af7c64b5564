// A condition with a name that is set again before it is asked: whether the first asks is up to data. want: sequential
#pragma regraph size(n=40) size(n=7) extent(p: n)
struct e { int rank, w, k; };
int members_carried_named_not(struct e *p, int n)
{
    int many = 0;
    for (int i = 0; i < n; i++) {
        int tie = i > 0 && p[i].w == p[i - 1].w;
        if (p[i].k > 5 && p[i].k < 4) tie = 1;
        p[i].rank = tie ? p[i - 1].rank : i + 1;
        many += !tie;
    }
    return many;
}
