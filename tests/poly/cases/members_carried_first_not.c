// Whether the element before the first is asked for is up to data that say it is not: no read of it in front. want: sequential
#pragma regraph size(n=40) size(n=7) extent(p: n)
struct e { int rank, w; };
void members_carried_first_not(struct e *p, int n)
{
    for (int i = 0; i < n; i++) p[i].rank = (i % 4 == 0) ? p[i].w % 9 : p[i - 1].rank % 1000 + 1;
}
