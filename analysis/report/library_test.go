package report

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"g500/internal/expect"
)

// The library is the one of its package: version 1.6.32 of uPlot, unchanged, with its licence.
func TestLibraryIsUnchanged(t *testing.T) {
	for file, want := range map[string]string{
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"LICENSE":           "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
	} {
		text := []byte(expect.Read(t, "uplot/"+file))
		expect.Equal(t, fmt.Sprintf("%x", sha256.Sum256(text)), want, file)
	}
	const version = "1.6.32"
	readme, licence := expect.Read(t, "uplot/README.md"), expect.Read(t, "uplot/LICENSE")
	if !strings.HasPrefix(readme, "# uPlot "+version+"\n") || !strings.Contains(library[:100], "(v"+version+")") {
		t.Errorf("README.md and the library do not name version %s", version)
	}
	if !strings.HasPrefix(licence, "The MIT License") {
		t.Error("the licence is not MIT")
	}
}

// Every page has the licence, as it requires of copies.
func TestPageHasTheLicence(t *testing.T) {
	if html := expect.Written(t, testPage(t).WriteHTML); !strings.Contains(html, "Copyright (c) 2022 Leon Sorokin") {
		t.Error("the page has the library without its licence")
	}
}

// Scripts end where their element ends: an HTML parser would end them earlier at these texts.
func TestScriptStaysInItsElement(t *testing.T) {
	for _, never := range []string{"</script", "<script", "<!--"} {
		if strings.Contains(strings.ToLower(string(program)), never) {
			t.Errorf("the script has %s", never)
		}
	}
}
