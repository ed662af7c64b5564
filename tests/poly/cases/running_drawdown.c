// Maximum drawdown: the largest fall from a running maximum, relative to it, with the places of both. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(price: uniform(50, 150))
float max_drawdown(const float *price, int n, int *peak_at, int *trough_at)
{
    float peak = -1, worst = 0;
    int pk = 0;
    *peak_at = *trough_at = 0;
    for (int i = 0; i < n; i++) {
        if (price[i] > peak) {
            peak = price[i];
            pk = i;
        }
        float dd = (peak - price[i]) / peak;
        if (dd > worst) {
            worst = dd;
            *peak_at = pk;
            *trough_at = i;
        }
    }
    return worst;
}
