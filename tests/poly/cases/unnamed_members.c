// Structures without a name behind members, in an array of structures without one. want: parallel
// chain: parallelize@C
#pragma regraph size(a.nz=30, np=50) size(a.nz=7, np=3)
struct all {
    int nz;
    struct {
        int n;
        struct {
            float x, y;
        } * at;
    } * z;
};
void unnamed_members(const struct all *a, const float *w, int np, float *out)
{
    for (int i = 0; i < np; i++) {
        double t = 0;
        for (int j = 0; j < a->nz; j++)
            for (int k = 0; k < a->z[j].n; k++) t += (double)a->z[j].at[k].x * w[i] + a->z[j].at[k].y;
        out[i] = t;
    }
}
