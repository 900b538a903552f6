// SPDX-License-Identifier: Apache-2.0

package browsertest

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"g500/internal/expect"
)

// names of the program, in the order of preference.
var names = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// Program returns the browser: the environment variable CHROMIUM, or the first that is installed; "" for none.
func Program() string {
	for _, name := range append([]string{os.Getenv("CHROMIUM")}, names...) {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// limit is the time limit of one call, with the slowest machine in mind.
const limit = 60 * time.Second

// Browser is a running browser with one page.
type Browser struct {
	t        *testing.T
	session  string
	to       *os.File
	messages chan message
	last     int
	console  []string // messages of the page
}

// message is a reply or an event of the protocol.
type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
	Session string `json:"sessionId,omitempty"`
}

// Start starts a browser, which ends with the test. The test is skipped if there is none.
func Start(t *testing.T) *Browser {
	t.Helper()
	program := Program()
	if program == "" {
		t.Skip("no Chromium: install the package chromium, or name a browser in CHROMIUM")
	}
	in, to, err := os.Pipe()
	expect.NoError(t, err)
	from, out, err := os.Pipe()
	expect.NoError(t, err)
	profile := expect.Value(os.MkdirTemp("", "browsertest"))(t)
	command := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir="+profile,
		"--remote-debugging-pipe", "about:blank")
	command.ExtraFiles = []*os.File{in, out} // which the protocol uses as files 3 and 4
	expect.NoError(t, command.Start())
	in.Close()
	out.Close()
	b := &Browser{t: t, to: to, messages: make(chan message, 1000)}
	go b.receive(from)
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()        // the reason is known
		os.RemoveAll(profile) // as far as other processes of the browser have ended
		to.Close()
		from.Close()
	})
	b.attach()
	return b
}

// attach opens the session of the browser's page.
func (b *Browser) attach() {
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	b.Call("Target.getTargets", nil, &targets)
	for _, target := range targets.TargetInfos {
		if target.Type == "page" {
			var attached struct{ SessionID string }
			b.Call("Target.attachToTarget", Params{"targetId": target.TargetID, "flatten": true}, &attached)
			b.session = attached.SessionID
		}
	}
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.Call(domain+".enable", nil, nil)
	}
}

// receive reads the messages, which end with a zero byte.
func (b *Browser) receive(from *os.File) {
	defer close(b.messages)
	for r := bufio.NewReader(from); ; {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) == nil {
			b.messages <- m
		}
	}
}

// Params are the parameters of a method.
type Params map[string]any

// Call calls a method of the protocol, and decodes its result unless result is nil.
func (b *Browser) Call(method string, params Params, result any) {
	b.t.Helper()
	b.last++
	call := map[string]any{"id": b.last, "method": method}
	if params != nil {
		call["params"] = params
	}
	if b.session != "" {
		call["sessionId"] = b.session
	}
	_, err := b.to.Write(append(expect.Value(json.Marshal(call))(b.t), 0))
	expect.NoError(b.t, err)
	reply := b.await(method, func(m message) bool { return m.ID == b.last })
	expect.Must(b.t, reply.Error == nil, "%s: %v", method, reply.Error)
	if result != nil {
		expect.NoError(b.t, json.Unmarshal(reply.Result, result))
	}
}

// await returns the first message that fits. It keeps the page's messages on the console.
func (b *Browser) await(name string, fits func(message) bool) message {
	b.t.Helper()
	for timeout := time.After(limit); ; {
		select {
		case m, open := <-b.messages:
			expect.Must(b.t, open, "the browser ended during %s", name)
			switch m.Method {
			case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
				b.console = append(b.console, string(m.Params))
			}
			if fits(m) {
				return m
			}
		case <-timeout:
			b.t.Fatalf("%s has not ended in %v", name, limit)
		}
	}
}

// Console returns the messages, errors and violations of policies since the last call.
func (b *Browser) Console() string {
	all := strings.Join(b.console, "\n")
	b.console = nil
	return all
}

// Eval evaluates an expression, waits for a promise, and decodes the value into result.
func (b *Browser) Eval(expression string, result any) {
	b.t.Helper()
	var reply struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.Call("Runtime.evaluate", Params{"expression": expression, "returnByValue": true, "awaitPromise": true}, &reply)
	expect.Must(b.t, reply.ExceptionDetails == nil, "%s\n%v", expression, reply.ExceptionDetails)
	if result != nil && len(reply.Result.Value) > 0 {
		expect.NoError(b.t, json.Unmarshal(reply.Result.Value, result))
	}
}

// String evaluates an expression whose value is a text.
func (b *Browser) String(expression string) (text string) {
	b.t.Helper()
	b.Eval(expression, &text)
	return text
}

// Open loads a file in a window of a size, in light or dark colours.
func (b *Browser) Open(path string, view View) {
	b.t.Helper()
	scheme := "light"
	if view.Dark {
		scheme = "dark"
	}
	b.Call("Emulation.setDeviceMetricsOverride",
		Params{"width": view.Width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.Call("Emulation.setEmulatedMedia",
		Params{"features": []Params{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.Call("Emulation.setScriptExecutionDisabled", Params{"value": view.NoScript}, nil)
	b.Call("Page.navigate", Params{"url": "file://" + path}, nil)
	b.await("loading "+path, func(m message) bool { return m.Method == "Page.loadEventFired" })
}

// View is how a page is shown.
type View struct {
	Width    int // in pixels
	Dark     bool
	NoScript bool // scripts of the page do not run; Eval does
}

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

// Views are the windows in which a page must be legible.
var Views = []View{
	{Width: 420}, {Width: 420, Dark: true}, {Width: 420, NoScript: true}, {Width: 1280}, {Width: 1280, Dark: true},
	{Width: 1280, NoScript: true, Dark: true}, {Width: 1920}, {Width: 1920, Dark: true},
}

//go:embed legible.js
var legible string

// IsLegible opens a page of g500 report in each window and reports its faults: the page's script ended early, texts are
// small, lack contrast or are outside the window, texts of figures overlap, or the browser's console has messages.
func (b *Browser) IsLegible(path string, views ...View) {
	b.t.Helper()
	for _, view := range views {
		b.Open(path, view)
		var found struct {
			Faults []string
			Loaded float64
			Ready  bool
		}
		b.Eval(legible, &found)
		name := fmt.Sprintf("%+v", view)
		expect.Equal(b.t, strings.Join(found.Faults, "\n"), "", name)
		expect.That(b.t, view.NoScript || found.Ready, "%s: the page's script did not reach its end", name)
		expect.Equal(b.t, b.Console(), "", name, "messages on the browser's console")
		b.t.Logf("%s: loaded in %.0f ms", name, found.Loaded)
	}
}
