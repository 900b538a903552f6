// SPDX-License-Identifier: Apache-2.0

//go:build browser

package report

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"g500/analysis/collect"
	"g500/internal/browsertest"
	"g500/internal/expect"
	"g500/record"
	"g500/results"
)

// root is the path from the page to the results.
const root = "../results/"

// stored has the stored results and their page, which is drawn once.
var stored struct {
	sync.Once
	set  *collect.Set
	html string
}

// pageFile returns the page that the environment variable G500_PAGE names, or a new one of results.
func pageFile(t *testing.T) (path string) {
	t.Helper()
	if path := os.Getenv("G500_PAGE"); path != "" {
		return path
	}
	stored.Do(func() {
		stored.set = expect.Value(collect.Read(results.Unpack(t, "../../results", "*/*")))(t)
		page := New("g500: results", stored.set)
		page.Root = root
		stored.html = expect.Written(t, page.WriteHTML)
	})
	return expect.File(t, "index.html", stored.html)
}

// The page is legible in every window, light and dark, also without script, and so are figures on a page without runs.
func TestPageIsLegible(t *testing.T) {
	browsertest.Start(t).IsLegible(pageFile(t), browsertest.Views...)
	b := browsertest.Start(t)
	b.IsLegible(figuresFile(t), browsertest.Views...)
	b.Open(figuresFile(t), browsertest.View{Width: 1280})
	isAsWanted(t, b, `[...document.querySelectorAll("#degrees text")].map((e) => e.textContent).join()`,
		"1,2,4,128,edges,1,2,5,10,20,50,100,200,500,1,000,vertices,grid,a star")
	isAsWanted(t, b, `String(document.querySelectorAll("table, #tables, a[href='#tables']").length)`, "0")
	isAsWanted(t, b, `[...document.querySelectorAll("#rates text")].map((e) => e.textContent).join()`,
		"100M,1G,2G,3G,directed edges per second,first,second,ours,theirs")
}

// figuresFile returns a page of figures without runs: joined lines, and points in rows.
func figuresFile(t *testing.T) (path string) {
	degrees := Figure{Name: "degrees", Title: "Vertices by degree", X: Axis{Label: "edges", Log: true},
		Y: Axis{Label: "vertices"}}
	degrees.Add("grid", []float64{1, 2, 4}, []float64{4, 100, 900})
	degrees.Add("a star", []float64{1, 128}, []float64{128, 1})
	rates := Figure{Name: "rates", Title: "Rates", X: Axis{Label: "directed edges per second", Log: true},
		Y: Axis{Rows: []string{"first", "second"}}}
	rates.Add("ours", []float64{1e9, 1e8}, []float64{0, 1})
	rates.Add("theirs", []float64{2e9, 3e9}, []float64{0, 1})
	rates.Lanes()
	page := Page{Title: "Figures", Figures: []Figure{degrees, rates}}
	return expect.File(t, "index.html", expect.Written(t, page.WriteHTML))
}

// Tables of the page of results show all columns on a screen. A table that does not fit says that it scrolls, and one
// that fits does not.
func TestTablesFit(t *testing.T) {
	b := browsertest.Start(t)
	for width, scrolls := range map[int]string{420: "true", 1280: "false", 1920: "false"} {
		b.Open(pageFile(t), browsertest.View{Width: width})
		isAsWanted(t, b, `String(getComputedStyle(document.querySelector("#bfs .explore > .wide"), "::before").content
			.includes("Scroll sideways"))`, scrolls)
		if scrolls == "false" {
			isAsWanted(t, b, `(() => {
				const all = [...document.querySelectorAll("section[id] > .wide, details > .wide, .explore > .wide")];
				const cut = all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.ariaLabel + " has " + e.scrollWidth);
				return all.length > 3 && !cut.length ? "all fit" : cut.join(); })()`, "all fit")
		}
	}
}

// open opens the page of results.
func open(t *testing.T) *browsertest.Browser {
	t.Helper()
	b := browsertest.Start(t)
	b.Open(pageFile(t), browsertest.View{Width: 1280})
	return b
}

