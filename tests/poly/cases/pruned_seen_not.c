// How far the search went is counted: that is seen. want: sequential
#pragma regraph size(na=300, nb=200) size(na=40, nb=7)
float pruned_seen_not(const float *a, int na, const float *b, int nb, long *looked)
{
    float most = 0;
    long steps = 0;
    for (int i = 0; i < na; i++) {
        float least = 1e30f;
        for (int j = 0; j < nb; j++) {
            float d = (a[i] - b[j]) * (a[i] - b[j]);
            steps++;
            if (d < least) least = d;
            if (least <= most) break;
        }
        if (least > most) most = least;
    }
    *looked = steps;
    return most;
}
