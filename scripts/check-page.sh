#!/usr/bin/env bash
# check-page.sh PAGE.html: opens the page of "g500 report" in a headless Chromium, light and dark, wide and narrow. It
# fails if the console has a message, if a picture is missing, empty or wider than the window, if a text of a picture is
# cut off, overlaps another or is too small, or if the page loads other files. CHROMIUM= is another browser; without
# one, Chromium is installed through apt-get.
set -euo pipefail
[ -f "${1-}" ] || { echo "usage: check-page.sh PAGE.html" >&2; exit 2; }
page=$(realpath "$1")
cd "$(dirname "$0")/.."

for name in ${CHROMIUM-} chromium-headless-shell chromium chromium-browser google-chrome; do
	if command -v "$name" >/dev/null; then chromium=$name && break; fi
done
if [ -z "${chromium-}" ]; then
	scripts/install-deps.sh chromium-headless-shell
	chromium='chromium-headless-shell'
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# browse NAME OPTIONS PAGE: writes the loaded page to NAME.dom and the browser's messages to NAME.log. The browser has
# no network. It has no sandbox, because containers lack one.
browse() {
	local name=$1
	shift
	timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
		--host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "$@" \
		>"$work/$name.dom" 2>"$work/$name.log" || { cat "$work/$name.log" >&2; echo "$chromium failed" >&2; exit 1; }
	if grep 'CONSOLE' "$work/$name.log" >&2; then
		echo "the browser's console has messages" >&2
		exit 1
	fi
}

# A copy of the page with a script that checks the pictures. The page itself forbids scripts.
sed '/http-equiv="Content-Security-Policy"/d' "$page" >"$work/probe.html"
cat >>"$work/probe.html" <<'PROBE'
<script>
const faults = [];
const fault = (picture, text) => faults.push(picture.id + ": " + text);
const figures = [...document.querySelectorAll("figure")];
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
for (const figure of figures) {
  const svg = figure.querySelector("svg");
  if (!svg) { fault(figure, "no picture"); continue; }
  const frame = svg.getBoundingClientRect();
  if (frame.left < 0 || frame.right > innerWidth) fault(figure, "is wider than the window");
  if (frame.width < 300 || frame.height < 100) fault(figure, `only ${frame.width} x ${frame.height} pixels`);
  if (!svg.querySelector("title").textContent) fault(figure, "no title");
  if (svg.querySelectorAll("path").length < 8) fault(figure, "is almost empty");
  const texts = [...svg.querySelectorAll("text")].map((text) => ({ text, box: text.getBoundingClientRect() }));
  for (const { text, box } of texts) {
    const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
      box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    if (!inside)
      fault(figure, `"${text.textContent}" is cut off`);
    if (parseFloat(getComputedStyle(text).fontSize) * frame.width / svg.viewBox.baseVal.width < 9)
      fault(figure, `"${text.textContent}" is too small to read`);
    if ((brightness(getComputedStyle(text).fill) > 382) !== dark)
      fault(figure, `"${text.textContent}" has too little contrast`);
  }
  texts.forEach(({ text: a, box: x }, i) => texts.slice(i + 1).forEach(({ text: b, box: y }) => {
    const across = Math.min(x.right, y.right) - Math.max(x.left, y.left);
    const down = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
    if (across > 1 && down > 0.35 * Math.min(x.height, y.height))
      fault(figure, `"${a.textContent}" overlaps "${b.textContent}"`);
  }));
}
const wide = document.documentElement.scrollWidth;
if (wide > innerWidth + 1) faults.push(`the page is ${wide} wide on ${innerWidth}`);
if (performance.getEntriesByType("resource").some((r) => !r.name.startsWith("data:")))
  faults.push("the page loads other files");
document.body.dataset.shown = figures.length;
document.body.dataset.faults = faults.join("\n");
</script>
PROBE

loads='<(script|link|img|iframe|object|embed)[^>]*(src|href)="[^d#][^"]*"|@import|url\([^)]*\)|<script'
if grep -Eio "$loads" "$page" >&2; then
	echo "the page is not self-contained" >&2
	exit 1
fi
pictures=$(grep -c '<figure ' "$page" || true)
[ "$pictures" -gt 0 ] || { echo "the page has no picture" >&2; exit 1; }

for width in 1920 1280 420; do
	for colours in light dark; do
		scheme=$([ $colours = dark ] && echo 0 || echo 1)
		view=("--window-size=$width,900" "--blink-settings=preferredColorScheme=$scheme")
		browse page "${view[@]}" "file://$page"
		browse probe "${view[@]}" "file://$work/probe.html"
		shown=$(grep -o 'data-shown="[0-9]*"' "$work/probe.dom" | tr -dc 0-9) || true
		faults=$(sed -n '/data-faults="/,/"/p' "$work/probe.dom" | tr '\n' '~' | sed 's/.*data-faults="\([^"]*\)".*/\1/')
		if [ "$shown" != "$pictures" ] || [ -n "$faults" ]; then
			printf '%s, %s pixels wide: %s of %s pictures\n%s\n' \
				$colours $width "${shown:-0}" "$pictures" "$(tr '~' '\n' <<<"$faults")" >&2
			exit 1
		fi
	done
done
echo "$1: $pictures pictures, light and dark, wide and narrow; nothing on the console"
