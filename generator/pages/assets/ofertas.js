// A comparison that answers: filters, order, columns and choice, kept in a query string that people can read and share.

import { number, parse } from "./consulta.js";
import { collator, fromData, Table, TESTS, WINDOW } from "./linhas.js";

const label = (control) => control.closest("label").firstChild.textContent.trim() || control.closest("label").textContent.trim();
const isOn = (control) => (control.type === "checkbox" ? control.checked : control.value.trim() !== "");
const plural = (n) => (n === 1 ? "1 oferta" : `${n.toLocaleString("pt-BR")} ofertas`);

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export class Comparison {
  constructor(section) {
    this.section = section;
    this.form = section.querySelector(".filtros");
    this.table = new Table(section.querySelector("table.ofertas"));
    this.names = this.table.columns.map((heading) => heading.dataset.coluna);
    this.sorted = { column: -1, descending: false };
    this.hidden = new Set();
    this.chosen = new Set();
    this.isFresh = true;
    if (location.search) this.fillChoices();
    else (window.requestIdleCallback ?? setTimeout)(() => this.fillChoices());
    this.makeHeadings();
    this.makeMenus();
    this.makeChoice();
    this.listen();
    this.restore();
    this.apply({ remember: false });
    if (new URLSearchParams(location.search).get("todas") && this.all) this.loadAll().then(() => this.restore()).then(() => this.apply());
  }

  get controls() {
    return [...this.form.elements].filter((control) => control.name);
  }

  // Lists whose choices are whatever the rows have.
  fillChoices() {
    const places = new Intl.DisplayNames("pt-BR", { type: "region" });
    for (const [name, words] of [["gpu", String], ["provedor", String], ["regiao", (code) => places.of(code)]]) {
      const control = this.form.elements.namedItem(name);
      const have = new Set([...control.options].map((option) => option.value));
      const values = [...new Set(this.table.rows.map((row) => row.filters[name]))].filter((value) => value && !have.has(value));
      const options = values.map((value) => new Option(words(value), value));
      control.append(...options.sort((a, b) => collator.compare(a.text, b.text)));
    }
  }

  makeHeadings() {
    this.table.columns.forEach((heading, column) => {
      const button = heading.querySelector("button");
      button.disabled = false;
      button.addEventListener("click", () => {
        const again = this.sorted.column === column;
        this.sorted = { column, descending: again && !this.sorted.descending };
        this.apply();
      });
    });
  }

  makeMenus() {
    const columns = this.section.querySelector(".menu--colunas");
    columns.addEventListener("toggle", () => this.listColumns(columns.querySelector("div")), { once: true });
    columns.addEventListener("change", ({ target }) => {
      if (target.checked) this.hidden.delete(target.value);
      else this.hidden.add(target.value);
      this.showColumns();
      this.remember();
    });
    this.section.querySelector(".menu--levar").addEventListener("click", async ({ target }) => {
      if (!target.dataset.levar) return;
      const { take } = await import("./levar.js");
      this.announce(await take(target.dataset.levar, this));
    });
    for (const menu of this.section.querySelectorAll(".menu")) {
      menu.addEventListener("keydown", ({ key }) => {
        if (key !== "Escape" || !menu.open) return;
        menu.open = false;
        menu.querySelector("summary").focus();
      });
      document.addEventListener("click", ({ target }) => {
        if (!menu.contains(target)) menu.open = false;
      });
    }
  }

  listColumns(list) {
    const boxes = this.table.columns.slice(1).map((heading, at) => {
      const name = this.names[at + 1];
      const box = element("input", { type: "checkbox", checked: !this.hidden.has(name), value: name });
      return element("label", {}, box, heading.textContent.trim());
    });
    list.replaceChildren(...boxes);
  }

  makeChoice() {
    this.bar = element("p", { className: "escolhidas", hidden: true });
    this.section.append(this.bar);
    this.table.table.addEventListener("change", ({ target }) => {
      if (!target.matches(".escolher")) return;
      if (target.checked && this.chosen.size >= 4) {
        target.checked = false;
        this.announce("Dá para comparar até quatro ofertas; tire uma antes.");
        return;
      }
      if (target.checked) this.chosen.add(target.value);
      else this.chosen.delete(target.value);
      this.showChoice();
      this.remember();
    });
  }

  markChosen() {
    for (const box of this.table.table.querySelectorAll(".escolher")) box.checked = this.chosen.has(box.value);
  }

  showChoice() {
    const rows = this.table.rows.filter((row) => this.chosen.has(row.id));
    this.markChosen();
    this.bar.hidden = rows.length === 0;
    const compare = element("button", { type: "button", disabled: rows.length < 2 }, "Comparar lado a lado");
    compare.addEventListener("click", async () => (await import("./lado.js")).open(rows, this.table.columns));
    const clear = element("button", { type: "button" }, "Limpar escolha");
    clear.addEventListener("click", () => {
      this.chosen.clear();
      this.showChoice();
      this.remember();
      this.table.columns[0].querySelector("button").focus();
    });
    const hint = rows.length === 1 ? "1 oferta escolhida; escolha mais uma" : `${rows.length} ofertas escolhidas`;
    this.bar.replaceChildren(element("span", {}, hint), compare, clear);
  }

  listen() {
    this.form.addEventListener("input", () => this.apply());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("reset", () => setTimeout(() => this.reset()));
    this.more = this.section.querySelector(".mais-linhas");
    this.more.addEventListener("click", () => {
      this.table.limit += WINDOW;
      this.table.draw();
      this.markChosen();
      this.more.hidden = this.table.shown.length <= this.table.limit;
    });
    this.all = this.section.querySelector("[data-todas]");
    this.all?.addEventListener("click", async () => {
      await this.loadAll();
      this.apply();
      this.table.columns[0].querySelector("button").focus();
    });
    addEventListener("hashchange", () => this.reveal());
  }

  // The offers that the page leaves out come from the build as data; from then on the table is one list.
  async loadAll() {
    this.all.disabled = true;
    try {
      const { linhas } = await (await fetch(new URL(this.all.dataset.todas, location.href))).json();
      this.table.setRows(linhas.map(fromData));
      this.all.parentElement.hidden = true;
      this.fillChoices();
    } catch {
      this.all.disabled = false;
      this.announce("As demais ofertas não carregaram. Tente outra vez.");
    }
  }

  reset() {
    this.sorted = { column: -1, descending: false };
    this.hidden.clear();
    this.showColumns();
    this.apply();
  }

  // A link to a row that the filters took away brings everything back.
  reveal() {
    const id = decodeURIComponent(location.hash.slice(1));
    const row = id && this.table.isGrouped && this.table.rows.find(({ nodes: [node] }) => node.id === id);
    if (!row || row.nodes[0].isConnected) return;
    this.form.reset();
    setTimeout(() => row.nodes[0].scrollIntoView());
  }

  // Returns the tests of every filter in use, each with its control, and what is wrong with what was written.
  tests() {
    const tests = [];
    const errors = [];
    for (const control of this.controls.filter(isOn)) {
      const { name, value, dataset } = control;
      if (name === "busca") {
        const asked = parse(value);
        tests.push(...asked.tests.map((test) => ({ control, test })));
        errors.push(...asked.errors.map((piece) => `não entendi “${piece}” (exemplo: vram>=80, preco<2,50, provedor:aws)`));
      } else {
        const want = dataset.teste === "igual" ? value : number(value);
        if (Number.isNaN(want)) errors.push(`“${value}” não é um número (exemplo: 2,50)`);
        else tests.push({ control, test: TESTS[dataset.teste](name, want) });
      }
    }
    return { tests, errors };
  }

  apply({ remember = true } = {}) {
    const { tests, errors } = this.tests();
    this.table.limit = WINDOW;
    const isAsBuilt = this.isFresh && tests.length === 0 && this.sorted.column < 0;
    this.isFresh = false;
    if (!isAsBuilt) this.table.show(tests.map(({ test }) => test), this.sorted.column, this.sorted.descending);
    this.table.columns.forEach((heading, column) => {
      if (column !== this.sorted.column) heading.removeAttribute("aria-sort");
      else heading.setAttribute("aria-sort", this.sorted.descending ? "descending" : "ascending");
    });
    this.more.hidden = this.table.shown.length <= this.table.limit;
    if (this.chosen.size) this.markChosen();
    this.tellCount(errors);
    this.tellEmpty(tests);
    if (remember) this.remember();
  }

  tellCount(errors) {
    const [shown, all] = [this.table.shown.length, this.table.rows.length];
    const count = shown === all ? plural(all) : `${shown.toLocaleString("pt-BR")} de ${plural(all)}`;
    const { column, descending } = this.sorted;
    const order = column < 0 ? "" : `, por ${this.table.columns[column].textContent.trim()}, ${descending ? "decrescente" : "crescente"}`;
    this.announce([count + order, ...errors].join("; "));
  }

  announce(text) {
    const output = this.section.querySelector(".contagem");
    if (text && output.textContent !== text) output.textContent = text;
  }

  // When nothing is left, say what each filter alone takes away, and offer to relax it.
  tellEmpty(tests) {
    const empty = this.section.querySelector(".vazio");
    empty.hidden = this.table.shown.length > 0;
    this.section.querySelector(".rolagem").hidden = !empty.hidden;
    if (empty.hidden) return empty.replaceChildren();
    const used = [...new Set(tests.map(({ control }) => control))];
    const offers = used.map((control) => {
      const rest = tests.filter((each) => each.control !== control).map(({ test }) => test);
      const button = element("button", { type: "button" }, `Tirar “${label(control)}”: ${plural(this.table.passing(rest).length)}`);
      button.addEventListener("click", () => {
        if (control.type === "checkbox") control.checked = false;
        else control.value = "";
        this.apply();
        control.focus();
      });
      return element("li", {}, button);
    });
    return empty.replaceChildren("Nenhuma oferta passa por todos os filtros. Afrouxe um deles:", element("ul", {}, ...offers));
  }

  showColumns() {
    this.table.table.dataset.sem = [...this.hidden].map((name) => this.names.indexOf(name)).join(" ");
    for (const box of this.section.querySelectorAll(".menu--colunas input")) box.checked = !this.hidden.has(box.value);
  }

  remember() {
    const state = new URLSearchParams(this.controls.filter(isOn).map(({ name, value }) => [name, value.trim()]));
    const { column, descending } = this.sorted;
    if (column >= 0) state.set("ordem", `${descending ? "-" : ""}${this.names[column]}`);
    if (!this.table.isGrouped) state.set("todas", "sim");
    if (this.hidden.size) state.set("sem", [...this.hidden].join(","));
    if (this.chosen.size) state.set("lado-a-lado", [...this.chosen].join(","));
    const query = state.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
    history.replaceState(null, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
  }

  restore() {
    const state = new URLSearchParams(location.search);
    for (const control of this.controls) {
      if (!state.has(control.name)) continue;
      if (control.type === "checkbox") control.checked = true;
      else control.value = state.get(control.name);
    }
    const more = this.form.querySelector(".filtros__mais");
    more.open = this.controls.some((control) => isOn(control) && more.contains(control));
    const order = state.get("ordem") ?? "";
    this.sorted = { column: this.names.indexOf(order.replace(/^-/, "")), descending: order.startsWith("-") };
    this.hidden = new Set((state.get("sem") ?? "").split(",").filter((name) => this.names.indexOf(name) > 0));
    const known = new Set(this.table.rows.map((row) => row.id));
    this.chosen = new Set((state.get("lado-a-lado") ?? "").split(",").filter((id) => known.has(id)).slice(0, 4));
    this.showColumns();
    this.showChoice();
  }
}
