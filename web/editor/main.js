/* The editor of reasoning graphs, served by `regraph-graph serve`. Edits gather here and are saved together; the server keeps log and backups. */
import './editor.css';
import { get, post } from './api.js';
import { Model } from './model.js';
import { Canvas } from './canvas.js';
import { Panel } from './panel.js';
import { el, $ } from './dom.js';

const LISTED = 300; /* more than that nobody reads: the search narrows it down */
let model = null,
  canvas = null,
  panel = null,
  selected = null,
  connecting = null,
  known = null;

function say(text) {
  $('status').textContent = text;
}

function filter() {
  const words = $('find').value.trim().toLowerCase().split(/\s+/).filter(Boolean),
    category = $('category').value;
  const fits = (s) =>
    (!category || s.category === category) &&
    words.every((w) => (s.id + ' ' + s.title + ' ' + (s.hint || '')).toLowerCase().includes(w));
  return model.steps().filter(fits);
}

function shownEdges(ids) {
  const mode = $('edges').value,
    edges = model.edges().filter((e) => (e.from === '@start' || ids.has(e.from)) && ids.has(e.to));
  if (mode === 'untried') return edges.filter((e) => !e.seen);
  if (mode === 'helped') return edges.filter((e) => e.seen && !e.led && e.weight && e.weight.gain <= 0.01);
  if (mode === 'barred') return edges.filter((e) => e.never);
  const most = Number(mode);
  if (!most) return edges;
  const bySource = new Map();
  for (const e of edges) bySource.set(e.from, [...(bySource.get(e.from) || []), e]);
  const strongest = [...bySource.values()].flatMap((list) =>
    list.sort((a, b) => b.weight.score - a.weight.score).slice(0, most),
  );
  /* what is selected is always seen whole */
  const step = selected && selected.step,
    [from, to] = (selected && selected.edge) || [];
  return [
    ...new Set([
      ...strongest,
      ...edges.filter((e) => e.from === step || e.to === step || (e.from === from && e.to === to)),
    ]),
  ];
}

function drawList(steps) {
  const rows = steps
    .slice(0, LISTED)
    .map((s) =>
      el(
        'li',
        {},
        el(
          'button',
          {
            type: 'button',
            class: selected && selected.step === s.id ? 'step here' : 'step',
            'data-id': s.id,
            onclick: () => select({ step: s.id }),
            'aria-current': selected && selected.step === s.id ? 'true' : null,
            title: s.title,
          },
          el('span', { class: 'id' }, s.id + (s.never ? ' (never)' : '')),
          el('span', { class: 'cat' }, s.category),
        ),
      ),
    );
  const start = el(
    'li',
    {},
    el(
      'button',
      {
        type: 'button',
        class: selected && selected.step === '@start' ? 'step here' : 'step',
        'data-id': '@start',
        onclick: () => select({ step: '@start' }),
      },
      el('span', { class: 'id' }, '@start'),
    ),
  );
  $('list').replaceChildren(
    el(
      'p',
      { class: 'count' },
      `${steps.length} of ${model.steps().length} steps, ${model.edges().length} edges` +
        (steps.length > LISTED ? `; the first ${LISTED} are listed` : ''),
    ),
    el('ul', {}, start, ...rows),
  );
}

function draw(keep) {
  const steps = filter(),
    ids = new Set(steps.map((s) => s.id));
  drawList(steps);
  canvas.draw(steps, shownEdges(ids), selected, keep);
  const n = model.pending.length;
  $('save').disabled = !n;
  $('save').textContent = n ? `Save ${n} change${n > 1 ? 's' : ''}` : 'Saved';
  $('undo').disabled = !n && !model.canUndo();
  $('redo').disabled = !model.undone.length;
  document.title = (n ? '* ' : '') + model.name;
}

function select(what, focus) {
  if (connecting && what && what.step && what.step !== '@start') {
    return connect(connecting, what.step);
  }
  selected = what;
  draw(true);
  panel.show(what);
  if (focus !== false && what) $('panel').focus({ preventScroll: true });
}