const (
	title  = `document.querySelector("#bfs .chart:not([hidden]) h3").textContent`
	chosen = `document.querySelector("#bfs .explore > h3").textContent`
	first  = `document.querySelector("#bfs .explore tbody tr").innerText`
)

// isAsWanted checks the value of an expression.
func isAsWanted(t *testing.T, b *browsertest.Browser, expression, want string) {
	t.Helper()
	got := b.String(expression)
	expect.That(t, strings.Contains(got, want), "%s is %q, want %q", expression, got, want)
}

func TestChoices(t *testing.T) {
	b := open(t)
	isAsWanted(t, b, `[...document.querySelectorAll("#bfs .box")].map((e) => e.innerText + " " +
		e.querySelector("input").checked).filter((e) => /NVIDIA.* false|(AMD|Intel).* true/.test(e)).join() || "only GPUs"`,
		"only GPUs")
	all := b.String(chosen)
	b.Click(`#bfs input[name="machine"]`)
	expect.Equal(t, b.String(chosen) != all, true, "without the first machine there are others than", all)
	isAsWanted(t, b, first, "H100")
	b.Click(`#bfs input[name="machine"]`)
	isAsWanted(t, b, chosen, all)

	b.Eval(`document.querySelector("#bfs select[name=axis]").focus()`, nil)
	b.Key("ArrowDown")
	const second = `document.querySelector("#bfs .chart + .chart h3").textContent`
	isAsWanted(t, b, title, "Search rate (GTEPS) over GPUs")
	isAsWanted(t, b, second, "Parallel efficiency (%) over GPUs")
	isAsWanted(t, b, `document.querySelector("#bfs-efficiency figcaption").textContent`,
		"lacks the variation between runs")
	b.Eval(`document.querySelector("#bfs select[name=quantity]").focus()`, nil)
	b.Key("ArrowDown")
	isAsWanted(t, b, title, "Search rate per GPU or core (GTEPS)")
	for _, choice := range []string{"version all", "ranks 1", "bits 32-bit", "scale 28"} {
		name, value, _ := strings.Cut(choice, " ")
		before := b.String(chosen)
		b.Choose("#bfs select[name="+name+"]", value)
		expect.Equal(t, b.String(chosen) != before, true, name, "=", value, "changes", before)
	}
	isAsWanted(t, b, `[...document.querySelectorAll("#bfs .explore tbody tr")].every((r) =>
		r.cells[2].innerText === "28" && r.cells[9].innerText.startsWith("32-bit")).toString()`, "true")
	isAsWanted(t, b, strings.ReplaceAll(title, "#bfs", "#sssp"), "Search rate (GTEPS) over scale")
}

// Each line of a plot has its name next to it, or a number that the list below the plot explains.
func TestEveryLineHasAName(t *testing.T) {
	b := browsertest.Start(t)
	for _, width := range []int{420, 1280} {
		b.Open(pageFile(t), browsertest.View{Width: width})
		isAsWanted(t, b, `(() => { const texts = (selector) => [...document.querySelectorAll("#bfs " + selector)]
				.map((e) => [...(e.tagName === "g" ? e.children : [e])].map((c) => c.textContent).join(" "));
			const inPlot = texts(".name"), below = texts("svg g:has([font-weight])");
			const named = new Set([...inPlot, ...below.map((text) => text.replace(/^\(\d+\) /, ""))]);
			const lines = [...new Set([...document.querySelectorAll("#bfs .explore tbody tr")]
				.map((r) => r.cells[0].innerText.replace(/^\w+ /, "") + ", " + r.cells[3].innerText))];
			const faults = [...lines.filter((l) => !named.has(l)), ...below.filter((l) => !inPlot.includes(l.split(" ")[0]))];
			return lines.length > 4 && inPlot.length === lines.length && !faults.length ? "all" : faults.join("; ");
		})()`, "all")
	}
}

