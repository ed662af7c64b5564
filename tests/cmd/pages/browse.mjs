/* Opens a page from disk in headless Chromium: node browse.mjs CHROMIUM PAGE.html [--dark] [--no-script] [--narrow] [--width N]
 * [--part] [--shot FILE.png] [--wait SELECTOR] [--gone SELECTOR] [--changes SELECTOR] [--touch FILE]
 * [--text SELECTOR] [--count SELECTOR] [--script EXPRESSION]. Fails where the page asks the network for anything or has
 * an error. */
import {writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import process from "node:process";
import {pathToFileURL} from "node:url";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const {chromium} = require("playwright-core");

const [executablePath, page_path, ...words] = process.argv.slice(2);
const has = (word) => words.includes(word), width = has("--width") ? words[words.indexOf("--width") + 1] : "";
const browser = await chromium.launch({executablePath, args : [ "--no-sandbox", "--disable-gpu" ]});
let rc = 0;
try {
    const context = await browser.newContext({
        viewport : {width : width ? Number(width) : has("--narrow") ? 400 : 1200, height : 900},
        colorScheme : has("--dark") ? "dark" : "light",
        javaScriptEnabled : !has("--no-script")
    });
    const page = await context.newPage(), wrong = [];
    page.on("console", (m) => {
        if ([ "error", "warning" ].includes(m.type())) wrong.push(`console: ${m.text()}`);
    });
    page.on("pageerror", (e) => wrong.push(`error: ${e.message}`));
    page.on("request", (r) => {
        if (!/^(file|data):/.test(r.url())) wrong.push(`network: ${r.url()}`);
    });
    page.on("dialog", (d) => {
        wrong.push(`dialog: ${d.message()}`);
        d.dismiss();
    });
    await page.goto(pathToFileURL(page_path).href);
    for (let i = 0; i < words.length; i++) {
        const next = () => words[++i];
        if (words[i] === "--wait")
            await page.waitForSelector(next(), {timeout : 60000, state : "attached"});
        else if (words[i] === "--gone")
            await page.waitForSelector(next(), {timeout : 30000, state : "detached"});
        else if (words[i] === "--touch")
            writeFileSync(next(), "");
        else if (words[i] === "--changes") { /* by itself: the page may load itself again meanwhile */
            const what = next(), text = () => page.locator(what).first().innerText({timeout : 5000}).catch(() => null),
                  before = await text();
            for (let k = 0, now = before; now === null || now === before; k++) {
                if (k > 300) throw new Error(`${what} stays ${before}`);
                await new Promise((done) => setTimeout(done, 200));
                now = await text();
            }
        } else if (words[i] === "--text")
            console.log(await page.locator(next()).first().innerText());
        else if (words[i] === "--count")
            console.log(await page.locator(next()).count());
        else if (words[i] === "--script")
            console.log(await page.evaluate(next()));
        else if (words[i] === "--shot")
            await page.screenshot({path : next(), fullPage : !has("--part")});
    }
    for (const text of wrong) {
        console.log(text);
        rc = 1;
    }
} finally {
    await browser.close();
}
process.exit(rc);
