/*
 * route_costs - the cheapest way from a depot to each stop, tolls and refunds
 * included. A refund that can be earned over and over is an error in the data.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define UNREACHED (LLONG_MAX / 4)

typedef struct {
    int from, to;
    int cost; /* cents; below 0 is a refund */
} road_t;

enum status { ROUTES_OK = 0, ROUTES_CYCLE = -1 };

static int improve(const road_t *roads, int n_roads, long long *cost)
{
    int improved = 0;
    for (int i = 0; i < n_roads; i++) {
        const road_t *r = roads + i;
        if (cost[r->from] == UNREACHED) continue;
        long long through = cost[r->from] + r->cost;
        if (through < cost[r->to]) {
            cost[r->to] = through;
            improved++;
        }
    }
    return improved;
}

int plan_routes(const road_t *roads, int n_roads, int n_stops, int depot, long long *cost)
{
    for (int s = 0; s < n_stops; s++) cost[s] = UNREACHED;
    cost[depot] = 0;
    for (int round = 1; round < n_stops; round++) {
        if (improve(roads, n_roads, cost) == 0) return ROUTES_OK;
    }
    for (int i = 0; i < n_roads; i++)
        if (cost[roads[i].from] != UNREACHED && cost[roads[i].from] + roads[i].cost < cost[roads[i].to])
            return ROUTES_CYCLE;
    return ROUTES_OK;
}

int main(void)
{
    enum { STOPS = 500, ROADS = 3000 };
    road_t *roads = malloc(ROADS * sizeof *roads);
    long long *cost = malloc(STOPS * sizeof *cost);
    if (!roads || !cost) return 1;
    unsigned seed = 42;
    for (int i = 0; i < ROADS; i++) {
        seed = seed * 1103515245u + 12345u;
        roads[i].from = (int)(seed >> 8) % STOPS;
        seed = seed * 1103515245u + 12345u;
        roads[i].to = (int)(seed >> 8) % STOPS;
        roads[i].cost = (int)(seed >> 20) % 900 - 3 * (i % 100 == 0);
    }
    if (plan_routes(roads, ROADS, STOPS, 0, cost) != ROUTES_OK)
        puts("a refund can be earned over and over");
    else
        printf("%lld %lld\n", cost[1], cost[STOPS - 1]);
    free(roads);
    free(cost);
    return 0;
}