// The page of an untraced study over GPUs explains its axes and the ideal line, and omits words, marks and columns that
// it does not need. A second kind of runs needs them.
func TestPageOfAStudy(t *testing.T) {
	var runs []*collect.Run
	for _, ranks := range []int{1, 2, 4} {
		kind := kindOf("m", record.BFS)
		kind.Study, kind.Scaling = "strong", "strong"
		runs = append(runs, valid(kind, 20, ranks, "20", float64(ranks), float64(ranks)+0.1))
	}
	var b *browsertest.Browser
	reads := func(runs ...*collect.Run) {
		b = browsertest.Start(t)
		page := New("Study", collect.NewSet(runs))
		b.Open(expect.File(t, "index.html", expect.Written(t, page.WriteHTML)), browsertest.View{Width: 1280})
	}
	const marks, heads, words = `[...document.querySelectorAll("#bfs svg.plot")].map((e) => [...new Set(
		[...e.querySelectorAll("[aria-label=dot] *")].map((d) => d.getAttribute("d") ?? d.tagName))].length).join()`,
		`[...document.querySelectorAll("#bfs .explore th")].map((e) => e.innerText).join()`,
		`[...document.querySelectorAll("[data-of]")].filter((e) => e.checkVisibility()).map((e) => e.dataset.of).join() + ";"`
	reads(runs...)
	for _, figure := range []string{"#bfs-rate-ranks", "#bfs-efficiency"} {
		isAsWanted(t, b, `document.querySelector("`+figure+` svg").textContent.match(/ideal:|rank/g).join()+";"`, "ideal:;")
	}
	isAsWanted(t, b, `document.querySelector("#bfs-rate-ranks figcaption").textContent`, "Both axes are logarithmic")
	isAsWanted(t, b, `document.querySelector("#bfs-efficiency figcaption").textContent`, "The horizontal axis is "+
		"logarithmic. Bars are 95% confidence intervals. The 95% interval of an efficiency is over searches")
	isAsWanted(t, b, marks, "1,1")
	isAsWanted(t, b, heads+`+";"`, ",results,date,version;")
	isAsWanted(t, b, `"is "+`+words, `is "efficiency":;`)

	runs[0].Searches[0].Trace = []record.Level{{Step: "top-down", Variant: "push", Seconds: 1}}
	cpu := kindOf("cpu", record.BFS)
	cpu.Threads = 2
	other := valid(cpu, 20, 2, "20", 1, 1.1)
	other.Environment.Program.Dirty, other.ResultBits = true, 32
	reads(append(runs, other)...)
	isAsWanted(t, b, heads+`+";"`, ",results,date,version,trace;")
	isAsWanted(t, b, words, `"threads":,"efficiency":,-dirty,"bits":32;`)
	b.Choose("#bfs select[name=axis]", "scale")
	isAsWanted(t, b, `document.querySelector("#bfs-rate-scale svg").textContent`, "4 ranks")
}

// A choice with fewer than three points shows the table only.
func TestFewPointsAreATable(t *testing.T) {
	b := open(t)
	b.Choose("#bfs select[name=scale]", "29")
	b.Choose("#bfs select[name=ranks]", "4")
	isAsWanted(t, b, `document.querySelector("#bfs .explore > .note").textContent`, "too few for a plot")
	isAsWanted(t, b, `String(document.querySelectorAll("#bfs .chart:not([hidden])").length)`, "0")
	isAsWanted(t, b, first, "4 GPUs")
}

