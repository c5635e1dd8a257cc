// Tells how old the data are today: a site that stopped rebuilding still tells the truth. Everything else is in the HTML.
const DAY_MS = 86_400_000;
const words = new Intl.RelativeTimeFormat("pt-BR", { numeric: "auto" });

function age(isoDay) {
  const days = Math.floor((Date.now() - Date.parse(`${isoDay}T00:00:00Z`)) / DAY_MS);
  return words.format(-Math.max(days, 0), "day");
}

for (const time of document.querySelectorAll("time[data-idade]")) time.title = age(time.dateTime);