/* One change: seen at once, written with the others. */
function edit(op, then) {
  const error = model.change(op);
  if (error) {
    say(error);
    return error;
  }
  say(`${op.op} ${op.id || op.from || (op.step && op.step.id)}${op.to ? ' ' + op.to : ''}: not saved yet`);
  selected = then === undefined ? selected : then;
  draw(true);
  panel.show(selected);
  return null;
}

async function undo() {
  if (model.pending.length) {
    const op = model.undo();
    say(`taken back: ${op.op}`);
    if (selected && selected.step && selected.step !== '@start' && !model.step(selected.step)) selected = null;
    if (selected && selected.edge && !model.edge(...selected.edge)) selected = null;
    draw(true);
    panel.show(selected);
    return;
  }
  const r = await post('/api/undo', { revision: model.revision });
  if (r.error) return r.status === 409 ? conflict() : say(r.error.message);
  await load();
  say('the last saved edit was taken back');
}

/* Of what undo took back here; what was taken back from the file is in its log. */
function redo() {
  const op = model.redo();
  if (!op) return;
  say(`done again: ${op.op}`);
  draw(true);
  panel.show(selected);
}

/* A drag from step to step in the picture. */
function connect(from, to) {
  connecting = null;
  edit({ op: 'add-edge', from, to, prior: 0.5, confidence: 1 }, { edge: [from, to] });
}

async function save() {
  if (!model.pending.length) return;
  const n = model.pending.length;
  $('save').disabled = true;
  const r = await post('/api/edit', { revision: model.revision, edits: model.pending });
  if (r.error) {
    draw(true);
    return r.status === 409 ? conflict() : say(`not saved: ${r.error.message}`);
  }
  model.pending = [];
  await load();
  say(`saved ${n} change${n > 1 ? 's' : ''}`);
}

/* The file is not what this page read any more: a run learnt, or someone edited. */
function conflict() {
  const n = model.pending.length,
    banner = $('banner');
  banner.replaceChildren(
    el('p', {}, 'The file was changed on disk since this page read it. Nothing of yours is lost or written.'),
    el(
      'button',
      { type: 'button', id: 'take', class: 'primary', onclick: () => reload(true) },
      n ? `Read it anew and keep my ${n} change${n > 1 ? 's' : ''}` : 'Read it anew',
    ),
    n
      ? el('button', { type: 'button', id: 'drop', onclick: () => reload(false) }, 'Read it anew and drop mine')
      : null,
  );
  banner.hidden = false;
  say('the file was changed on disk');
}

async function reload(keepMine) {
  const mine = keepMine ? model.pending : [];
  model.pending = [];
  await load();
  const lost = mine.map((op) => [op, model.change(op)]).filter((x) => x[1]);
  draw(true);
  panel.show(selected);
  say(
    lost.length
      ? `no longer possible: ${lost.map(([op, why]) => `${op.op}: ${why}`).join('; ')}`
      : mine.length
        ? 'your changes stand on the new file; they are not saved yet'
        : 'read anew',
  );
}

async function load() {
  const q = new URLSearchParams({ device: $('device').value, class: $('class').value, coder: $('coder').value });
  const r = await get('/api/graph?' + q);
  if (r.error) {
    $('banner').replaceChildren(el('p', {}, r.error.message));
    $('banner').hidden = false;
    return false;
  }
  const pending = model ? model.pending : [];
  model = new Model(r, pending);
  known = r.revision;
  $('banner').hidden = true;
  $('name').textContent = model.name;
  $('name').title = r.file;
  const category = $('category').value;
  $('category').replaceChildren(
    el('option', { value: '' }, 'all'),
    ...r.words.categories.map((c) => el('option', { value: c }, c)),
  );
  $('category').value = category;
  $('steps').replaceChildren(
    ...model
      .steps()
      .slice(0, 2000)
      .map((s) => el('option', { value: s.id })),
  );
  for (const key of ['devices', 'classes', 'coders'])
    $(key).replaceChildren(...r.known[key].map((value) => el('option', { value })));
  if (!canvas) canvas = new Canvas($('canvas'), r.words.categories, (what) => select(what, false), connect);
  panel = new Panel($('panel'), {
    model,
    edit,
    select,
    say,
    view: q,
    connect: (from) => {
      connecting = from;
      say(`choose what may follow ${from}; Escape stops`);
      $('find').focus();
    },
  });
  draw(false);
  panel.show(selected);
  return true;
}

