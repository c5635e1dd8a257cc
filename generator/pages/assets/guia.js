// Ages, sorting and filtering over rows that are already in the page. The browser compares; it computes no number.

const DAY_MS = 86_400_000;
const relative = new Intl.RelativeTimeFormat("pt-BR", { numeric: "auto" });

// A site that stopped rebuilding still tells how old its data are today.
function tellAges() {
  for (const time of document.querySelectorAll("time[data-idade]")) {
    const days = Math.max(0, Math.floor((Date.now() - Date.parse(`${time.dateTime}T00:00:00Z`)) / DAY_MS));
    const text = relative.format(-days, "day");
    time.textContent = text;
  }
}

// Unknown values go last in both directions; numbers by value, the rest by the alphabet.
function compare(a, b, direction) {
  if (a === "" || b === "") return (a === "") - (b === "");
  const numeric = Number(a) - Number(b);
  return direction * (Number.isNaN(numeric) ? a.localeCompare(b, "pt-BR") : numeric);
}

function pairs(body) {
  return [...body.querySelectorAll("tr[data-offer]")].map((row) => [row, row.nextElementSibling]);
}

function sortTable(table, column, direction) {
  const value = ([row]) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
  for (const body of table.tBodies) {
    body.append(...pairs(body).sort((a, b) => compare(value(a), value(b), direction)).flat());
  }
}

function makeSortable(table) {
  for (const heading of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const ascending = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      sortTable(table, heading.cellIndex, ascending ? 1 : -1);
    });
  }
}

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Each control is named after the row attribute it looks at; data-teste says how.
const TESTS = {
  minimo: (have, want) => have !== "" && Number(have) >= Number(want),
  maximo: (have, want) => have !== "" && Number(have) <= Number(want),
  igual: (have, want) => have === want,
};

function shows(row, controls) {
  return controls.every(({ name, value, type, checked, dataset }) => {
    if (type === "checkbox" ? !checked : value.trim() === "") return true;
    if (name === "busca") return plain(value).split(/\s+/).every((word) => row.dataset.texto.includes(word));
    return TESTS[dataset.teste](row.dataset[name] ?? "", value.replace(",", "."));
  });
}

function applyFilters(form, tables) {
  const controls = [...form.elements].filter((control) => control.name);
  let shown = 0;
  let total = 0;
  for (const table of tables) {
    for (const body of table.tBodies) {
      let inBody = 0;
      for (const [row, more] of pairs(body)) {
        const visible = shows(row, controls);
        row.hidden = more.hidden = !visible;
        inBody += visible;
        total += 1;
      }
      const title = body.querySelector(".grupo");
      if (title) title.hidden = inBody === 0;
      shown += inBody;
    }
  }
  form.closest(".comparacao").querySelector(".contagem").textContent = shown
    ? `${shown} de ${total} ofertas`
    : "Nenhuma oferta passa por todos os filtros. Afrouxe a VRAM mínima, o preço máximo ou a modalidade.";
}

function remember(form) {
  const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  history.replaceState(null, "", `${location.pathname}${state.size ? `?${state}` : ""}${location.hash}`);
}

function restore(form) {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = form.elements.namedItem(name);
    if (!control) continue;
    if (control.type === "checkbox") control.checked = true;
    else control.value = value;
  }
}

function makeFilterable(section) {
  const panel = section.querySelector(".filtros");
  const form = panel.querySelector("form");
  const tables = [...section.querySelectorAll("table.ofertas")];
  for (const row of section.querySelectorAll("tr[data-offer]")) {
    row.dataset.texto = plain(`${row.textContent} ${row.nextElementSibling.textContent}`);
  }
  panel.hidden = section.querySelector(".contagem").hidden = false;
  panel.open = location.search !== "" || matchMedia("(min-width: 45em)").matches;
  restore(form);
  applyFilters(form, tables);
  form.addEventListener("input", () => {
    applyFilters(form, tables);
    remember(form);
  });
  form.addEventListener("reset", () => setTimeout(() => form.dispatchEvent(new Event("input"))));
  form.addEventListener("submit", (event) => event.preventDefault());
}

tellAges();
document.querySelectorAll("table.ofertas").forEach(makeSortable);
document.querySelectorAll(".comparacao").forEach(makeFilterable);
