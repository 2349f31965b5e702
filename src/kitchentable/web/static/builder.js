// Sliders beside the numbers of a sheet: each moves its number, and follows it.
(() => {
  "use strict";
  const slides = () => [...document.querySelectorAll("[data-slide]")];
  const number = (slide) => document.getElementById(slide.dataset.slide);
  function follow() {
    for (const slide of slides()) if (slide !== document.activeElement && number(slide)) slide.value = number(slide).value;
  }
  document.addEventListener("input", ({ target }) => {
    if (target.matches?.("[data-slide]")) {
      number(target).value = target.value;
      number(target).dispatchEvent(new Event("input", { bubbles: true }));
    } else follow();
  });
  document.addEventListener("htmx:after:swap", follow);
  follow();
})();
