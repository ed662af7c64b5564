// A structure that is stored as a whole in every iteration, beside being the best so far. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) extent(all: n) role(all: out)
struct mark { int score, id, tag; };
void whole_copies_not(const struct mark *p, int n, struct mark *all)
{
    struct mark best = {-1, -1, 0};
    for (int i = 0; i < n; i++) {
        if (p[i].score % 1000 > best.score % 999)
            best = p[i];
        all[i] = best;
    }
}
