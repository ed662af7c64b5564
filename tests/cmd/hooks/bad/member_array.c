// says: member_array.c:9:
// says: p[i].v[k] the index is 3, and that dimension has 3 elements
struct body { float v[3], mass; };
#pragma regraph size(n=500)
void momentum(int n, const struct body *p, float *m)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k <= 3; k++) s += p[i].v[k];
        m[i] = s * p[i].mass;
    }
}
