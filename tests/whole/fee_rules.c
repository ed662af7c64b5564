/* Orders priced by rules from a table of functions that take and change what their callers have, and totals by region. */
#include <math.h>

enum { FLAT, STEPS, CAPPED, RULES, REGIONS = 12 };

typedef struct Order {
    int rule, region;
    double amount, weight;
} Order;

typedef struct Bill {
    double fee, tax;
} Bill;

typedef double (*Rule)(const Order *, Bill *);

static double flat(const Order *o, Bill *b)
{
    b->fee = 2.5;
    b->tax = 0.07 * o->amount;
    return o->amount + b->fee;
}

static double by_steps(const Order *o, Bill *b)
{
    b->fee = 0.0;
    for (int s = 1; s <= 4; s++)
        if (o->weight > 10.0 * s) b->fee += 1.25;
    b->tax = 0.19 * (o->amount + b->fee);
    return o->amount + b->fee;
}

static double capped(const Order *o, Bill *b)
{
    b->fee = 0.1 * o->amount;
    if (b->fee > 9.0) b->fee = 9.0;
    b->tax = 0.0;
    return o->amount + sqrt(b->fee);
}

static const Rule rule_of[RULES] = { flat, by_steps, capped };

void price_orders(int n, const Order *order, double *total, Bill *bill)
{
    double sum[REGIONS] = { 0 };

    for (int i = 0; i < n; i++) {
        Bill own;
        Rule rule = rule_of[order[i].rule];
        double price = rule(&order[i], &own);

        sum[order[i].region] += price + own.tax;
        bill[i] = own;
    }
    for (int r = 0; r < REGIONS; r++) total[r] = sum[r];
}
