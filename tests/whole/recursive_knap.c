/* Exact knapsack of 10 things by backtracking, a problem per row. */
struct item { float weight, gain; };
static float pick(const struct item *it, int n, int at, float room, float so_far, float best)
{
    if (so_far > best) best = so_far;
    for (int i = at; i < n; i++)
        if (it[i].weight <= room) {
            float b = pick(it, n, i + 1, room - it[i].weight, so_far + it[i].gain, best);
            if (b > best) best = b;
        }
    return best;
}
void knapsacks(int rows, const struct item items[rows][10], const float room[rows], float best[rows])
{
    for (int r = 0; r < rows; r++) best[r] = pick(items[r], 10, 0, room[r] * 3, 0, 0);
}
