// A structure that the best element is copied to, and one that a run's is. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) extent(most: 1) role(most: out) input(limit: uniform(0, 5)) input(p.score: uniform(0, 9))
struct mark { float score; int id, tag; };
struct run { int begin, length; };
struct run whole_copies(const struct mark *p, int n, float limit, struct mark *most)
{
    struct mark best = {-1.0f, -1, 0};
    struct run longest = {0, 0}, now = {0, 0};
    for (int i = 0; i < n; i++)
        if (p[i].score > best.score)
            best = p[i];
    for (int i = 0; i < n; i++) {
        if (p[i].score < limit) {
            now = (struct run){i + 1, 0};
            continue;
        }
        now.length++;
        if (now.length > longest.length)
            longest = now;
    }
    *most = best;
    return longest;
}
