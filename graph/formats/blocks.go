// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"g500/internal/panics"
)

// blockBytes is the length of text that a worker parses at a time.
const blockBytes = 1 << 20

// block is a run of complete lines of a text.
type block struct {
	number int // 0 has the first line of an edge list
	fields     // of the line that is parsed
	lines  int // number of lines
	row    int // lines before it that are not comments, in a format that counts them
	rest   []byte
	numbering
	buffer []byte // has the text
}

// nextLine moves to the next line, and reports whether there was one.
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

// parsing parses the blocks of a text with several workers.
type parsing struct {
	task
	format format
	header *header
	rows   int // lines that are not comments, in a format that counts them

	mu     sync.Mutex
	chunks []chunk     // in the order of the text
	bytes  int64       // of the chunks
	err    error       // of the first block that has an error
	failed int         // its number
	faults panics.Kept // of workers

	idle sync.Pool // of *block, whose buffers are used again
}

// run parses the rest of the text. It returns the error of the first line that has one.
func (p *parsing) run() error {
	blocks := make(chan *block, p.workers)
	var team sync.WaitGroup
	for range max(p.workers, 1) {
		team.Go(func() {
			for b := range blocks {
				p.faults.Catch(func() { p.parse(b) })
			}
		})
	}
	err := p.cut(blocks)
	close(blocks)
	team.Wait()
	p.faults.Raise()
	return errors.Join(p.err, err)
}

// parse parses one block.
func (p *parsing) parse(b *block) {
	into := chunk{pairs: make([]pair, 0, b.lines)}
	for b.err == nil && b.nextLine() {
		if !isComment(b.text, p.format.marks) && (p.format.counted || !b.blank()) {
			p.format.line(p.header, b, &into)
		}
	}
	into.labels = b.labels
	if cap(into.pairs) > len(into.pairs)+len(into.pairs)/4 {
		into.pairs, into.weights = slices.Clone(into.pairs), slices.Clone(into.weights)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.err != nil && (p.err == nil || b.number < p.failed) {
		p.err, p.failed = b.err, b.number
	}
	for len(p.chunks) <= b.number {
		p.chunks = append(p.chunks, chunk{})
	}
	p.chunks[b.number] = into
	p.header.add(b.tally)
	p.bytes += int64(8*len(into.pairs) + 4*len(into.weights) + 8*len(into.labels))
	p.idle.Put(b)
}

// cut sends blocks to the workers until the text ends, a block has an error, or the chunks exceed the memory limit.
func (p *parsing) cut(blocks chan<- *block) error {
	t := p.header.text
	if p.header.firstLine != nil && p.header.countsLine == nil {
		p.first()
	}
	var rest []byte
	for number := 1; ; number++ {
		b, _ := p.idle.Get().(*block)
		if b == nil {
			b = &block{}
		}
		lines, left, ended, err := t.lines(append(b.buffer[:0], rest...))
		if err != nil {
			return err
		}
		rest = left
		newlines := bytes.Count(lines, []byte{'\n'})
		if ended && len(lines) > 0 && lines[len(lines)-1] != '\n' {
			newlines++
		}
		*b = block{number: number, fields: fields{path: t.path, number: t.line}, lines: newlines, row: p.rows,
			rest: lines, buffer: lines}
		if p.format.counted {
			p.rows += newlines
			for line := range bytes.Lines(lines) {
				if isComment(line, p.format.marks) {
					p.rows--
				}
			}
		}
		t.line += newlines
		blocks <- b
		if stop, err := p.stopped(); stop || ended {
			return err
		}
	}
}

// lines appends the next bytes of the text to the bytes before, and returns the complete lines and the bytes left after
// them. ended means that they are the last lines.
func (t *text) lines(before []byte) (lines, left []byte, ended bool, err error) {
	lines = before
	for {
		begin := len(lines)
		lines = slices.Grow(lines, blockBytes)
		n, err := io.ReadFull(t.in, lines[begin:begin+blockBytes])
		lines = lines[:begin+n]
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) && t.atEnd() {
			return lines, nil, true, nil
		}
		if err != nil {
			t.line += bytes.Count(lines, []byte{'\n'})
			return nil, nil, false, t.broken(err)
		}
		if end := bytes.LastIndexByte(lines, '\n') + 1; end > 0 {
			return lines[:end], slices.Clone(lines[end:]), false, nil
		}
	}
}

// atEnd distinguishes the end of a text from a truncated compressed one: ReadFull has the same error for both.
func (t *text) atEnd() bool {
	_, err := t.in.Peek(1)
	return err == io.EOF
}

// stopped reports whether parsing must stop, with the reason unless a block has an error.
func (p *parsing) stopped() (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := context.Cause(p.ctx); err != nil {
		return true, err
	}
	if p.limit > 0 && p.bytes > p.limit {
		return true, refusal{fmt.Errorf("the edges that were read up to line %d take the %s of memory that are free: "+
			"use a machine with more memory", p.header.line, rounded(p.limit))}
	}
	return p.err != nil || p.faults.Any(), nil
}
