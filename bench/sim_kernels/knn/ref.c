/* the nearest of n points b to each of q points a, eight coordinates each: squared distance and number, the first of equals */
void ref_knn(int q, int n, const float *a, const float *b, float *dist, int *near)
{
    for (int i = 0; i < q; i++) {
        float least = 1e30f;
        int best = 0;
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int d = 0; d < 8; d++) { float e = a[i * 8 + d] - b[j * 8 + d]; s += e * e; }
            if (s < least) { least = s; best = j; }
        }
        dist[i] = least;
        near[i] = best;
    }
}
