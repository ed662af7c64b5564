/* Shortest paths between all pairs */
#pragma regraph size(n=61) size(n=17) size(n=1)
#pragma regraph input(path: uniform(1, 100))
void kernel_floyd_warshall(int n, int path[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}
