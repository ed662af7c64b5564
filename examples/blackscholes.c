#include <math.h>

/* European option prices by the Black-Scholes formula */
static float normal_cdf(float d)
{
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float poly = k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5))));
    float cdf = 0.39894228040143267794f * expf(-0.5f * d * d) * poly;
    return d > 0 ? 1.0f - cdf : cdf;
}

#pragma regraph size(n=1048576)
#pragma regraph input(price: uniform(5, 30)) input(strike: uniform(1, 100)) input(years: uniform(0.25, 10))
#pragma regraph input(rate: constant(0.02)) input(volatility: constant(0.3))
void blackscholes(int n, const float *price, const float *strike, const float *years, float rate, float volatility, float *call, float *put)
{
    for (int i = 0; i < n; i++) {
        float root = sqrtf(years[i]);
        float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
        float d2 = d1 - volatility * root;
        float discounted = strike[i] * expf(-rate * years[i]);
        call[i] = price[i] * normal_cdf(d1) - discounted * normal_cdf(d2);
        put[i] = discounted * (1.0f - normal_cdf(d2)) - price[i] * (1.0f - normal_cdf(d1));
    }
}
