// The graph editor in headless Chromium: node editor.mjs CHROMIUM URL GRAPH PICTURES. Prints `ok NAME` and `not ok NAME: why`.
import { chromium } from '../../../web/node_modules/playwright-core/index.mjs';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const [program, url, graph, pictures, big] = process.argv.slice(2);
const tool = process.env.G,
  said = [];
let bad = 0;
async function t(name, body) {
  try {
    await body();
    console.log(`ok editor.${name}`);
  } catch (e) {
    bad = 1;
    console.log(`not ok editor.${name}: ${String(e.message).split('\n').slice(0, 4).join(' | ')}`);
  }
}
function must(holds, why) {
  if (!holds) throw new Error(why);
}
const read = () => JSON.parse(fs.readFileSync(graph, 'utf8'));
const edge = (from, to) => read().edges.find((e) => e.from === from && e.to === to);

const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
page.setDefaultTimeout(30000);
page.on('console', (m) => {
  if (m.type() === 'error' || m.type() === 'warning') said.push(m.text());
});
page.on('pageerror', (e) => said.push(e.message));
const status = (text) => page.waitForFunction((x) => document.getElementById('status').textContent.includes(x), text);
const open = async (step) => {
  await page.click(`#list button[data-id="${step}"]`);
  await page.waitForFunction(
    (s) => document.querySelector('#panel h2')?.textContent === s && document.getElementById('step-title'),
    step,
  );
};