// A figure is saved as SVG and CSV in light colours, has its choices in a link, and is printed alone.
func TestSavedFigure(t *testing.T) {
	path := pageFile(t)
	b := browsertest.Start(t)
	b.Open(path, browsertest.View{Width: 1280, Dark: true})
	b.Choose("#bfs select[name=axis]", "ranks")
	b.Choose("#bfs select[name=scale]", "28")
	svg := b.Saved("#bfs-efficiency .tools button:nth-child(1)")
	expect.Contains(t, svg, "'Liberation Sans'", ">NVIDIA H200, scale 28</text>", ">GPUs</text>", "#0E50C9", "#1F2328")
	err := xml.Unmarshal([]byte(svg), new(struct{}))
	expect.That(t, err == nil && !strings.Contains(svg, "var(--m"), "%v in %s", err, svg)
	want := b.String(`(() => { const all = JSON.parse(document.getElementById("data").textContent);
		const line = all.series.find((s) => s.kernel === "BFS" && s.label === "NVIDIA H200, scale 28");
		return line.points.map((p) => [line.label, p.units, ...p.efficiency].map((x) => x || p.efficiency[0])
			.map((x) => /,/.test(x) ? '"' + x + '"' : x) 
			+ "," + p.runs.map((i) => all.runs[i].folder).join(" ")).join("\n"); })()`)
	csv := b.Saved("#bfs-efficiency .tools button:nth-child(2)")
	expect.That(t, len(want) >= 30 && strings.Contains(csv, want+"\n") &&
		strings.HasPrefix(csv, "line,GPUs,%,low,high,runs\n"), "%s\nlacks\n%s", csv, want)
	b.Click("#bfs-efficiency .tools button:nth-child(4)")
	link, chosen := b.String(`location.hash`), b.String(chosen)
	b.Open(figuresFile(t), browsertest.View{Width: 1280})
	b.Open(path+link, browsertest.View{Width: 1280})
	isAsWanted(t, b, `document.querySelector("#bfs .explore > h3").textContent`, chosen)
	isAsWanted(t, b, `document.querySelector("#bfs-efficiency h3").textContent`, "Parallel efficiency (%) over GPUs")
	b.Call("Emulation.setEmulatedMedia", browsertest.Params{"media": "print"}, nil)
	b.Eval(`window.print = () => { window.printed = [...document.querySelectorAll("h1, h2, h3, table, svg.plot, .tools")]
		.filter((e) => e.checkVisibility()).map((e) => e.tagName).join(); }; ""`, nil)
	b.Eval(`document.querySelector("#bfs-efficiency .tools button:nth-child(3)").click()`, nil)
	isAsWanted(t, b, `"(" + window.printed + ")"`, "(H3,svg)")
}

func TestSorting(t *testing.T) {
	b := open(t)
	const sorted = `(() => { const table = document.querySelector("#bfs .explore table"), column = 7;
		const values = [...table.tBodies[0].rows].map((r) => Number(r.cells[column].dataset.value));
		return table.tHead.rows[0].cells[column].getAttribute("aria-sort") + " " +
			["descending", "ascending"].filter((order, i) =>
				values.every((v, j) => !j || (i ? v >= values[j - 1] : v <= values[j - 1])));
	})()`
	b.Click("#bfs .explore th:nth-child(8) button")
	isAsWanted(t, b, sorted, "descending descending")
	b.Click("#bfs .explore th:nth-child(8) button")
	isAsWanted(t, b, sorted, "ascending ascending")
	b.Key(" ") // on the button that the click has focused
	isAsWanted(t, b, sorted, "descending descending")
	b.Key("Enter")
	isAsWanted(t, b, sorted, "ascending ascending")
	b.Click("#changes th:nth-child(2) button")
	isAsWanted(t, b, `(() => { const cells = [...document.querySelectorAll("#changes .bars[data-value]")];
		const all = cells.map((e) => +e.dataset.value);
		return all[0] === Math.max(...all) && all.length > 3 ? "largest first" : String(all); })()`, "largest first")
	b.Eval(`[...document.querySelectorAll("#changes tbody tr")].forEach((row, i) =>
		(row.cells[row.cells.length - 2].textContent = ["9abcdef", "1234567", "12e4567", "0e12345"][i % 4]))`, nil)
	b.Click("#changes th:nth-last-child(2) button")
	isAsWanted(t, b, `[...new Set([...document.querySelectorAll("#changes tbody tr")].map((row) =>
		row.cells[row.cells.length - 2].textContent))].join()`, "9abcdef,12e4567,1234567,0e12345")
}

