package wire

type Message struct{ Text string }

type Source interface {
	Next() *Message
}

type Queue struct {
	messages []*Message
}

func (q *Queue) Next() *Message {
	if len(q.messages) == 0 {
		return nil
	}
	first := q.messages[0]
	q.messages = q.messages[1:]
	return first
}
