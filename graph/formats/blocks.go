package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// blockBytes is how much text a worker parses at a time.
const blockBytes = 1 << 20

// block is a run of whole lines of a text.
type block struct {
	number int // from 0
	fields     // of the line that is parsed
	row    int // lines before it that are no comments, of a format that is counted
	rest   []byte
}

// nextLine goes on to the next line, and reports whether there was one.
func (b *block) nextLine() bool {
	if len(b.rest) == 0 {
		return false
	}
	end := bytes.IndexByte(b.rest, '\n') + 1
	if end == 0 {
		end = len(b.rest)
	}
	b.text, b.rest, b.at = b.rest[:end], b.rest[end:], 0
	b.fields.number++
	return true
}

// parsing is the parsing of the blocks of a text, by several workers.
type parsing struct {
	*text
	resources
	format format
	parse  func(b *block, into *part) error

	mu      sync.Mutex
	parts   []part
	bytes   int64 // of the parts
	rounded int   // the number of weights that were rounded
	err     error // of the block
	failed  int   // with that number, the first one that has an error
}

// run parses the rest of the text. It returns the parts in the order of the text, and, of a format that is counted, the
// number of lines that are no comments.
// The error is that of the first line which has one.
func (p *parsing) run() (parts []part, rows int, err error) {
	blocks := make(chan *block, p.workers)
	var team sync.WaitGroup
	for range max(p.workers, 1) {
		team.Go(func() {
			for b := range blocks {
				p.one(b)
			}
		})
	}
	rows, err = p.cut(blocks)
	close(blocks)
	team.Wait()
	return p.parts, rows, errors.Join(p.err, err)
}

// one parses one block.
func (p *parsing) one(b *block) {
	lines := bytes.Count(b.rest, []byte{'\n'}) + 1
	into := part{pairs: make([]pair, 0, lines)}
	err := p.parse(b, &into)
	if cap(into.pairs) > len(into.pairs)+len(into.pairs)/4 {
		into.pairs, into.weights = slices.Clone(into.pairs), slices.Clone(into.weights)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil && (p.err == nil || b.number < p.failed) {
		p.err, p.failed = err, b.number
	}
	for len(p.parts) <= b.number {
		p.parts = append(p.parts, part{})
	}
	p.parts[b.number] = into
	p.rounded += b.rounded
	p.bytes += int64(8*len(into.pairs) + 4*len(into.weights))
}

// cut hands the blocks out until the text ends, an error was found or the parts have taken all the room.
func (p *parsing) cut(blocks chan<- *block) (rows int, err error) {
	var rest []byte
	for number := 0; ; number++ {
		lines, left, ended, err := p.lines(rest)
		if err != nil {
			return rows, err
		}
		rest = left
		b := &block{number: number, fields: fields{path: p.path, number: p.line}, row: rows, rest: lines}
		newlines := bytes.Count(lines, []byte{'\n'})
		if ended && len(lines) > 0 && lines[len(lines)-1] != '\n' {
			newlines++
		}
		if p.format.counted {
			rows += newlines - p.comments(lines)
		}
		p.line += newlines
		blocks <- b
		if stop, err := p.stopped(); stop || ended {
			return rows, err
		}
	}
}

// lines are the next whole lines of the text, which begin with what was left before; ended says that they are the last.
func (p *parsing) lines(before []byte) (lines, left []byte, ended bool, err error) {
	lines = before
	for {
		begin := len(lines)
		lines = append(lines, make([]byte, blockBytes)...)
		n, err := io.ReadFull(p.in, lines[begin:])
		lines = lines[:begin+n]
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) && p.atEnd() {
			return lines, nil, true, nil
		}
		if err != nil {
			p.line += bytes.Count(lines, []byte{'\n'})
			return nil, nil, false, p.broken(err)
		}
		if end := bytes.LastIndexByte(lines, '\n') + 1; end > 0 {
			return lines[:end:end], slices.Clone(lines[end:]), false, nil
		}
	}
}

// atEnd tells the end of a text from a compressed one that was cut off, for which ReadFull has the same error.
func (p *parsing) atEnd() bool {
	_, err := p.in.Peek(1)
	return err == io.EOF
}

// comments counts the lines that are comments.
func (p *parsing) comments(lines []byte) (n int) {
	for len(lines) > 0 {
		if isComment(lines, p.format.marks) {
			n++
		}
		end := bytes.IndexByte(lines, '\n')
		if end < 0 {
			break
		}
		lines = lines[end+1:]
	}
	return n
}

// stopped reports whether no further block should be parsed, and why if no block has an error of its own.
func (p *parsing) stopped() (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := context.Cause(p.resources.ctx); err != nil {
		return true, err
	}
	if p.room > 0 && p.bytes > p.room {
		return true, fmt.Errorf("the edges that were read up to line %d take the %s of memory that are free: "+
			"use a machine with more memory", p.line, rounded(p.room))
	}
	return p.err != nil, nil
}
