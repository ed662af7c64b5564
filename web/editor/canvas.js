/* The picture: steps in layers by category, as `regraph-graph export` draws them; thickness is the score, colour what is known. */
import cytoscape from 'cytoscape';

const MANY = 800; /* elements: beyond, edges are plain lines and what is not selected is not dimmed */

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function style(dark) {
  return [
    {
      selector: 'node',
      style: {
        label: 'data(id)',
        shape: 'round-rectangle',
        width: 'data(width)',
        height: 26,
        'background-color': dark ? '#242b36' : '#ffffff',
        'border-width': 1,
        'border-color': color('--soft'),
        color: color('--fg'),
        'font-size': 12,
        'text-valign': 'center',
        'min-zoomed-font-size': 5,
        'z-index-compare': 'manual',
        'z-index': 10,
      },
    },
    {
      selector: 'node.band',
      style: {
        shape: 'rectangle',
        width: 'data(width)',
        height: 'data(height)',
        'background-color': color('--panel'),
        'border-width': 0,
        label: 'data(name)',
        'text-valign': 'center',
        'text-halign': 'left',
        'text-margin-x': -8,
        'font-weight': 'bold',
        color: color('--soft'),
        'z-index': 0,
        events: 'no',
      },
    },
    { selector: 'node.never', style: { 'border-style': 'dotted', 'border-color': color('--c2'), 'border-width': 2 } },
    {
      selector: 'edge',
      style: {
        width: 'data(width)',
        'line-color': 'data(color)',
        'curve-style': 'bezier',
        'target-arrow-shape': 'triangle',
        'target-arrow-color': 'data(color)',
        'arrow-scale': 0.8,
        opacity: 0.8,
        'z-index-compare': 'manual',
        'z-index': 5,
      },
    },
    { selector: 'edge.untried', style: { 'line-style': 'dashed' } },
    {
      selector: 'edge.never',
      style: { 'line-style': 'dotted', 'line-color': color('--c2'), 'target-arrow-color': color('--c2') },
    },
    { selector: 'edge.plain', style: { 'curve-style': 'haystack', 'haystack-radius': 0.4 } },
    {
      selector: '.near',
      style: { 'border-color': color('--accent'), 'line-color': color('--accent'), opacity: 1, 'z-index': 15 },
    },
    { selector: 'node.drawn', style: { width: 1, height: 1, opacity: 0, label: '', events: 'no' } },
    { selector: 'edge.drawn', style: { events: 'no', 'z-index': 30 } },
    { selector: '.dim', style: { opacity: 0.12 } },
    {
      selector: '.here',
      style: {
        'border-width': 3,
        'border-color': color('--accent'),
        'line-color': color('--accent'),
        'target-arrow-color': color('--accent'),
        opacity: 1,
        'z-index': 20,
      },
    },
  ];
}

/* Pale where little is known, strong at a hundred observations; turned round on a dark ground. */
function shade(n, dark) {
  const t = Math.min(1, Math.log1p(n) / Math.log(101)),
    from = dark ? [70, 84, 110] : [170, 190, 220],
    to = dark ? [150, 190, 255] : [10, 45, 130];
  return `rgb(${from.map((x, i) => Math.round(x + (to[i] - x) * t)).join(',')})`;
}

export class Canvas {
  constructor(element, categories, select, connect) {
    this.order = [
      'algorithm',
      'parallelism',
      'control',
      'locality',
      'memory',
      'compute',
      'communication',
      'precision',
      'launch',
      'tuning',
    ];
    for (const c of categories) if (!this.order.includes(c)) this.order.push(c);
    this.items = new Map();
    this.media = window.matchMedia('(prefers-color-scheme: dark)');
    this.cy = cytoscape({
      container: element,
      style: style(this.media.matches),
      minZoom: 0.02,
      maxZoom: 4,
      autoungrabify: true,
      boxSelectionEnabled: false,
      textureOnViewport: true,
      hideEdgesOnViewport: true,
      pixelRatio: 1,
    });
    this.cy.on('tap', (e) => {
      if (e.target === this.cy) return;
      const d = e.target.data();
      select(e.target.isEdge() ? { edge: [d.source, d.target] } : { step: d.id });
    });
    this.drawEdges(connect);
    this.media.addEventListener('change', () => {
      this.cy.style(style(this.media.matches));
      if (this.last) this.draw(...this.last);
    });
    element.setAttribute('aria-hidden', 'false');
  }

  /* A drag that begins on a step draws an edge to the step it ends on; one on the ground moves the picture. */
  drawEdges(connect) {
    const cy = this.cy,
      ghost = { node: 'drawn to', edge: 'drawn' };
    let from = null;
    const end = () => {
      cy.remove(cy.getElementById(ghost.node));
      cy.userPanningEnabled(true);
      from = null;
    };
    cy.on('tapstart', 'node', (e) => {
      if (e.originalEvent && e.originalEvent.touches && e.originalEvent.touches.length > 1) return;
      from = e.target.id();
      cy.userPanningEnabled(false);
    });
    cy.on('tapdrag', (e) => {
      if (!from) return;
      const drawn = cy.getElementById(ghost.node);
      if (drawn.length) return void drawn.position(e.position);
      cy.add([
        { group: 'nodes', classes: 'drawn', data: { id: ghost.node, width: 1 }, position: { ...e.position } },
        {
          group: 'edges',
          classes: 'drawn',
          data: { id: ghost.edge, source: from, target: ghost.node, width: 2, color: color('--accent') },
        },
      ]);
    });
    cy.on('tapend', (e) => {
      const began = from,
        moved = cy.getElementById(ghost.node).length > 0,
        to = e.target !== cy && e.target.isNode() ? e.target.id() : null;
      if (began) end();
      if (began && moved && to && to !== began && to !== '@start') connect(began, to);
    });
  }

