// Up to four offers side by side, in a dialog: one line for each characteristic, the lowest price marked.

function cell(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = className;
  if (tag === "th") made.scope = className === "coluna" ? "col" : "row";
  return made;
}

const shown = (node) => [...node.childNodes].filter((child) => child.nodeName !== "INPUT").map((child) => child.textContent.trim()).filter(Boolean).join(" · ");

function line(name, texts, best = -1) {
  const row = document.createElement("tr");
  row.append(cell("th", name), ...texts.map((text, at) => cell("td", text || "—", at === best ? "melhor" : "")));
  return row;
}

// The column with the lowest known number, when there is more than one to choose from.
function lowest(keys) {
  const numbers = keys.map((key) => (key === "" ? Infinity : Number(key)));
  const least = Math.min(...numbers);
  return numbers.filter((each) => each === least).length === 1 ? numbers.indexOf(least) : -1;
}

// Details are lines such as "Cobrança: por segundo".
function details(rows) {
  const all = rows.map((row) => new Map(row.nodes[1].querySelector("p").textContent.split("\n").map((text) => text.split(/: (.*)/s))));
  const names = [...new Set(all.flatMap((each) => [...each.keys()]))];
  return names.map((name) => line(name, all.map((each) => each.get(name) ?? "")));
}

function grid(rows, columns) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  const corner = document.createElement("td");
  head.append(corner, ...rows.map((row) => cell("th", shown(row.nodes[0].cells[0]), "coluna")));
  const body = table.createTBody();
  columns.slice(1).forEach((heading, at) => {
    const column = at + 1;
    const isPrice = ["preco", "instancia"].includes(heading.dataset.coluna);
    const best = isPrice ? lowest(rows.map((row) => row.keys[column])) : -1;
    body.append(line(heading.textContent.trim(), rows.map((row) => shown(row.nodes[0].cells[column])), best));
  });
  body.append(...details(rows));
  return table;
}

export function open(rows, columns) {
  const dialog = document.createElement("dialog");
  dialog.className = "lado";
  dialog.setAttribute("aria-labelledby", "lado-titulo");
  dialog.innerHTML = '<div class="lado__alto"><h2 id="lado-titulo">Lado a lado</h2><form method="dialog"><button>Fechar</button></form></div>';
  dialog.append(grid(rows, columns));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
