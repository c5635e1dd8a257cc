// The search dialog: it loads the index when it is first opened, and shows answers while a person types.

import { Index } from "./indice.js";

let index;

async function load(base) {
  const answer = await fetch(new URL("assets/guia/busca.json", base));
  return new Index(await answer.json());
}

function item({ url, title, description, anchor, heading }, base) {
  const link = document.createElement("a");
  link.href = new URL(url + (anchor ? `#${anchor}` : ""), base);
  const name = document.createElement("strong");
  name.textContent = heading || title;
  const where = document.createElement("small");
  where.textContent = heading ? title : description;
  link.append(name, where);
  const made = document.createElement("li");
  made.append(link);
  return made;
}

function show(dialog, base, text) {
  const found = index && text.trim() ? index.search(text) : [];
  dialog.querySelector(".busca__lista").replaceChildren(...found.map((entry) => item(entry, base)));
  const state = !text.trim() ? "" : found.length ? `${found.length} resultados` : "Nada encontrado. Tente outra palavra, ou menos palavras.";
  dialog.querySelector(".busca__estado").textContent = index ? state : "Carregando o índice…";
}

// Arrows walk through the answers; Enter in the field opens the first one.
function walk(event, dialog) {
  const links = [...dialog.querySelectorAll(".busca__lista a")];
  const input = dialog.querySelector("input");
  const at = links.indexOf(document.activeElement);
  if (event.key === "Enter" && document.activeElement === input) {
    event.preventDefault();
    links[0]?.click();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
}

export async function prepare(dialog, base) {
  const input = dialog.querySelector("input");
  if (dialog.dataset.pronto) return;
  dialog.dataset.pronto = "sim";
  const again = () => show(dialog, base, input.value);
  input.addEventListener("input", again);
  dialog.addEventListener("keydown", (event) => walk(event, dialog));
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target.closest("a")) dialog.close();
  });
  try {
    index = await load(base);
    again();
  } catch {
    dialog.querySelector(".busca__estado").textContent = "A busca não carregou. Recarregue a página.";
  }
}
