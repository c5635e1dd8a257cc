// The calculator: every answer was computed and put in words by the build, a file for each model; this looks them up.

const box = document.querySelector(".calculadora");
const form = box.querySelector("form");
const status = box.querySelector(".resposta");
const lists = [...form.elements];
const files = new Map();
const base = new URL(`${document.body.dataset.base}/`, location.href);
let turn = 0;

function load(model) {
  if (!files.has(model)) {
    const file = fetch(new URL(`calculadora/${model}.json`, base)).then((reply) => {
      if (!reply.ok) throw new Error(reply.status);
      return reply.json();
    });
    file.catch(() => files.delete(model));
    files.set(model, file);
  }
  return files.get(model);
}

function element(name, text, href) {
  const made = document.createElement(name);
  if (!href) made.textContent = text;
  else made.append(Object.assign(document.createElement("a"), { href: new URL(href, base), textContent: text }));
  return made;
}

function say(title, lines) {
  const list = document.createElement("dl");
  for (const [label, text, href] of lines) {
    const row = document.createElement("div");
    row.append(element("dt", label), element("dd", text, href));
    list.append(row);
  }
  const heading = element("p", title);
  heading.className = "resposta__titulo";
  status.replaceChildren(heading, list);
}

const chosen = (list) => list.options[list.selectedIndex].text;

// A choice without an answer stays in the list, marked, so that the reader sees that it exists for other models.
function mark(list, answers) {
  for (const option of list.options) option.disabled = !(option.value in answers);
}

async function answer() {
  const [model, method, context, batch] = lists;
  const mine = ++turn;
  let file;
  try {
    file = await load(model.value);
  } catch {
    if (mine === turn) say("Não foi possível buscar esta resposta.", [["Veja", chosen(model), `modelos/${model.value}/`]]);
    return;
  }
  if (mine !== turn) return;
  const answers = file.respostas;
  mark(method, answers);
  mark(context, answers[method.value] ?? Object.values(answers)[0]);
  const places = answers[method.value]?.[context.value]?.[batch.value];
  if (places) say(lists.map(chosen).join(" · "), places.map((place) => file.linhas[place]));
  else say(method.value in answers ? file.sem_contexto : file.sem_metodo, [["Página do modelo", file.nome, `modelos/${model.value}/`]]);
}

// The address holds the choices; one that no list has is left alone.
function restore() {
  const state = new URLSearchParams(location.search);
  for (const list of lists) {
    const wanted = [...list.options].find((option) => option.value === state.get(list.name));
    if (wanted) list.value = wanted.value;
  }
}

form.addEventListener("change", () => {
  const state = new URLSearchParams(lists.map((list) => [list.name, list.value]));
  history.replaceState(null, "", `${location.pathname}?${state}${location.hash}`);
  answer();
});
form.addEventListener("submit", (event) => event.preventDefault());

restore();
answer();
