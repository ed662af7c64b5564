// Running extremes that the first iteration begins anew, `i == 0 ||`, `!k ||`, and what is stored of them. want: parallel
#include <stddef.h>
#pragma regraph size(n=1000) size(n=1) size(n=7) extent(price: n) extent(high: n) extent(dd: n) extent(low: n)
double accepted_running(const double *price, int n, double *high, double *dd, double *low)
{
    double peak = 0, worst = 0, least = 0;
    int i = 0;
    while (i < n) {
        if (i == 0 || price[i] > peak) peak = price[i];
        high[i] = peak;
        dd[i] = (peak - price[i]) / (1 + peak * peak);
        if (dd[i] > worst) worst = dd[i];
        i++;
    }
    for (size_t k = 0; k < (size_t)n; ++k) {
        least = !k || price[k] < least ? price[k] : least;
        low[k] = least;
    }
    return worst;
}
