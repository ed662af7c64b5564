// Rows summed up by blocks, which scatter before, in and behind the sum. want: parallel
// chain: parallelize,reduce.block,reduce.warp
// shows: atomicAdd\(&y\[idx\[
#pragma regraph input(idx: uniform(0, n-1)) size(m=300,n=50,k=40) size(m=77,n=13,k=33)
void scatter_rows(int m, int n, int k, const int idx[m][k], const float a[m][k], const float x[k], float y[n], float r[m], int h[n]) {
    for (int i = 0; i < m; i++) {
        float s = 0;
        h[idx[i][0]]++;
        for (int j = 0; j < k; j++) { s += a[i][j] * x[j]; y[idx[i][j]] += a[i][j]; }
        r[i] = s;
        y[i % n] += 0.5f;
    }
}
