// SPDX-License-Identifier: Apache-2.0

package browsertest

import "fmt"

// Click scrolls to the element that a selector finds first and clicks on its centre.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	var at struct{ X, Y float64 }
	b.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q);
		e.scrollIntoView({block: "center", behavior: "instant"});
		const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`, selector), &at)
	b.ClickAt(at.X, at.Y)
}

// ClickAt clicks on a place of the window, in pixels.
func (b *Browser) ClickAt(x, y float64) {
	b.t.Helper()
	b.Move(x, y)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.mouse(kind, x, y)
	}
}

// Move moves the mouse.
func (b *Browser) Move(x, y float64) { b.mouse("mouseMoved", x, y) }

func (b *Browser) mouse(kind string, x, y float64) {
	b.t.Helper()
	params := Params{"type": kind, "x": x, "y": y}
	if kind != "mouseMoved" {
		params["button"], params["clickCount"] = "left", 1
	}
	b.Call("Input.dispatchMouseEvent", params, nil)
}

// texts of keys that type something.
var texts = map[string]string{"Enter": "\r", " ": " "}

// codes are the virtual key codes of the keys that tests press.
var codes = map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowRight": 39, "ArrowDown": 40}

// Key presses a key, by its name in the DOM.
func (b *Browser) Key(key string) {
	b.t.Helper()
	params := Params{"type": "keyDown", "key": key, "windowsVirtualKeyCode": codes[key]}
	if text := texts[key]; text != "" {
		params["text"] = text
	}
	b.Call("Input.dispatchKeyEvent", params, nil)
	b.Call("Input.dispatchKeyEvent", Params{"type": "keyUp", "key": key, "windowsVirtualKeyCode": codes[key]}, nil)
}

// Choose selects an option, as a reader does, of the select element that a selector finds first.
func (b *Browser) Choose(selector, value string) {
	b.t.Helper()
	b.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q;
		if (e.value !== %[2]q) throw new Error("no option " + %[2]q);
		e.dispatchEvent(new Event("change", {bubbles: true})); })()`, selector, value), nil)
}

// Saved clicks on the element that a selector finds first, and returns the text of the file that the page saves then.
func (b *Browser) Saved(selector string) string {
	b.t.Helper()
	b.Eval(`URL.createObjectURL = (file) => { window.saved = file; return "data:,"; }; ""`, nil)
	b.Click(selector)
	return b.String(`window.saved.text()`)
}

// PDF prints the page.
func (b *Browser) PDF() []byte {
	b.t.Helper()
	var printed struct{ Data []byte }
	b.Call("Page.printToPDF", Params{"printBackground": true, "paperWidth": 8.27, "paperHeight": 11.69}, &printed)
	return printed.Data
}
