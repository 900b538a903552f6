// Faults of the page as it is shown: texts that are small, lack contrast (WCAG 2 AA) or leave the window; pictures
// that are wide, empty, or whose texts overlap; files that were loaded.
(() => {
  const faults = [];
  const fault = (element, text) => {
    const place = element.closest("[id]"),
      own = `<${element.tagName} class="${element.getAttribute("class") ?? ""}">`;
    faults.push(`#${place ? place.id : "?"} ${own} "${element.textContent.trim().slice(0, 40)}" ${text}`);
  };
  const channels = (colour) => (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour)
      .slice(0, 3)
      .map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor,
        alpha = channels(colour)[3];
      if (alpha === undefined || alpha === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const shown = (e) => (e.checkVisibility ? e.checkVisibility() : e.offsetParent !== null);
  const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());

  for (const e of document.querySelectorAll("body *")) {
    if (["SCRIPT", "NOSCRIPT", "STYLE", "OPTION"].includes(e.tagName) || e.closest("svg") || !own(e) || !shown(e))
      continue;
    const style = getComputedStyle(e),
      size = parseFloat(style.fontSize);
    if (size < 11) fault(e, `has ${size} pixels`);
    const ratio = contrast(style.color, ground(e)),
      least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    if (ratio < least) fault(e, `has a contrast of ${ratio.toFixed(2)}`);
    const box = e.getBoundingClientRect();
    if (!e.closest(".wide") && (box.left < 0 || box.right > innerWidth + 1))
      fault(e, `reaches from ${box.left} to ${box.right}`);
  }
  const paper = ground(document.body),
    style = getComputedStyle(document.documentElement);
  const probe = document.body.appendChild(document.createElement("i"));
  for (const name of ["machine-0", "machine-1", "machine-2", "machine-3", "machine-4", "machine"]) {
    // as text next to lines
    probe.style.color = style.getPropertyValue(`--${name}`);
    const ratio = contrast(getComputedStyle(probe).color, paper);
    if (ratio < 4.5) fault(probe, `--${name} has a contrast of ${ratio.toFixed(2)}`);
  }
  probe.remove();

  const pictures = [...document.querySelectorAll("figure svg.plot")].filter(shown);
  for (const svg of pictures) {
    const frame = svg.getBoundingClientRect();
    if (frame.left < 0 || frame.right > innerWidth) fault(svg, "is wider than the window");
    if (frame.width < 300 || frame.height < 100) fault(svg, `has ${frame.width} x ${frame.height} pixels`);
    if (!svg.ariaLabel) fault(svg, "has no title");
    if (svg.querySelectorAll("path, circle, line").length < 8) fault(svg, "is almost empty");
    const texts = [...svg.querySelectorAll("text")].map((text) => ({ text, box: text.getBoundingClientRect() }));
    for (const { text, box } of texts) {
      if (
        box.left < frame.left - 1 ||
        box.right > frame.right + 1 ||
        box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1
      )
        fault(text, "is cut off");
      if ((parseFloat(getComputedStyle(text).fontSize) * frame.width) / svg.viewBox.baseVal.width < 11)
        fault(text, "is too small");
      if (contrast(getComputedStyle(text).fill, paper) < 4.5) fault(text, "has too little contrast");
    }
    texts.forEach(({ text: a, box: x }, i) =>
      texts.slice(i + 1).forEach(({ text: b, box: y }) => {
        const across = Math.min(x.right, y.right) - Math.max(x.left, y.left),
          down = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
        if (across > 1 && down > 0.35 * Math.min(x.height, y.height)) fault(a, `overlaps "${b.textContent}"`);
      }),
    );
  }
  for (const canvas of document.querySelectorAll(".canvas"))
    if (shown(canvas) && !canvas.querySelector("svg.plot")) fault(canvas, "is empty");
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`the page is ${wide} wide on ${innerWidth}`);
  if (performance.getEntriesByType("resource").some((r) => !r.name.startsWith("data:")))
    faults.push("the page loads other files");
  return {
    faults: faults.slice(0, 40),
    ready: document.body.dataset.ready === "true",
    loaded: performance.getEntriesByType("navigation")[0].loadEventEnd,
  };
})();
