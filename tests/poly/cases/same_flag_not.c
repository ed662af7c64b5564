// The flag is raised by the first of those that find the element unmarked, if its weight is large. want: sequential
#pragma regraph size(n=20000, m=3000) size(n=70, m=9) input(seen: uniform(0, 1))
int first_heavy(int n, int m, const int *key, const float *w, int *seen)
{
    int heavy = 0;
    for (int i = 0; i < n; i++)
        if (!seen[key[i]]) {
            if (w[i] > 0.5f) heavy = 1;
            seen[key[i]] = 1;
        }
    return heavy + seen[m - 1];
}