await t('opens', async () => {
  await page.goto(url);
  await page.waitForSelector('body[data-ready=yes]');
  must((await page.locator('#list button.step').count()) === read().steps.length + 1, 'not every step is listed');
  must((await page.locator('#canvas canvas').count()) > 0, 'no picture');
  await page.screenshot({ path: `${pictures}/editor.png` });
});
await t('finds_and_filters', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('shared memory tile');
  await page.waitForFunction(() => document.querySelectorAll('#list button.step').length < 20);
  must((await page.locator('#list button[data-id="tile.shared"]').count()) === 1, 'tile.shared is not found');
  await page.fill('#find', '');
  await page.selectOption('#category', 'precision');
  await page.waitForFunction(() => document.querySelectorAll('#list button.step').length === 3);
  await page.selectOption('#category', '');
  await page.waitForFunction(
    (n) => document.querySelectorAll('#list button.step').length === n,
    read().steps.length + 1,
  );
});
await t('shows_evidence', async () => {
  await open('vectorize');
  await page.click('#panel button.link:text-is("parallelize")');
  await page.waitForSelector('#evidence tbody tr');
  const text = await page.textContent('#panel');
  must(
    text.includes('sim:h200') && text.includes('way') && /led 1\.00 of 1\.00/.test(text),
    'the terms or the rows are missing',
  );
  must((await page.locator('#evidence code').count()) === 1, 'no run behind the row');
});
await t('sees_from_elsewhere', async () => {
  must((await page.locator('#devices option').count()) === 1, 'the devices of the evidence are not offered');
  await page.fill('#device', 'sm_90');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => /led 0\.25 of 0\.25/.test(document.getElementById('panel').textContent));
  await page.fill('#device', '');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => /led 1\.00 of 1\.00/.test(document.getElementById('panel').textContent));
});
await t('edits_an_edge', async () => {
  await page.fill('#edge-prior', '0.875');
  await page.fill('#edge-note', 'said in the browser');
  await page.click('#edge-apply');
  await status('not saved yet');
  must(edge('parallelize', 'vectorize').prior !== 0.875, 'written before it was saved');
  await page.keyboard.press('Control+s');
  await status('saved 1 change');
  const e = edge('parallelize', 'vectorize');
  must(
    e.prior === 0.875 && e.note === 'said in the browser' && e.author === 'Ada' && e.evidence.length === 1,
    JSON.stringify(e).slice(0, 200),
  );
});
await t('adds_changes_connects', async () => {
  await page.keyboard.press('Escape');
  await page.click('#add');
  await page.fill('#step-id', 'lab.step');
  await page.fill('#step-title', '<b>Mine</b>');
  await page.fill('#step-hint', 'What to do');
  await page.fill('#step-tunables', '{"Q": [4, 2]}');
  await page.click('#step-apply');
  await page.waitForFunction(
    () => document.querySelector('#panel h2')?.textContent === 'lab.step' && document.getElementById('connect-to'),
  );
  must((await page.textContent('#panel .sub')) === '<b>Mine</b>', 'a title is shown as markup');
  await page.fill('#connect-to', 'unroll');
  await page.click('#panel form.inline button');
  await page.waitForSelector('#edge-never');
  await page.check('#edge-never');
  await page.click('#edge-apply');
  await open('coalesce');
  await page.fill('#step-hint', 'Another hint');
  await page.click('#step-apply');
  await page.click('#save');
  await status('saved 4 changes');
  const g = read(),
    mine = g.steps.find((s) => s.id === 'lab.step');
  must(mine && mine.title === '<b>Mine</b>' && mine.tunables.Q[0] === 4, 'the step is not in the file');
  must(edge('lab.step', 'unroll').never === true, 'the edge is not in the file');
  const coalesce = g.steps.find((s) => s.id === 'coalesce');
  must(coalesce.hint === 'Another hint' && coalesce.check && coalesce.poly, 'what was not changed is gone');
});
await t('refuses_what_the_graph_refuses', async () => {
  await open('lab.step');
  await page.fill('#step-require', '["Q > 100"]');
  await page.click('#step-apply');
  await page.click('#save');
  await status('not saved: ');
  must((await page.textContent('#status')).includes('break a constraint'), await page.textContent('#status'));
  await page.click('#undo');
  await status('taken back');
});
await t('draws_an_edge_undoes_redoes', async () => {
  await page.keyboard.press('Escape');
  await page.selectOption('#edges', '2');
  const place = (id) =>
    page.evaluate((x) => {
      const host = document.getElementById('canvas'),
        p = host._cyreg.cy.getElementById(x).renderedPosition(),
        box = host.getBoundingClientRect();
      return [box.x + p.x, box.y + p.y];
    }, id);
  const there = () => page.evaluate(() => document.querySelector('#panel h2')?.textContent || '');
  const drag = async (from, to) => {
    await page.mouse.move(...(await place(from)));
    await page.mouse.down();
    await page.mouse.move(...(await place('unroll')), { steps: 4 });
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
  };
  must(!edge('tile.shared', 'lab.step'), 'the edge is there already');
  const ground = [(await place('tile.shared'))[0], (await place('tile.shared'))[1] + 22];
  await drag('tile.shared', ground);
  must(await page.isDisabled('#save'), 'a drag that ends on no step made a change');
  const before = await place('tile.shared');
  await drag('tile.shared', await place('lab.step'));
  await status('add-edge tile.shared lab.step: not saved yet');
  const after = await place('tile.shared');
  must(Math.hypot(after[0] - before[0], after[1] - before[1]) < 1, 'the picture moved with the drag');
  must((await there()).includes('lab.step'), await there());
  must(await page.isDisabled('#redo'), 'there is nothing to do again');
  await page.click('#undo');
  await status('taken back: add-edge');
  must(await page.isDisabled('#save'), 'nothing is left to save');
  await page.keyboard.press('Control+Shift+z');
  await status('done again: add-edge');
  await page.click('#undo');
  await page.click('#redo');
  must(await page.isDisabled('#redo'), 'done again once only');
  await page.click('#save');
  await status('saved 1 change');
  must(edge('tile.shared', 'lab.step').prior === 0.5, 'the edge is not in the file');
});
await t('deletes_and_undoes', async () => {
  await open('lab.step');
  await page.click('#delete');
  must((await page.locator('#list button[data-id="lab.step"]').count()) === 0, 'still listed');
  await page.click('#undo');
  must((await page.locator('#list button[data-id="lab.step"]').count()) === 1, 'not back');
  await open('lab.step');
  await page.keyboard.press('Delete');
  await page.click('#save');
  await status('saved 1 change');
  must(!read().steps.some((s) => s.id === 'lab.step') && read().removed.length === 1, 'not deleted');
  await page.click('#undo');
  await status('the last saved edit was taken back');
  must(
    read().steps.some((s) => s.id === 'lab.step'),
    'the saved edit was not undone',
  );
});
await t('tells_a_conflict', async () => {
  await open('unroll');
  await page.fill('#step-hint', 'mine, not saved');
  await page.click('#step-apply');
  execFileSync(tool, ['set', graph, 'coalesce', 'tile.shared', '--prior', '0.125']);
  await page.click('#save');
  await page.waitForSelector('#banner:not([hidden])');
  await page.screenshot({ path: `${pictures}/conflict.png` });
  must(edge('coalesce', 'tile.shared').prior === 0.125, "the other's edit is gone");
  must(!JSON.stringify(read()).includes('mine, not saved'), 'written over the other edit');
  await page.click('#take');
  await status('your changes stand on the new file');
  await page.click('#save');
  await status('saved 1 change');
  must(
    edge('coalesce', 'tile.shared').prior === 0.125 && JSON.stringify(read()).includes('mine, not saved'),
    'one of the two edits is gone',
  );
});
await t('sees_changes_on_disk', async () => {
  execFileSync(tool, ['set', graph, 'coalesce', 'tile.shared', '--prior', '0.375']);
  await status('changed on disk: read anew');
});
await t('keyboard_alone', async () => {
  await page.keyboard.press('Escape');
  await page.focus('#list button[data-id="algebra"]');
  await page.keyboard.press('ArrowDown');
  const next = await page.evaluate(() => document.activeElement.dataset.id);
  must(next && next !== 'algebra', 'the arrow goes nowhere');
  await page.keyboard.press('Enter');
  await page.waitForFunction((s) => document.querySelector('#panel h2')?.textContent === s, next);
  must((await page.evaluate(() => document.activeElement.id)) === 'panel', 'the panel has not the focus');
});
await t('named_for_screen_readers', async () => {
  await open('tile.shared');
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea')]
      .filter(
        (e) =>
          !e.hidden &&
          !(
            e.textContent.trim() ||
            e.getAttribute('aria-label') ||
            (e.labels && [...e.labels].some((l) => l.textContent.trim()))
          ),
      )
      .map((e) => e.outerHTML.slice(0, 80)),
  );
  must(!nameless.length, `without a name: ${nameless.join(' ')}`);
  must(
    (await page.getAttribute('#status', 'aria-live')) === 'polite' &&
      (await page.locator('[aria-current=true]').count()) === 1,
    'state is not told',
  );
});
await t('light_and_dark', async () => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  must((await ground()) !== light, 'no dark colours');
  await page.screenshot({ path: `${pictures}/dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
});
await t('no_console_errors', async () => {
  /* the browser reports replies that were meant (409, 400) as failed resources */
  const real = said.filter((x) => !/status of (400|409)/.test(x));
  must(!real.length, real.join(' | '));
});
await t('wrong_token', async () => {
  const other = await browser.newPage();
  for (const u of [
    url.replace(/token=.*/, 'token=00000000000000000000000000000000'),
    url.replace(/\?.*/, ''),
    url.replace(/\?.*/, 'api/graph'),
    url.replace(/\/\?token=/, '/api/graph?token='),
  ]) {
    const r = await other.goto(u);
    must(r.status() === 403 && !(await r.text()).includes('tile.shared'), `${u}: ${r.status()}`);
  }
});
if (big)
  await t('thousand_steps', async () => {
    const large = await browser.newPage({ viewport: { width: 1500, height: 950 } });
    large.setDefaultTimeout(100000);
    const begun = Date.now();
    await large.goto(big);
    await large.waitForSelector('body[data-ready=yes]');
    const ready = Date.now() - begun;
    await large.fill('#find', 's0042');
    await large.waitForFunction(() => document.querySelectorAll('#list button.step').length === 2);
    const asked = Date.now();
    await large.fill('#find', '');
    await large.waitForFunction(() => document.querySelectorAll('#list button.step').length > 200);
    const drawn = Date.now() - asked,
      clicked = Date.now();
    await large.click('#list button[data-id="s0007"]');
    await large.waitForFunction(() => document.querySelector('#panel h2')?.textContent === 's0007');
    const selected = Date.now() - clicked;
    await large.screenshot({ path: `${pictures}/large.png` });
    console.log(
      `# 10^3 steps, 10^4 edges: ready after ${ready} ms, drawn anew in ${drawn} ms, a step chosen in ${selected} ms`,
    );
  });
await browser.close();
process.exit(bad);
