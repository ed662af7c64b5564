void heat3(float u[34][34][34], float v[34][34][34])
{
    for (int i = 1; i < 33; i++)
        for (int j = 1; j < 33; j++)
            for (int k = 1; k < 33; k++)
                v[i][j][k] = u[i][j][k] + 0.1f * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1] - 6 * u[i][j][k]);
}
