package nearest

import "testing"

func TestName(t *testing.T) {
	names := []string{"run", "report", "scale", "graph.scale", "laptop", "--scale", "search.keys"}
	for word, want := range map[string]string{
		"rum": "run", "rnu": "run", "Run": "run", "reprot": "report", "scal": "scale", "--scal": "--scale",
		"graph.scael": "graph.scale", "lptop": "laptop", "": "", "x": "", "enormous": "", "serach.key": "search.keys",
		"search.kind": "", "search.keyz": "search.keys",
	} {
		if got := Name(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("rum", names); got != ": did you mean run?" {
		t.Error(got)
	}
	if got := DidYouMean("zebra", names); got != "" {
		t.Error(got)
	}
}
