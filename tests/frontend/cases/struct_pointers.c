#pragma regraph size(n=40, m=30)
/* Addresses of structures given to a helper that has loops: how many there are is read off the loop over them. */
typedef struct { float at[3], r; } ball;
static float inside(const ball *b, const float *p)
{
    float s = 0;
    for (int k = 0; k < 3; k++) s += (b->at[k] - p[k]) * (b->at[k] - p[k]);
    return b->r * b->r - s;
}
void first_hit(int n, int m, const ball *balls, const float points[][3], float *found)
{
    for (int i = 0; i < n; i++) {
        int which = -1;
        for (int j = 0; j < m; j++)
            if (which < 0 && inside(&balls[j], points[i]) > 0) which = j;
        found[i] = which < 0 ? -1 : balls[which].r;
    }
}
// explain: ball[m]