const tooltipText = `document.getElementById("tooltip").hidden ? "" : document.getElementById("tooltip").innerText`

// The mouse over a point shows its run; a click keeps it, with a link to the folder; Escape closes it.
func TestTooltip(t *testing.T) {
	b := open(t)
	b.Eval(`document.querySelector("#bfs .chart:not([hidden]) .canvas").scrollIntoView({block: "center"})`, nil)
	var at struct{ X, Y, Scale float64 } // the highest point of the largest scale
	b.Eval(`(() => { const svg = document.querySelector("#bfs svg.plot"), frame = svg.getBoundingClientRect();
		const marks = [...svg.querySelectorAll('[aria-label="dot"] path, [aria-label="dot"] circle')]
			.map((e) => e.getBoundingClientRect()).map((r) => ({x: r.x + r.width / 2, y: r.y + r.height / 2}));
		const right = Math.max(...marks.map((m) => m.x));
		const [top] = marks.filter((m) => m.x > right - 1).sort((a, b) => a.y - b.y);
		const scales = JSON.parse(document.getElementById("data").textContent).runs
			.filter((run) => run.kernel === "BFS" && run.newest && run.bits === 64 && !run.setting && !run.threads)
			.map((run) => run.scale);
		return {...top, scale: Math.max(...scales)}; })()`, &at)
	where, y := fmt.Sprintf("scale %.0f", at.Scale), at.Y
	b.Move(at.X, y)
	isAsWanted(t, b, tooltipText, where)
	b.Move(at.X-200, y+150)
	isAsWanted(t, b, `(`+tooltipText+`).length.toString()`, "0")
	b.ClickAt(at.X, y)
	b.Move(at.X-200, y+150)
	isAsWanted(t, b, tooltipText, where)
	link := b.String(`document.activeElement.getAttribute("href")`)
	folder, below := strings.CutPrefix(link, root)
	folder = strings.TrimSuffix(folder, "/")
	runs := stored.set.Runs
	expect.That(t, below && slices.ContainsFunc(runs, func(r *collect.Run) bool { return r.Folder == folder }),
		"the tooltip links to %q", link)
	b.Key("Escape")
	isAsWanted(t, b, `(`+tooltipText+`).length.toString()`, "0")
}

// The keyboard reaches every control, shows where it is, moves between points, and opens a tooltip.
func TestKeyboard(t *testing.T) {
	b := open(t)
	const at = `(() => { const e = document.activeElement;
		return (e.closest("section")?.id ?? "") + " " + e.tagName + " " +
			(e.name || e.className || e.textContent) + " " + getComputedStyle(e).outlineStyle; })()`
	var order []string
	for range 150 {
		b.Key("Tab")
		where := b.String(at)
		order = append(order, where)
		if !strings.Contains(where, "BODY") && !strings.HasSuffix(where, " solid") && !strings.HasSuffix(where, " auto") {
			t.Fatalf("the focus is invisible on %s", where)
		}
		if strings.HasPrefix(where, "bfs DIV canvas") {
			break
		}
	}
	all := strings.Join(order, "\n")
	for i, part := range []string{" A Best results", "best A ", "changes DIV wide", "changes BUTTON ", "bfs INPUT machine",
		"bfs SELECT quantity", "bfs SELECT axis", "bfs SELECT version", "bfs DIV canvas"} {
		expect.Must(t, strings.Contains(all, part), "Tab does not reach %q (%d) in this order:\n%s", part, i, all)
		_, all, _ = strings.Cut(all, part)
	}
	b.Key("ArrowRight")
	b.Key("ArrowRight")
	one := b.String(tooltipText)
	b.Key("ArrowDown")
	other := b.String(tooltipText)
	expect.That(t, one != "" && other != "" && one != other, "arrow keys show %q, then %q", one, other)
	b.Key("Enter")
	isAsWanted(t, b, `document.activeElement.closest("#tooltip") ? "inside" : "outside"`, "inside")
	b.Key("Escape")
	isAsWanted(t, b, `document.activeElement.className`, "canvas")
}

