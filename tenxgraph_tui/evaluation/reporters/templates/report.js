"use strict";
// The only script of the page: it hides the cases that do not match the filter, and lays out what
// is below a case when it is opened (until then it is text in a <noscript>: thousands of cases
// open at once would keep a browser busy for seconds).
const form = document.getElementById("filter");
const cases = Array.from(document.querySelectorAll("#list > .case"));
const texts = cases.map((row) => {
  const shown = row.querySelector(".id").textContent;
  return `${shown} ${row.dataset.find || ""}`.toLowerCase();
});

function show() {
  const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = form.elements.status.value;
  let count = 0;
  cases.forEach((row, index) => {
    const fits = (!status || row.dataset.status === status)
      && words.every((word) => texts[index].includes(word));
    row.hidden = !fits;
    count += fits ? 1 : 0;
  });
  document.getElementById("shown").textContent = `${count} of ${cases.length}`;
  document.getElementById("none").hidden = count > 0 || cases.length === 0;
}

function unfold(row) {
  const folded = row.querySelector(":scope > noscript");
  if (folded) {
    const body = document.createElement("div");
    body.innerHTML = folded.textContent;
    folded.replaceWith(body);
  }
}

for (const row of cases) {
  row.addEventListener("toggle", () => unfold(row));
}
form.hidden = cases.length === 0;
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type === "search";
  if (event.key === "/" && !typing) {
    event.preventDefault();
    form.elements.words.focus();
  } else if (event.key === "Escape" && typing) {
    form.elements.words.value = "";
    show();
  }
});
show();
