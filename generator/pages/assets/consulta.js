// What a person writes in the search box of a comparison, such as "vram>=80 nvlink spot h100 -azure", as tests on a row.
// A row is {filters, text}: what the filters look at, by name, and its words, folded.

export const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// "2,50", "1.234,5" and "2.5" are numbers; anything else is NaN.
export function number(text) {
  const clean = text.trim();
  if (/^\d{1,3}(\.\d{3})*,\d+$|^\d+,\d+$/.test(clean)) return Number(clean.replaceAll(".", "").replace(",", "."));
  return /^\d+(\.\d+)?$/.test(clean) ? Number(clean) : NaN;
}

const AMOUNTS = { vram: "vram", gpus: "gpus", preco: "preco", banda: "banda", idade: "idade" };
const TEXTS = { gpu: "gpu", provedor: "provedor", regiao: "regiao", pais: "regiao", modalidade: "modalidade" };
const FLAGS = { nvlink: "nvlink", rede: "rede" };
const OPERATORS = {
  ">=": (have, want) => have >= want,
  "<=": (have, want) => have <= want,
  ">": (have, want) => have > want,
  "<": (have, want) => have < want,
  "=": (have, want) => have === want,
};
const CONDITION = /^([\p{L}_]+)(>=|<=|>|<|=|:)(.*)$/u;

// An unknown amount never passes a condition.
export function amount(row, name) {
  const value = row.filters[name];
  return value === undefined || value === "" ? NaN : Number(value);
}

// A word that ends in a digit is whole, so that "a100" is not "A1000"; other words may be the start of a longer one.
function holds(word) {
  const safe = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`(^|[^\\p{L}\\p{N}])${safe}${/\d$/.test(word) ? "(?!\\d)" : ""}`, "u");
  return (row) => pattern.test(row.text);
}

function condition(token) {
  const [, rawName, operator, rawValue] = token.match(CONDITION);
  const name = fold(rawName);
  if (AMOUNTS[name]) {
    const want = number(rawValue);
    if (Number.isNaN(want)) return { error: token };
    const test = OPERATORS[operator === ":" ? "=" : operator];
    return { test: (row) => test(amount(row, AMOUNTS[name]), want) };
  }
  if (TEXTS[name] && (operator === "=" || operator === ":") && rawValue) {
    const want = holds(fold(rawValue));
    return { test: (row) => want({ text: fold(`${row.filters[TEXTS[name]] ?? ""} ${name === "regiao" ? row.text : ""}`) }) };
  }
  return { error: token };
}

function one(token) {
  if (CONDITION.test(token)) return condition(token);
  if (FLAGS[token]) return { test: (row) => Boolean(row.filters[FLAGS[token]]) };
  return { test: holds(token) };
}

// Returns the tests that a row must pass, and the pieces nobody understands.
export function parse(text) {
  const tests = [];
  const errors = [];
  const spaced = text.replace(/\s*(>=|<=|>|<|=)\s*/g, "$1");
  for (const piece of fold(spaced).split(/\s+/).filter(Boolean)) {
    const negative = piece.length > 1 && piece.startsWith("-");
    const { test, error } = one(negative ? piece.slice(1) : piece);
    if (error) errors.push(error);
    else tests.push(negative ? (row) => !test(row) : test);
  }
  return { tests, errors };
}
