#pragma regraph size(n=32768)
/* particle forces over a neighbour list, Newton's third law */
#define K 16
#pragma regraph input(nbr: uniform(0, n-1))
void forces(int n, const float pos[n][3], const int nbr[n][K], float f[n][3])
{
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) f[i][d] = 0.0f;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < K; k++) {
            int j = nbr[i][k];
            float dx = pos[i][0] - pos[j][0], dy = pos[i][1] - pos[j][1], dz = pos[i][2] - pos[j][2];
            float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float s = 1.0f / (r2 * r2);
            f[i][0] += s * dx; f[i][1] += s * dy; f[i][2] += s * dz;
            f[j][0] -= s * dx; f[j][1] -= s * dy; f[j][2] -= s * dz;
        }
}
