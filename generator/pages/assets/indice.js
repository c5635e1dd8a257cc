// The search itself: words matched whole, by root, by beginning or with a slip of the finger; titles weigh most.

import { fold } from "./consulta.js";

const STOP = new Set("a ao aos as com como da das de do dos e em eu na nas no nos o os ou para pela pelo por que se sem ser um uma meu minha".split(" "));
const WEIGHT = { title: 12, heading: 8, text: 1.5 };
const hasDigit = (word) => /\d/.test(word);

// Words as they are typed, cut where letters meet numbers, so that "rtx4090" is "rtx" and "4090".
export function tokens(text) {
  const found = fold(text).match(/[a-z0-9]+/g) ?? [];
  return found.flatMap((word) => (/^[a-z]{3,}\d{3,}$/.test(word) ? [word.replace(/\d+/, ""), word.match(/\d+/)[0]] : [word]));
}

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

export class Index {
  constructor({ paginas, sinonimos }) {
    this.synonyms = sinonimos;
    this.places = new Map();
    this.entries = [];
    for (const [url, title, description, sections] of paginas) {
      for (const [anchor, heading, text] of sections) this.add({ url, title, description, anchor, heading }, text);
    }
  }

  add(entry, text) {
    const at = this.entries.push(entry) - 1;
    const main = tokens(entry.heading || entry.title);
    entry.length = new Set(main).size;
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

  // Best answer of each entry to one word and to what it stands for.
  answers(word) {
    const wanted = [word, ...(this.synonyms[word] ?? "").split(" ").filter(Boolean)].map((each) => ({ word: each, stem: stem(each), factor: each === word ? 1 : 0.8 }));
    const best = new Map();
    for (const [have, seen] of this.places) {
      const close = Math.max(...wanted.map((want) => want.factor * closeness(have, want)));
      if (close === 0) continue;
      const rarity = Math.log(1 + this.entries.length / seen.size);
      for (const [at, weight] of seen) {
        const score = close * weight * rarity;
        const old = best.get(at);
        if (!old || old.score < score) best.set(at, { score, isMain: weight >= WEIGHT.heading && close >= 0.45 });
      }
    }
    return best;
  }

  // Returns entries, best first; those that answer every word come before those that answer some.
  search(text, limit = 12) {
    const asked = [...new Set(tokens(text))];
    const words = asked.some((word) => !STOP.has(word)) ? asked.filter((word) => !STOP.has(word)) : asked;
    const scores = new Map();
    for (const word of words) {
      for (const [at, { score, isMain }] of this.answers(word)) {
        const sum = scores.get(at) ?? { score: 0, found: 0, main: 0 };
        scores.set(at, { score: sum.score + score, found: sum.found + 1, main: sum.main + isMain });
      }
    }
    const ranked = [...scores].map(([at, { score, found, main }]) => {
      const entry = this.entries[at];
      const cover = main / Math.max(entry.length, words.length);
      return { entry, score: (found / words.length) ** 2 * score * (1 + cover) };
    });
    return ranked.sort((a, b) => b.score - a.score).slice(0, limit).map(({ entry }) => entry);
  }
}