async function watch() {
  if (document.hidden || !model || !$('banner').hidden) return;
  const r = await get('/api/revision');
  if (!r.error && r.revision !== known) {
    known = r.revision;
    if (model.pending.length) conflict();
    else {
      await load();
      say('the file was changed on disk: read anew');
    }
  }
}

function showKeys() {
  panel.element.replaceChildren(
    el('h2', {}, 'Keys'),
    el(
      'dl',
      {},
      ...[
        ['/', 'find'],
        ['n', 'add a step'],
        ['c', 'connect the selected step with another'],
        ['Delete', 'delete what is selected'],
        ['Ctrl Z', 'undo'],
        ['Ctrl Shift Z, Ctrl Y', 'redo'],
        ['Ctrl S', 'save'],
        ['Escape', 'close, stop connecting'],
        ['Arrows', 'up and down in the list of steps'],
        ['Drag', 'from step to step in the picture: connects them'],
      ].flatMap(([k, what]) => [el('dt', {}, el('kbd', {}, k)), el('dd', {}, what)]),
    ),
  );
  panel.element.focus();
}

function keys(e) {
  const typing = e.target.closest('input, textarea, select'),
    command = e.ctrlKey || e.metaKey;
  if (command && e.key.toLowerCase() === 's') {
    e.preventDefault();
    save();
    return;
  }
  if (command && ['z', 'y'].includes(e.key.toLowerCase()) && !typing) {
    e.preventDefault();
    if (e.shiftKey || e.key.toLowerCase() === 'y') redo();
    else undo();
    return;
  }
  if (e.key === 'Escape') {
    connecting = null;
    if (typing) e.target.blur();
    else select(null);
    return;
  }
  if (typing || command || e.altKey || !model) return;
  if (e.key === '/') {
    e.preventDefault();
    $('find').focus();
  } else if (e.key === '?') showKeys();
  else if (e.key === 'n') {
    e.preventDefault();
    panel.newStep();
  } else if (e.key === 'c' && selected && selected.step) {
    e.preventDefault();
    panel.connect();
  } else if (e.key === 'Delete' && selected) panel.remove();
  else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
    const all = [...$('list').querySelectorAll('button')],
      at = all.indexOf(document.activeElement);
    const next = all[Math.max(0, Math.min(all.length - 1, at + (e.key === 'ArrowDown' ? 1 : -1)))];
    if (next && $('list').contains(document.activeElement)) {
      e.preventDefault();
      next.focus();
    }
  }
}

let wait = 0;
$('find').addEventListener('input', () => {
  clearTimeout(wait);
  wait = setTimeout(() => draw(false), 150);
});
for (const id of ['category', 'edges']) $(id).addEventListener('change', () => draw(false));
for (const id of ['device', 'class', 'coder']) $(id).addEventListener('change', load);
$('add').addEventListener('click', () => panel.newStep());
$('undo').addEventListener('click', undo);
$('redo').addEventListener('click', redo);
$('save').addEventListener('click', save);
$('help').addEventListener('click', showKeys);
document.addEventListener('keydown', keys);
window.addEventListener('beforeunload', (e) => {
  if (model && model.pending.length) e.preventDefault();
});
setInterval(watch, 2000);
load().then((ok) => {
  if (ok) say(`${model.steps().length} steps, ${model.edges().length} edges`);
  document.body.dataset.ready = ok ? 'yes' : 'no';
});
