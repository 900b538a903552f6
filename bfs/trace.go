package bfs

import "g500/comm"

// Tracer is an Engine that can tell what its last search did.
type Tracer interface {
	// Trace lists the steps of the last search, in order. It is called outside the timed search.
	Trace() ([]Level, error)
}

// Stepper is an Engine that tells of its steps as they end, for who has a clock to time them.
type Stepper interface {
	// OnStep has ended called on each rank at the end of each step, with the step's name and its figures of all ranks.
	// The search ends with the error that it returns, if any.
	OnStep(ended func(Level) error)
}

// Level is one step of a search, as one rank saw it. Frontier and Edges are those of all ranks.
type Level struct {
	Step        string // the direction, one of the names below
	Variant     string // how the step went in that direction, one of the names below; "" where the engine does not tell
	Frontier    int64  // vertices in the frontier; no leaf but a root
	Edges       int64  // edges that leave it; of a top-down step only
	Nanoseconds int64

	// Of an engine on several ranks: the parts of Nanoseconds that this rank spent on its own vertices, on words from
	// and for others, and waiting for others; and the words that it sent and received.
	Compute, Exchange, Wait int64
	Traffic                 []Traffic
}

// Traffic is what one rank sent and received in one step, in one form by one carrier.
type Traffic struct {
	Form           string // one of the names below
	Carrier        string // peer: from GPU to GPU; host: inside a host; network: between hosts
	Sent, Received int64  // bytes
}

// FormCounter is a transport that counts messages by form. They are taken for bins where nothing else is said.
type FormCounter interface {
	CarryForm(form string) // what messages carry from now on; "" for bins
}

// carrying has messages counted in a form until end is called, where the transport counts by form.
func carrying(t comm.Transport, form string) (end func()) {
	counter, can := t.(FormCounter)
	if !can {
		return func() {}
	}
	counter.CarryForm(form)
	return func() { counter.CarryForm("") }
}

// The names of forms: words of the visited bitmap; pairs of vertex and parent, binned by owner; whether vertices are
// visited, and that they are; rows of the graph that another rank reads; a few numbers that all ranks add up.
const (
	BitmapForm    = "bitmap"
	BinsForm      = "bins"
	QuestionsForm = "questions"
	AnswersForm   = "answers"
	RowsForm      = "rows"
	SumsForm      = "sums"
)

// The names of steps: a level in one of two directions, or the pass that brings the tree into label order, as far as it
// takes longer than the levels.
const (
	TopDownStep    = "top-down"
	BottomUpStep   = "bottom-up"
	LabelOrderStep = "label order"
)

// The names of variants: what a top-down or a bottom-up level of the GPU engine did.
const (
	PushVariant           = "push"            // claimed vertices, and queued them or sent them to their ranks
	PushReplicatedVariant = "push-replicated" // every rank went through the whole frontier
	PushBitmapVariant     = "push-bitmap"     // set bits in a bitmap, whose owners looked for parents
	PushSegmentsVariant   = "push-segments"   // claimed vertices segment by segment
	PullVariant           = "pull"            // every unvisited vertex looked for a parent
	PullListingVariant    = "pull-listing"    // the same, and listed the residual vertices
	PullHubsVariant       = "pull-hubs"       // the same, and found the neighbours of hubs without a look
	PullResidualVariant   = "pull-residual"   // only residual vertices looked for a parent
)
