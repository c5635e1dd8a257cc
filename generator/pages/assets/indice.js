// The search itself: words matched whole, by root, by beginning or with a slip of the finger; titles weigh most.

import { fold } from "./consulta.js";

const STOP = new Set("a ao aos as com como da das de do dos e em eu na nas no nos o on os ou para pela pelo por que se sem ser um uma meu minha".split(" "));
const WEIGHT = { title: 12, heading: 8, text: 1.5 };
const hasDigit = (word) => /\d/.test(word);

// Words, cut where letters meet numbers: "rtx4090" is "rtx" and "4090", "h100sxm" is "h100" and "sxm", "80gb" is "80" and "gb".
export function tokens(text) {
  const found = fold(text).match(/[a-z0-9]+/g) ?? [];
  return found.flatMap((word) => (word.match(/^([a-z]{3,})(\d{3,})$/) ?? word.match(/^([a-z]+\d+)([a-z]{3,})$/) ?? word.match(/^(\d+)([gt]i?b)$/))?.slice(1) ?? [word]);
}

// "Qwen3" is also "Qwen".
const withFamily = (words) => words.flatMap((word) => [word, ...(word.match(/^[a-z]{3,}(?=\d)/) ?? [])]);

// Plurals of Portuguese without accents: regioes → regiao, interrompiveis → interrompivel, placas → placa.
export function stem(word) {
  if (hasDigit(word) || word.length < 4) return word;
  return word
    .replace(/(o|a)es$/, "ao")
    .replace(/([aou])is$/, "$1l")
    .replace(/eis$/, "el")
    .replace(/([rzs])es$/, "$1")
    .replace(/ns$/, "m")
    .replace(/([^s])s$/, "$1");
}

// Whether two words differ by one letter missing, extra, changed or swapped.
export function near(a, b) {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

// How well a word of the index answers a word of the question: 0 to 1.
function closeness(have, want) {
  if (have === want.word) return 1;
  if (stem(have) === want.stem) return 0.95;
  if (want.word.length >= 3 && have.startsWith(want.word)) return 0.6 * (want.word.length / have.length) + 0.15;
  if (want.word.length >= 5 && !hasDigit(want.word) && near(stem(have), want.stem)) return 0.45;
  return 0;
}

// How much of the name of an entry the question says, and how much of the question the name: 0 to 1.
function cover(entry, wanted) {
  const said = ({ stems }) => wanted.reduce((sum, each) => sum + Math.max(...each.map((want) => (stems.has(want.stem) ? want.factor : 0))), 0);
  return Math.max(...entry.names.map((name) => Math.min(1, said(name) / Math.max(name.size, wanted.length, 1))));
}

// A name as what it can be called by; small words and single digits do not make it longer.
function named(words) {
  return { stems: new Set(withFamily(words).map(stem)), size: words.filter((word) => word.length > 1 && !STOP.has(word)).length };
}

export class Index {
  constructor({ paginas, sinonimos }) {
    this.synonyms = sinonimos;
    this.places = new Map();
    this.entries = [];
    // A heading that many pages repeat says little about any of them.
    this.repeats = new Map();
    for (const [, heading] of paginas.flatMap(([, , , sections]) => sections)) {
      this.repeats.set(heading, (this.repeats.get(heading) ?? 0) + 1);
    }
    for (const [url, title, description, sections] of paginas) {
      for (const [anchor, heading, text] of sections) this.add({ url, title, description, anchor, heading }, text);
    }
  }

  add(entry, text) {
    const at = this.entries.push(entry) - 1;
    const slug = tokens(entry.anchor || (entry.url.split("/").at(-2) ?? ""));
    const name = tokens(entry.heading || entry.title);
    const main = withFamily([...name, ...slug]);
    entry.names = [name, slug].map(named);
    entry.weight = entry.heading ? 1 / (1 + Math.log(this.repeats.get(entry.heading))) : 1;
    const note = (words, weight) => {
      for (const word of words) {
        const seen = this.places.get(word) ?? new Map();
        seen.set(at, Math.max(seen.get(at) ?? 0, weight));
        this.places.set(word, seen);
      }
    };
    note(main, entry.heading ? WEIGHT.heading : WEIGHT.title);
    if (entry.heading) note(tokens(entry.title), WEIGHT.text);
    note(text.split(" ").filter(Boolean), WEIGHT.text);
  }

  // A word of the question and what it stands for.
  variants(word) {
    const others = (this.synonyms[word] ?? "").split(" ").filter(Boolean);
    return [word, ...others].map((each) => ({ word: each, stem: stem(each), factor: each === word ? 1 : 0.8 }));
  }

  // Best answer of each entry to one word.
  answers(wanted) {
    const best = new Map();
    for (const [have, seen] of this.places) {
      const close = Math.max(...wanted.map((want) => want.factor * closeness(have, want)));
      if (close === 0) continue;
      const rarity = Math.log(1 + this.entries.length / seen.size);
      for (const [at, weight] of seen) {
        const score = close * weight * rarity;
        if (score > (best.get(at) ?? 0)) best.set(at, score);
      }
    }
    return best;
  }

  // Returns entries, best first; those that answer every word come before those that answer some.
  search(text, limit = 12) {
    const asked = [...new Set(tokens(text))];
    const words = asked.some((word) => !STOP.has(word)) ? asked.filter((word) => !STOP.has(word)) : asked;
    const wanted = words.map((word) => this.variants(word));
    const scores = new Map();
    for (const each of wanted) {
      for (const [at, score] of this.answers(each)) {
        const sum = scores.get(at) ?? { score: 0, found: 0 };
        scores.set(at, { score: sum.score + score, found: sum.found + 1 });
      }
    }
    const ranked = [...scores].map(([at, { score, found }]) => {
      const entry = this.entries[at];
      return { entry, score: (found / words.length) ** 2 * score * (0.5 + 1.5 * cover(entry, wanted)) * entry.weight };
    });
    return ranked.sort((a, b) => b.score - a.score).slice(0, limit).map(({ entry }) => entry);
  }
}
