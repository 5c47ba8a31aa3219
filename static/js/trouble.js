// Where a part could not be fetched, the page says so in the words that it holds for that: in a note
// whose title and sentences it holds as data, or in a line that stands hidden until then.
(() => {
  "use strict";
  const place = document.getElementById("trouble");
  if (!place) return;

  const note = (words) => {
    const box = document.createElement("div");
    box.className = "note failed";
    const title = document.createElement("h2");
    title.textContent = place.dataset.title;
    const sentence = document.createElement("p");
    sentence.textContent = words;
    box.append(title, sentence);
    return box;
  };

  const say = (words) => {
    if (place.dataset.title) place.replaceChildren(...(words ? [note(words)] : []));
    else place.hidden = words === "";
  };

  document.addEventListener("htmx:before:request", () => say(""));
  document.addEventListener("htmx:response:error", () => say(place.dataset.refused));
  document.addEventListener("htmx:error", (event) => {
    if (event.detail?.error?.name !== "AbortError") say(place.dataset.silent);
  });
})();