// The levels of a run in the table are one click away, with a bar per rank.
func TestLevels(t *testing.T) {
	b := open(t)
	isAsWanted(t, b, `document.querySelector("#levels .finding").textContent`, "On average a rank waits")
	isAsWanted(t, b, `(() => { const place = (e) => document.querySelector("#levels " + e).getBoundingClientRect().top;
		return String(Math.abs(place(".steps .name") - place(".bars-of")) < 30); })()`, "true")
	b.Choose("#bfs select[name=ranks]", "2")
	b.Click(`#bfs a[href="#levels"]`)
	isAsWanted(t, b, `document.querySelector("#levels select[name=run]").selectedOptions[0].text`, "2 GPUs")
	isAsWanted(t, b, `String(document.querySelector("#levels .bars-of").querySelectorAll(".rank").length)`, "2")
	b.Choose("#levels select[name=view]", "2")
	isAsWanted(t, b, `document.querySelector("#levels .note").textContent`, "slowest search")
	isAsWanted(t, b, `(() => { const steps = [...document.querySelectorAll("#levels div.name")].map((e) => e.innerText);
		const all = steps.map((s) => s.match(/frontier ([\d,]+)/)?.[1].replaceAll(",", "")).filter(Boolean);
		return all.length > 3 ? all.join() : "few"; })()`,
		strings.Join(column(b.Saved("#frontier .tools button:nth-child(2)"), 2), ","))
	b.Choose("#levels select[name=group]", "NVIDIA H200, SSSP")
	isAsWanted(t, b, `document.querySelector("#levels .steps").textContent`, "push")
	isAsWanted(t, b, `document.querySelector("#levels .finding").textContent`, "does not separate waiting")
}

// column returns a column of a CSV file, without its head.
func column(csvText string, column int) (cells []string) {
	rows, _ := csv.NewReader(strings.NewReader(csvText)).ReadAll()
	for i, row := range rows {
		if i > 0 {
			cells = append(cells, row[column])
		}
	}
	return cells
}

// A machine has one colour: of its cards, of its checkboxes, and of its line. Machines after the fifth share one.
func TestOneColourPerMachine(t *testing.T) {
	b := open(t)
	isAsWanted(t, b, `(() => { const own = (e) => getComputedStyle(e).getPropertyValue("--own"), colours = new Map();
		for (const e of document.querySelectorAll(".card, .box, td[class*=machine-]")) {
			const name = (e.querySelector("h4") ?? e).textContent.trim();
			colours.set(name, (colours.get(name) ?? new Set()).add(own(e)));
		}
		const all = [...colours.values()], different = new Set(all.map((c) => [...c][0])).size;
		return all.length > 3 && all.every((c) => c.size === 1) && different === Math.min(all.length, 6)
			? "one each" : JSON.stringify([...colours].map(([n, c]) => [n, ...c]));
	})()`, "one each")
}

// Printing has the plots in light colours, also for readers of dark pages, and leaves the page as it was.
func TestPrint(t *testing.T) {
	path := pageFile(t)
	b := browsertest.Start(t)
	b.Open(path, browsertest.View{Width: 1280, Dark: true})
	const width = `String(document.querySelector("svg.plot")?.width.baseVal.value)`
	before := b.String(width)
	b.Eval(`addEventListener("beforeprint", () => { window.printed = getComputedStyle(document.documentElement)
		.getPropertyValue("--paper") + " " + document.querySelector("svg.plot")?.width.baseVal.value; })`, nil)
	pdf := b.PDF()
	pages := bytes.Count(pdf, []byte("/Type /Page\n"))
	expect.That(t, bytes.HasPrefix(pdf, []byte("%PDF")) && pages >= 1, "%d bytes of PDF with %d pages", len(pdf), pages)
	if before != "undefined" {
		isAsWanted(t, b, `window.printed`, "#FFFFFF 660")
	}
	isAsWanted(t, b, width, before)
}
