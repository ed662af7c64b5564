/* nearest of 64 centres of n points in four dimensions; sums and numbers of points of each */
void ref_kmeans(int n, const float *p, const float *c, int *near, float *sum, int *count)
{
    for (int k = 0; k < 64; k++) { count[k] = 0; for (int d = 0; d < 4; d++) sum[k * 4 + d] = 0; }
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = 1e30f;
        for (int k = 0; k < 64; k++) {
            float s = 0;
            for (int d = 0; d < 4; d++) { float e = p[i * 4 + d] - c[k * 4 + d]; s += e * e; }
            if (s < least) { least = s; best = k; }
        }
        near[i] = best;
        count[best]++;
        for (int d = 0; d < 4; d++) sum[best * 4 + d] += p[i * 4 + d];
    }
}
