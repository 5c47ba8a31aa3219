// Where the browser gives no passkey, the page says why, in the browser's words: else a press did nothing.
(() => {
  "use strict";
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault(); // else it is written to the console
    const page = document.querySelector(".account-page");
    const line = page.querySelector("[data-passkey-trouble]") ?? document.createElement("p");
    line.dataset.passkeyTrouble = "";
    line.className = "errorlist";
    line.setAttribute("role", "alert");
    line.textContent = event.detail.exception.message;
    page.querySelector("h1").after(line);
  });
})();