  /* Where each step stands: bands of categories, several rows where one would be too wide. */
  placeIn(steps, wide) {
    const bands = [],
      at = new Map();
    let y = 60;
    for (const name of this.order) {
      const members = steps
        .filter((s) => s.category === name)
        .sort((a, b) => (a.depth ?? 99) - (b.depth ?? 99) || (a.id < b.id ? -1 : 1));
      if (!members.length) continue;
      const top = y,
        rows = [[]];
      let used = 0;
      for (const s of members) {
        const w = 20 + 7.2 * s.id.length;
        if (used + w > wide && rows[rows.length - 1].length) {
          rows.push([]);
          used = 0;
        }
        rows[rows.length - 1].push([s, w]);
        used += w + 16;
      }
      for (const row of rows) {
        let x = -row.reduce((t, r) => t + r[1] + 16, -16) / 2;
        for (const [s, w] of row) {
          at.set(s.id, { x: x + w / 2, y, width: w });
          x += w + 16;
        }
        y += 50;
      }
      bands.push({ name, y: (top + y - 50) / 2, height: y - top - 6, width: wide + 40 });
      y += 56;
    }
    return { bands, at, height: y };
  }

  /* As wide as makes the whole picture largest in the room that there is. */
  place(steps) {
    const room = Math.max(1, this.cy.width()) / Math.max(1, this.cy.height()),
      names = 160; /* of the bands, beside them */
    let best = null;
    for (let wide = 400; wide <= Math.max(1150, Math.sqrt(steps.length) * 100); wide *= 1.2) {
      const made = this.placeIn(steps, wide),
        size = Math.max((wide + names) / room, made.height);
      if (!best || size < best.size) best = { ...made, size };
    }
    return best;
  }

  /* What should be there, by id. */
  wanted(steps, edges, selected) {
    const dark = this.media.matches,
      { bands, at } = this.place(steps),
      items = new Map();
    const put = (item) => items.set(item.data.id, item);
    for (const b of bands)
      put({
        group: 'nodes',
        classes: 'band',
        data: { id: 'band ' + b.name, ...b },
        position: { x: 0, y: b.y },
        selectable: false,
      });
    if (edges.some((e) => e.from === '@start') || !selected)
      put({ group: 'nodes', classes: '', data: { id: '@start', width: 64 }, position: { x: 0, y: 0 } });
    for (const s of steps)
      put({
        group: 'nodes',
        classes: s.never ? 'never' : '',
        data: { id: s.id, width: at.get(s.id).width },
        position: { x: at.get(s.id).x, y: at.get(s.id).y },
      });
    for (const e of edges) {
      put({
        group: 'edges',
        classes: [e.never ? 'never' : '', e.seen ? '' : 'untried', edges.length > MANY ? 'plain' : '']
          .join(' ')
          .trim(),
        data: {
          id: e.from + ' ' + e.to,
          source: e.from,
          target: e.to,
          width: Math.min(8, Math.max(0.6, 0.6 + 0.9 * e.weight.score)),
          color: shade(e.weight.observations, dark),
        },
      });
    }
    return items;
  }

  /* Only what differs from the picture is touched: a graph of a thousand steps stays quick. */
  draw(steps, edges, selected, keep) {
    this.last = [steps, edges, selected, true];
    const items = this.wanted(steps, edges, selected),
      old = this.items,
      added = [],
      gone = [];
    for (const id of old.keys()) if (!items.has(id)) gone.push(id);
    this.cy.batch(() => {
      for (const id of gone) this.cy.getElementById(id).remove();
      for (const [id, item] of items) {
        const was = old.get(id),
          text = JSON.stringify(item);
        item.text = text;
        if (!was) {
          added.push(item);
          continue;
        }
        if (was.text === text) continue;
        const e = this.cy.getElementById(id);
        e.data(item.data);
        e.classes(item.classes);
        if (item.position) e.position(item.position);
      }
      if (added.length) this.cy.add(added.map(({ text, ...item }) => item));
      this.items = items;
      this.mark(selected, items.size > MANY);
    });
    if (!keep) this.cy.fit(undefined, 24);
  }

  mark(selected, large) {
    this.cy.elements('.dim, .here, .near').removeClass('dim here near');
    if (!selected) return;
    const hit = this.cy.getElementById(selected.edge ? selected.edge.join(' ') : selected.step);
    if (!hit.length) return;
    const around = hit.isEdge() ? hit.union(hit.connectedNodes()) : hit.closedNeighborhood();
    if (large) around.addClass('near');
    else this.cy.elements().not(around).not('.band').addClass('dim');
    hit.addClass('here');
  }
}
