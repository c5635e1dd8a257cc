// What every page does: the age of prices as of now, the theme, the search when somebody asks for it, the comparisons.

import { ageInDays } from "./linhas.js";
import { Comparison } from "./ofertas.js";

// A site that stopped rebuilding still tells how old its data are today.
const relative = new Intl.RelativeTimeFormat("pt-BR", { numeric: "auto" });
for (const age of document.querySelectorAll("[data-idade]")) {
  const text = relative.format(-ageInDays(age.dataset.idade || age.dateTime), "day");
  if (age.textContent !== text) age.textContent = text;
}

const root = document.documentElement;
document.querySelector(".tema-trocar").addEventListener("click", () => {
  const isDark = root.dataset.tema ? root.dataset.tema === "escuro" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.tema = isDark ? "claro" : "escuro";
  try {
    localStorage.setItem("guia-tema", root.dataset.tema);
  } catch {
    // Storage may be off; the theme then lasts for this page.
  }
});

// The dialog opens at once, so that no key typed is lost while the rest arrives.
async function openSearch() {
  const dialog = document.querySelector("dialog.busca");
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input").select();
  const { prepare } = await import("./busca.js");
  prepare(dialog, new URL(`${document.body.dataset.base}/`, location.href));
}
document.querySelector(".busca-abrir").addEventListener("click", openSearch);
addEventListener("keydown", (event) => {
  if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  openSearch();
});

if (matchMedia("(min-width: 1380px)").matches) document.querySelector(".sumario")?.setAttribute("open", "");
for (const section of document.querySelectorAll(".comparacao")) new Comparison(section);
