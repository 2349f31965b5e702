// The odds lab: a slider for each number; the chances follow without a button.
(() => {
  const form = document.getElementById("lab");
  let waits = 0;
  const slide = (field) => {
    if (field.dataset.low === undefined || !/^-?\d+$/.test(field.value)) return;
    const range = document.createElement("input");
    range.type = "range";
    range.min = field.dataset.low;
    range.max = field.dataset.high;
    range.value = field.value;
    range.setAttribute("aria-label", field.labels[0].textContent);
    range.addEventListener("input", () => { field.value = range.value; });
    field.addEventListener("input", () => { range.value = field.value; });
    field.after(range);
  };
  const show = async (address) => {
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = document.getElementById("chances"), next = page.getElementById("chances");
    if (now && next) now.replaceWith(next);
    const [ours, theirs] = [document, page].map((one) => one.querySelectorAll(".settings > fieldset"));
    if (!next || ours.length !== theirs.length) { location.assign(answer.url); return; }
    theirs.forEach((one, at) => {
      ours[at].querySelector("[name=of]").value = one.querySelector("[name=of]").value;
      for (const part of [".problem", ":scope > .help"]) {
        ours[at].querySelector(part)?.remove();
        const told = one.querySelector(part);
        if (told) ours[at].querySelector(".buttons").before(told);
      }
    });
    history.replaceState(null, "", answer.url);
  };
  const later = () => {
    clearTimeout(waits);
    waits = setTimeout(() => {
      const asked = new URLSearchParams(new FormData(form));
      show(`${form.action}?${asked}`).catch(() => form.requestSubmit());
    }, 150);
  };
  if (!form) return;
  form.querySelectorAll(".dial input").forEach(slide);
  form.addEventListener("input", (event) => {
    if (event.target.closest(".dial")) later();
    else if (event.target.matches("select")) form.requestSubmit();
  });
})();
