// Rows of a comparison: read from the page or drawn from data, filtered, ordered, and put in the table a window at a time.

import { amount, fold } from "./consulta.js";

export const WINDOW = 100;
export const collator = new Intl.Collator("pt-BR", { numeric: true, sensitivity: "base" });
const DAY_MS = 86_400_000;

export const ageInDays = (iso) => Math.max(0, Math.floor((Date.now() - Date.parse(`${iso}T00:00:00Z`)) / DAY_MS));

const visible = (cell) => [...cell.childNodes].map((node) => node.textContent.trim()).filter(Boolean).join(" ");

// A value computed when it is first asked for: most readers never sort or search.
function lazily(object, name, compute) {
  Object.defineProperty(object, name, {
    configurable: true,
    get() {
      const value = compute();
      Object.defineProperty(object, name, { value });
      return value;
    },
  });
}

function fromElement(element) {
  const cells = () => [...element.cells].slice(0, -1);
  const row = { id: element.dataset.offer, nodes: [element, element.nextElementSibling] };
  lazily(row, "filters", () => ({ ...element.dataset, idade: String(ageInDays(element.querySelector("time").dateTime)) }));
  lazily(row, "keys", () => cells().map((cell) => cell.dataset.sort ?? visible(cell)));
  lazily(row, "text", () => fold(cells().map(visible).join(" ")));
  return row;
}

// Data of a row: {id, filtros, ordem, texto, html}; it becomes elements only when it is shown. The build wrote the HTML.
export function fromData({ id, filtros, ordem, texto, html }) {
  const row = { id, keys: ordem, text: texto };
  lazily(row, "filters", () => ({ ...filtros, idade: String(ageInDays(ordem.at(-1))) }));
  lazily(row, "nodes", () => {
    const holder = document.createElement("template");
    holder.innerHTML = `<table>${html}</table>`;
    return [...holder.content.querySelectorAll("tr")];
  });
  return row;
}

export class Table {
  constructor(table) {
    this.table = table;
    this.columns = [...table.tHead.rows[0].cells].slice(0, -1);
    this.groups = [...table.tBodies].map((body) => ({
      body,
      heading: body.querySelector(".grupo"),
      rows: [...body.querySelectorAll("tr[data-offer]")].map(fromElement),
    }));
    this.flat = table.appendChild(document.createElement("tbody"));
    this.flat.hidden = true;
    this.setRows(this.groups.flatMap((group) => group.rows));
  }

  // Rows from data have no group: they are always one list.
  setRows(rows) {
    this.rows = rows;
    const grouped = new Set(this.groups.flatMap((group) => group.rows));
    this.isGrouped = rows.every((row) => grouped.has(row));
    this.shown = rows;
    this.limit = WINDOW;
    this.keys = new Map();
  }

  // What orders a column: numbers where every known value is one, else the place of the text in the alphabet.
  ranks(column) {
    if (!this.keys.has(column)) {
      const known = new Set(this.rows.map((row) => row.keys[column]).filter((key) => key !== ""));
      const numeric = [...known].every((key) => !Number.isNaN(Number(key)));
      const places = numeric ? null : new Map([...known].sort(collator.compare).map((key, place) => [key, place]));
      const rank = (key) => (key === "" ? NaN : numeric ? Number(key) : places.get(key));
      this.keys.set(column, new Map(this.rows.map((row) => [row, rank(row.keys[column])])));
    }
    return this.keys.get(column);
  }

  // Unknown values go last in both directions.
  order(rows, column, descending) {
    const ranks = this.ranks(column);
    const known = rows.filter((row) => !Number.isNaN(ranks.get(row)));
    const unknown = rows.filter((row) => Number.isNaN(ranks.get(row)));
    known.sort((a, b) => (descending ? ranks.get(b) - ranks.get(a) : ranks.get(a) - ranks.get(b)));
    return [...known, ...unknown];
  }

  passing(tests) {
    return this.rows.filter((row) => tests.every((test) => test(row)));
  }

  // Shows the rows that pass, in the order of a column, or in their groups when there is none.
  show(tests, column = -1, descending = false) {
    const passing = this.passing(tests);
    this.shown = column < 0 ? passing : this.order(passing, column, descending);
    this.draw(column >= 0 || !this.isGrouped);
  }

  draw(isFlat = !this.flat.hidden) {
    const first = new Set(this.shown.slice(0, this.limit));
    this.flat.hidden = !isFlat;
    for (const { body, heading, rows } of this.groups) {
      const mine = isFlat ? [] : rows.filter((row) => first.has(row));
      body.hidden = mine.length === 0;
      body.replaceChildren(...(body.hidden ? [] : [heading, ...mine.flatMap((row) => row.nodes)]));
    }
    this.flat.replaceChildren(...(isFlat ? [...first].flatMap((row) => row.nodes) : []));
  }
}

// Each control is named after what it looks at in a row; data-teste says how.
export const TESTS = {
  minimo: (name, want) => (row) => amount(row, name) >= want,
  maximo: (name, want) => (row) => amount(row, name) <= want,
  idade: (name, want) => (row) => amount(row, name) <= want,
  igual: (name, want) => (row) => (row.filters[name] ?? "") === want,
};
