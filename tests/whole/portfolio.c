#include <math.h>
#include <stddef.h>
#include <stdlib.h>
enum opt_type { OPT_CALL, OPT_PUT };
typedef struct { double spot, strike, rate, vol, maturity; enum opt_type type; } option_t;
typedef struct { double price, delta, gamma, vega; } greeks_t;
#define INV_SQRT_2PI 0.39894228040143267794
static double norm_pdf(double x) { return INV_SQRT_2PI * exp(-0.5 * x * x); }
static double norm_cdf(double x)
{
    const double a1 = 0.319381530, a2 = -0.356563782, a3 = 1.781477937, a4 = -1.821255978, a5 = 1.330274429;
    double k = 1.0 / (1.0 + 0.2316419 * fabs(x));
    double poly = k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5))));
    double v = 1.0 - norm_pdf(x) * poly;
    return x < 0 ? 1.0 - v : v;
}
static greeks_t price_one(const option_t *o)
{
    greeks_t g;
    double st = o->vol * sqrt(o->maturity);
    double d1 = (log(o->spot / o->strike) + (o->rate + 0.5 * o->vol * o->vol) * o->maturity) / st;
    double d2 = d1 - st;
    double df = exp(-o->rate * o->maturity);
    switch (o->type) {
    case OPT_CALL:
        g.price = o->spot * norm_cdf(d1) - o->strike * df * norm_cdf(d2);
        g.delta = norm_cdf(d1);
        break;
    default:
        g.price = o->strike * df * norm_cdf(-d2) - o->spot * norm_cdf(-d1);
        g.delta = norm_cdf(d1) - 1.0;
        break;
    }
    g.gamma = norm_pdf(d1) / (o->spot * st);
    g.vega = o->spot * norm_pdf(d1) * sqrt(o->maturity);
    return g;
}
void price_portfolio(const option_t *opts, greeks_t *out, double *total, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        out[i] = price_one(&opts[i]);
        sum += out[i].price;
    }
    *total = sum;
}
