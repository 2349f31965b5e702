// The builder: sliders beside numbers, and requests with the changed fields only.
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

  // Another page may have changed the other fields meanwhile. A list is sent as a whole.
  const form = document.getElementById("builder");
  const whole = (name) => name.replace(/\.\d+\..*/, "");
  form.addEventListener("formdata", ({ formData }) => {
    const changed = [...forms.book(form).mine.values(), ...form.querySelectorAll("[name][aria-invalid=true]")];
    const names = new Set(changed.map(({ name }) => whole(name)));
    for (const name of [...formData.keys()]) {
      if (/^(a\.|name$|line$)/.test(name) && !names.has(whole(name))) formData.delete(name);
    }
  });
})();
