// Coins that may be taken again: upwards, what is read is new. Under a condition, data may lead behind. want: sequential
#pragma regraph extent(coin: n) extent(shift: n) extent(ways: cap + 1) extent(other: cap + 1)
#pragma regraph input(coin: uniform(1, 40)) input(shift: uniform(-3, 3)) size(n=20, cap=1000)
void shifted_up_not(const int *coin, const int *shift, int n, int cap, int *ways, int *other)
{
    for (int i = 0; i < n; i++) {
        for (int c = coin[i]; c <= cap; c++)
            ways[c] = (ways[c] + ways[c - coin[i]]) % 9973;
        for (int c = cap; c >= 4; c--)
            if (c < cap - 4)
                other[c] = (other[c] + other[c - shift[i]]) % 9973;
    }
}
