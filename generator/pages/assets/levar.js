// What is seen of a comparison, taken away: for a spreadsheet, as CSV, JSON or Markdown, or as an address.

const NUMERIC = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

// Text that a spreadsheet would run is kept as text; numbers stay numbers.
export const harmless = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoted = (text) => (/[";\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const brazilian = (value) => (typeof value === "number" ? String(value).replace(".", ",") : harmless(value));

function value(cell) {
  const { sort } = cell.dataset;
  if (cell.classList.contains("num")) return sort === "" ? "" : Number(sort);
  if (sort && /^\d{4}-\d\d-\d\d$/.test(sort)) return sort;
  return [...cell.childNodes].map((node) => node.textContent.trim()).filter(Boolean).join(" · ").replaceAll("\u00a0", " ");
}

// Returns the headings and, row by row, numbers and texts of the visible columns, in the order on the screen.
export function seen({ table, hidden, names }) {
  const keep = names.map((name, at) => at).filter((at) => !hidden.has(names[at]));
  const text = (heading) => heading.textContent.trim() + (/hora$/.test(heading.textContent.trim()) ? " (US$)" : "");
  const headings = [...keep.map((at) => text(table.columns[at])), "Endereço da fonte"];
  const rows = table.shown.map((row) => [
    ...keep.map((at) => value(row.nodes[0].cells[at])),
    row.nodes[0].querySelector("a")?.href ?? "",
  ]);
  return { headings, rows };
}

export const csv = ({ headings, rows }) =>
  `\ufeff${[headings, ...rows].map((row) => row.map((each) => quoted(brazilian(each))).join(";")).join("\r\n")}\r\n`;

const tabbed = ({ headings, rows }) =>
  [headings, ...rows].map((row) => row.map((each) => brazilian(each).replace(/\s+/g, " ")).join("\t")).join("\n");

export const json = ({ headings, rows }) =>
  JSON.stringify(rows.map((row) => Object.fromEntries(row.map((each, at) => [headings[at], each === "" ? null : each]))), null, 1);

export function markdown({ headings, rows }) {
  const line = (row) => `| ${row.map((each) => brazilian(each).replaceAll("|", "\\|").replace(/\s+/g, " ")).join(" | ")} |`;
  const rule = headings.map((_, at) => (rows.every((row) => typeof row[at] === "number") ? "---:" : "---"));
  return [line(headings), line(rule).replaceAll("'", ""), ...rows.map(line)].join("\n");
}

function download(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    return `${what} na área de transferência`;
  } catch {
    return "O navegador não deixou copiar; baixe o CSV.";
  }
}

// Does what a button of the menu says and returns what to announce.
export async function take(how, comparison) {
  if (how === "link") return copy(location.href, "Endereço");
  const data = seen(comparison);
  const name = `ofertas-${comparison.table.table.dataset.workload ?? location.pathname.split("/").at(-2)}`;
  const count = `${data.rows.length} ofertas`;
  if (how === "copiar") return copy(tabbed(data), count);
  if (how === "markdown") return copy(markdown(data), count);
  if (how === "csv") download(csv(data), `${name}.csv`, "text/csv;charset=utf-8");
  else download(json(data), `${name}.json`, "application/json");
  return `${count} em ${name}.${how}`;
}
