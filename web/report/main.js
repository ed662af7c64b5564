/* Draws the figures of report.html with ECharts, in place of the plain curves that stand in them. The data are in the
 * page. */
import "./report.css";

import {LineChart, ParallelChart, ScatterChart, TreeChart} from "echarts/charts";
import {
    AriaComponent,
    DataZoomInsideComponent,
    GridComponent,
    LegendComponent,
    MarkLineComponent,
    ParallelComponent,
    TooltipComponent,
    VisualMapComponent
} from "echarts/components";
import * as echarts from "echarts/core";
import {CanvasRenderer} from "echarts/renderers";

echarts.use([
    LineChart, ScatterChart, ParallelChart, TreeChart, GridComponent, TooltipComponent, LegendComponent,
    ParallelComponent, VisualMapComponent, DataZoomInsideComponent, MarkLineComponent, AriaComponent, CanvasRenderer
]);

const data = JSON.parse(document.getElementById("data").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const color = (i) => css(`--c${i}`);
const escape = (s) => echarts.format.encodeHTML(String(s));
const time = (us) => (us == null ? "not measured"
                      : us < 1e3 ? `${+ us.toPrecision(4)} µs`
                      : us < 1e6 ? `${+ (us / 1e3).toPrecision(4)} ms`
                                 : `${+ (us / 1e6).toPrecision(4)} s`);
const kind = (run) => (run.estimated ? "estimated" : "measured");
const vector = (v) => Object.entries(v).map(([ k, x ]) => `${k}=${x}`).join(", ");
const about = (run, e) => `<b>#${e.n}</b> ${escape(e.step)}@${escape(e.site)}<br>${time(e.us)} ${kind(run)}${
    e.limiter ? `, limited by ${escape(e.limiter)}` : ""}<br>${escape(vector(e.vector))}`;

const look = () => ({
    animation : false,
    backgroundColor : "transparent",
    textStyle : {color : css("--soft"), fontFamily : "inherit"},
    aria : {enabled : true},
});
const tooltip = (extra) => ({
    backgroundColor : css("--panel"),
    borderColor : css("--line"),
    textStyle : {color : css("--fg"), fontSize : 13},
    confine : true,
    ...extra
});
const axis = (name, type, extra) => ({
    name,
    type,
    nameLocation : "middle",
    nameGap : 32,
    scale : true,
    axisLine : {lineStyle : {color : css("--soft")}},
    axisLabel : {color : css("--soft"), hideOverlap : true},
    nameTextStyle : {color : css("--soft")},
    splitLine : {lineStyle : {color : css("--line")}},
    minorSplitLine : {show : false},
    ...extra,
});
const legend = (extra) =>
    ({top : 0, textStyle : {color : css("--fg")}, type : "scroll", pageTextStyle : {color : css("--fg")}, ...extra});
const timeAxis = (name) =>
    axis(name, "log",
         {nameGap : 52, axisLabel : {color : css("--soft"), formatter : (v) => `${+ v.toPrecision(3)}`}, ...spread});
let spread = {};
/* A log axis that spans less than a decade has no tick of its own: its ends are given, and it is linear. */
const span = (values) => {
    const low = Math.min(...values), high = Math.max(...values);
    return values.length && high / low < 12
               ? {type : "value", min : +(low * 0.93).toPrecision(2), max : +(high * 1.07).toPrecision(3)}
               : {};
};

function bestSoFar(run, x)
{
    const points = [];
    let best = Infinity;
    for (const e of run.evals) {
        if (e.us == null || e.us >= best) continue;
        if (points.length)
            points.push([ x(e), best ]); /* stairs: ECharts' own lean where a step is less than a pixel high */
        points.push([ x(e), (best = e.us) ]);
    }
    if (points.length) points.push([ x === bySeconds ? run.seconds : run.evals.length, best ]);
    return points;
}
const byNumber = (e) => e.n, bySeconds = (e) => e.t;

function progress(run, x, name)
{
    const ok = run.evals.filter((e) => e.us != null);
    spread = span(ok.map((e) => e.us).concat(run.sol_us ? [ run.sol_us ] : []));
    const line = run.sol_us ? {
        silent : true,
        symbol : "none",
        label : {formatter : "floor", position : "insideEndTop", color : css("--c3")},
        lineStyle : {color : css("--c3")},
        data : [ {yAxis : run.sol_us} ]
    }
                            : undefined;
    return {
        ...look(),
        legend : legend(),
        grid : {left : 70, right : 20, top : 34, bottom : 48},
        xAxis : axis(name, "value", {min : 0}),
        yAxis : timeAxis(`${kind(run)} time, µs`),
        dataZoom : [ {type : "inside", filterMode : "none"} ],
        tooltip : tooltip({formatter : (p) => (p.data.e ? about(run, p.data.e) : `best so far: ${time(p.value[1])}`)}),
        series : [
            {
                name : "candidates",
                type : "scatter",
                symbolSize : 7,
                itemStyle : {color : color(0), opacity : 0.75},
                data : ok.map((e) => ({value : [ x(e), e.us ], e}))
            },
            {
                name : "best so far",
                type : "line",
                showSymbol : false,
                lineStyle : {color : color(1), width : 2},
                itemStyle : {color : color(1)},
                data : bestSoFar(run, x),
                markLine : line
            },
        ],
    };
}

function compare(x, name)
{
    spread = span(data.runs.flatMap((r) => r.evals.map((e) => e.us).filter((v) => v != null)));
    return {
        ...look(),
        legend : legend(),
        grid : {left : 70, right : 20, top : 34, bottom : 48},
        xAxis : axis(name, "value", {min : 0}),
        yAxis : timeAxis("time, µs"),
        dataZoom : [ {type : "inside", filterMode : "none"} ],
        tooltip : tooltip({formatter : (p) => `${escape(p.seriesName)}<br>${time(p.value[1])}`}),
        series : data.runs.map(
            (run, i) => ({
                name : `${run.label} (${kind(run)})`,
                type : "line",
                showSymbol : false,
                lineStyle : {color : color((i + 1) % 8), width : 2, type : run.estimated ? "dashed" : "solid"},
                itemStyle : {color : color((i + 1) % 8)},
                data : bestSoFar(run, x)
            })),
    };
}

function roofline(run)
{
    const ok = run.evals.filter((e) => e.x != null && e.y != null),
          best = ok.filter((e) => e.us === run.best_us && e.node === run.best_node);
    const knee = run.flop_s / run.copy_bytes_s, low = Math.min(knee, ...ok.map((e) => e.x)) / 3,
          high = Math.max(knee, ...ok.map((e) => e.x)) * 3;
    return {
        ...look(),
        legend : legend(),
        grid : {left : 80, right : 24, top : 34, bottom : 48},
        xAxis : axis("arithmetic intensity, operations per byte", "log",
                     {min : +low.toPrecision(1), max : +high.toPrecision(1)}),
        yAxis : axis("GFLOP/s", "log", {nameGap : 58}),
        tooltip : tooltip({
            formatter : (p) => (p.data.e ? `${about(run, p.data.e)}<br>${+ p.data.e.y.toPrecision(4)} GFLOP/s at ${
                                               + p.data.e.x.toPrecision(4)} operations per byte`
                                         : "the device's roof")
        }),
        series : [
            {
                name : "the device's roof",
                type : "line",
                showSymbol : false,
                lineStyle : {color : color(2), width : 2},
                itemStyle : {color : color(2)},
                data : [
                    [ +low.toPrecision(1), low.toPrecision(1) * run.copy_bytes_s * 1e-9 ], [ knee, run.flop_s * 1e-9 ],
                    [ +high.toPrecision(1), run.flop_s * 1e-9 ]
                ]
            },
            {
                name : "candidates",
                type : "scatter",
                symbolSize : 8,
                itemStyle : {color : color(0), opacity : 0.7},
                data : ok.map((e) => ({value : [ e.x, e.y ], e}))
            },
            {
                name : "best",
                type : "scatter",
                symbolSize : 14,
                itemStyle : {color : color(1)},
                data : best.slice(-1).map((e) => ({value : [ e.x, e.y ], e}))
            },
        ],
    };
}

/* The versions as a tree: each hangs from what made it first. */
function graph(run)
{
    const made = new Map(run.nodes.map((n) => [n.id, {...n, children : []}])),
          root = {id : 0, step : "sequential C", site : "", us : run.sequential_us, children : [], won : true};
    for (const n of made.values()) (made.get(n.parent) ?? root).children.push(n);
    const shade = (us) => (us == null                 ? css("--line")
                           : us <= run.best_us * 1.02 ? color(1)
                           : us <= run.best_us * 2    ? color(6)
                           : us <= run.best_us * 8    ? color(5)
                                                      : color(2));
    const view = (n) => ({
        name : n.step,
        node : n,
        children : n.children.map(view),
        symbol : "circle",
        symbolSize : n.id === run.best_node ? 15
                     : n.won                ? 11
                                            : 8,
        itemStyle : {color : shade(n.us), borderColor : n.won ? css("--fg") : shade(n.us), borderWidth : n.won ? 2 : 1},
        lineStyle : {color : n.won ? color(1) : css("--line"), width : n.won ? 3 : 1},
        label : {fontWeight : n.won ? "bold" : "normal", color : n.won ? css("--fg") : css("--soft")},
    });
    const leaves = (n) => (n.children.length ? n.children.reduce((s, c) => s + leaves(c), 0) : 1);
    return {
        height : Math.max(220, Math.min(1800, 26 * leaves(root) + 50)),
        ...look(),
        tooltip : tooltip({
            formatter : (p) => {
                const n = p.data.node;
                return n.id ? `version ${n.id}: <b>${escape(n.step)}@${escape(n.site)}</b>${
                                  n.coder ? ` by ${escape(n.coder)}`
                                          : ""}<br>${time(n.us)}${n.us == null ? "" : ` ${kind(run)}`}`
                                                                                    : "the sequential C";
            }
        }),
        series : [ {
            type : "tree",
            data : [ view(root) ],
            initialTreeDepth : -1,
            roam : false,
            left : 50,
            right : 130,
            top : 24,
            bottom : 10,
            expandAndCollapse : false,
            emphasis : {focus : "ancestor"},
            /* above: beside it, the name of a leaf in the column before would be written over */
            label : {position : "top", verticalAlign : "bottom", align : "center", distance : 3, fontSize : 12},
            leaves : {
                label : {position : "right", verticalAlign : "middle", align : "left", width : 105, overflow : "truncate"}
            }
        } ],
    };
}

function parallel(run)
{
    const names = run.importance.map((x) => x.name).slice(0, 10),
          ok = run.evals.filter((e) => e.us != null && names.some((n) => n in e.vector));
    const us = ok.map((e) => e.us), low = Math.min(...us), high = Math.max(...us);
    const dims = names.map((name, dim) => ({
                               dim,
                               name,
                               type : "category",
                               data : [...new Set(ok.map((e) => e.vector[name]).filter((v) => v != null)) ]
                                          .sort((a, b) => a - b)
                                          .map(String)
                                          .concat("–")
                           }));
    dims.push({
        dim : names.length,
        name : "time, µs",
        type : "log",
        inverse : true,
        axisLabel : {formatter : (v) => `${+ v.toPrecision(3)}`},
        min : low * 0.95,
        max : high * 1.05
    });
    return {
        ...look(),
        parallelAxis : dims.map((d) => ({
                                    ...d,
                                    nameTextStyle : {color : css("--fg")},
                                    axisLabel : {color : css("--soft"), ...d.axisLabel},
                                    axisLine : {lineStyle : {color : css("--soft")}}
                                })),
        parallel : {left : 50, right : 70, top : 40, bottom : 24},
        visualMap : {
            show : false,
            type : "continuous",
            dimension : names.length,
            min : low,
            max : low < high ? Math.min(high, low * 6) : low + 1,
            inRange : {color : [ color(1), color(6), color(5), color(0) ], opacity : [ 0.95, 0.45 ]}
        },
        tooltip : tooltip({formatter : (p) => (p.data?.e ? about(run, p.data.e) : "")}),
        series : [ {
            type : "parallel",
            smooth : false,
            lineStyle : {width : 1.6},
            data :
                [...ok ]
                    .sort((a, b) => b.us - a.us)
                    .map((e) =>
                             ({value : names.map((n) => (n in e.vector ? String(e.vector[n]) : "–")).concat(e.us), e}))
        } ],
    };
}

const draw = {
    evals : (r) => progress(r, byNumber, "evaluations"),
    seconds : (r) => progress(r, bySeconds, "seconds"),
    roofline,
    graph,
    parallel,
    "compare-evals" : () => compare(byNumber, "evaluations"),
    "compare-seconds" : () => compare(bySeconds, "seconds")
};
const enough = {
    graph : (r) => r.nodes.length > 0,
    parallel : (r) => r.importance.length > 0
};

const charts = new Map();
function show(figure)
{
    const name = figure.dataset.chart, run = data.runs[figure.dataset.run ?? 0];
    if (charts.has(figure) || figure.clientWidth === 0 ||
        !(enough[name] ?? ((r) => r.evals.some((e) => e.us != null)))(run))
        return;
    const option = draw[name](run), place = document.createElement("div");
    place.className = "chart";
    place.style.height = `${option.height ?? (name === "roofline" || name === "parallel" ? 380 : 320)}px`;
    delete option.height;
    for (const plain of figure.querySelectorAll("svg, .key")) plain.remove();
    figure.append(place);
    const chart = echarts.init(place);
    chart.setOption(option);
    charts.set(figure, chart);
}
const figures = [...document.querySelectorAll("figure[data-chart]") ];
const all = () => figures.forEach(show);
all();
document.addEventListener("toggle", all, true); /* what stands in a closed part has no width yet */
addEventListener("resize", () => charts.forEach((chart) => chart.resize()));
dark.addEventListener("change", () => charts.forEach((chart, figure) => {
    const option = draw[figure.dataset.chart](data.runs[figure.dataset.run ?? 0]);
    delete option.height;
    chart.setOption(option, true);
}));
