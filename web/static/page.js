/* What a page does without npm's packages: tables that sort, and a page that loads itself again while the search writes
 * it. */
(() => {
    "use strict";
    const number = (cell) => {
        const text = cell.dataset.v ?? cell.textContent.replace(/[^0-9.eE+-]/g, "");
        return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
    };
    const sortBy = (table, column) => {
        const body = table.tBodies[0], rows = [...body.rows ],
              up = table.dataset.by !== String(column) || table.dataset.up !== "1";
        const numeric = table.tHead.rows[0].cells[column].classList.contains("n");
        rows.sort((a, b) => {
            const x = a.cells[column], y = b.cells[column];
            if (!x || !y) return 0;
            if (!numeric) return x.textContent.localeCompare(y.textContent);
            const p = number(x), q = number(y);
            return p === null || q === null ? (p === null) - (q === null) : p - q;
        });
        if (!up) rows.reverse();
        table.dataset.by = column;
        table.dataset.up = up ? "1" : "0";
        [...table.tHead.rows[0].cells].forEach((c, i) => c.setAttribute("aria-sort", i !== column ? "none"
                                                                                     : up         ? "ascending"
                                                                                                  : "descending"));
        body.append(...rows);
    };
    for (const table of document.querySelectorAll("table.sort")) {
        if (!table.tHead) continue;
        [...table.tHead.rows[0].cells].forEach((cell, i) => {
            cell.tabIndex = 0;
            cell.addEventListener("click", () => sortBy(table, i));
            cell.addEventListener("keydown", (e) => {
                if (e.key === "Enter") sortBy(table, i);
            });
        });
    }
    if (!document.body.classList.contains("live")) return;
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    label.className = "pause";
    label.append(box, " pause");
    document.querySelector("header")?.prepend(label);
    const every = 2000;
    setInterval(() => {
        const reading = document.querySelector("details[open]") !== null; /* what was opened would close */
        if (!box.checked && !document.hidden && !reading) location.reload();
    }, every);
})();
