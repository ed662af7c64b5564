/* Black-Scholes prices and deltas of European options in an array of structures. */
#include <math.h>

typedef struct {
    float spot, strike, years, rate, volatility;
    int is_call;
} option_t;
typedef struct {
    float price, delta;
} value_t;

static float normal_cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

static value_t value_of(const option_t *o)
{
    float sigma = o->volatility * sqrtf(o->years);
    float d1 = (logf(o->spot / o->strike) + (o->rate + 0.5f * o->volatility * o->volatility) * o->years) / sigma;
    float d2 = d1 - sigma, discount = o->strike * expf(-o->rate * o->years);
    value_t v;
    if (o->is_call) {
        v.price = o->spot * normal_cdf(d1) - discount * normal_cdf(d2);
        v.delta = normal_cdf(d1);
    } else {
        v.price = discount * normal_cdf(-d2) - o->spot * normal_cdf(-d1);
        v.delta = normal_cdf(d1) - 1.0f;
    }
    return v;
}

static void fill_options(int n, option_t o[n])
{
    for (int i = 0; i < n; i++) {
        o[i].spot = 20.0f + (float)(i * 37 % 101);
        o[i].strike = 30.0f + (float)(i * 53 % 89);
        o[i].years = 0.25f + 0.01f * (float)(i % 200);
        o[i].rate = 0.01f + 0.0001f * (float)(i % 300);
        o[i].volatility = 0.1f + 0.002f * (float)(i % 150);
        o[i].is_call = i % 3 != 0;
    }
}

#pragma regraph size(n=100000) size(n=1009) size(n=1)
#pragma regraph init(fill_options) tolerance(rtol=1e-3, atol=1e-4)
void price_all(int n, const option_t o[n], value_t out[n])
{
    for (int i = 0; i < n; i++)
        out[i] = value_of(&o[i]);
}
