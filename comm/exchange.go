package comm

import "unsafe"

// Word is what Exchange can send: fixed-size values without pointers, at most 8-byte aligned.
type Word interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int32 | ~int64
}

// Exchange is AllToAll for typed slices. The result belongs to the transport until its next AllToAll.
func Exchange[T Word](t Transport, send [][]T) ([][]T, error) {
	raw := make([][]byte, len(send))
	for r, s := range send {
		raw[r] = bytesOf(s)
	}
	got, err := t.AllToAll(raw)
	if err != nil {
		return nil, err
	}
	recv := make([][]T, len(got))
	for r, b := range got {
		recv[r] = wordsOf[T](b)
	}
	return recv, nil
}

func bytesOf[T Word](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

func wordsOf[T Word](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}
