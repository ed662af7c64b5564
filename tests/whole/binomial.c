/* American options on a binomial tree */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 512

typedef struct {
    double spot;
    double strike;
    double maturity;
    double rate;
    double sigma;
    int is_put;
} contract_t;

typedef struct {
    double value;
    double delta;
} quote_t;

static double payoff(const contract_t *c, double s)
{
    double v = c->is_put ? c->strike - s : s - c->strike;
    return v > 0.0 ? v : 0.0;
}

static quote_t price_contract(const contract_t *c, int steps)
{
    double values[MAX_STEPS + 1];
    quote_t q = {0.0, 0.0};
    double dt = c->maturity / steps;
    double up = exp(c->sigma * sqrt(dt));
    double down = 1.0 / up;
    double growth = exp(c->rate * dt);
    double p = (growth - down) / (up - down);
    double disc = 1.0 / growth;

    for (int i = 0; i <= steps; i++)
        values[i] = payoff(c, c->spot * pow(up, (double)(2 * i - steps)));

    for (int level = steps - 1; level >= 0; level--) {
        for (int i = 0; i <= level; i++) {
            double hold = disc * (p * values[i + 1] + (1.0 - p) * values[i]);
            double s = c->spot * pow(up, (double)(2 * i - level));
            double exercise = payoff(c, s);
            values[i] = hold > exercise ? hold : exercise;
        }
        if (level == 1)
            q.delta = (values[1] - values[0]) / (c->spot * (up - down));
    }
    q.value = values[0];
    return q;
}

void price_book(const contract_t *book, quote_t *quotes, int count, int steps)
{
    if (steps > MAX_STEPS)
        steps = MAX_STEPS;
    for (int k = 0; k < count; k++)
        quotes[k] = price_contract(&book[k], steps);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    contract_t *book = malloc(n * sizeof *book);
    quote_t *quotes = malloc(n * sizeof *quotes);
    srand(7);
    for (int i = 0; i < n; i++) {
        book[i].spot = 80 + rand() % 40;
        book[i].strike = 90 + rand() % 20;
        book[i].maturity = 0.25 + (rand() % 100) / 100.0;
        book[i].rate = 0.03;
        book[i].sigma = 0.1 + (rand() % 40) / 100.0;
        book[i].is_put = rand() & 1;
    }
    price_book(book, quotes, n, 200);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += quotes[i].value;
    printf("total %.6f\n", sum);
    free(book);
    free(quotes);
    return 0;
}
