package store

type Cache struct{ last *Item }

func New() *Store {
	return &Store{items: map[string]*Item{}}
}

func otherFileBad() string {
	return Find(nil, "tea").Name // null.attribute
}

func otherFileOk() string {
	if item := Find(nil, "tea"); item != nil {
		return item.Name
	}
	return ""
}

func (s *Store) lastBad() string {
	item, _ := s.Get("tea")
	return item.Name // null.attribute
}

func (s *Store) lastOk() string {
	item, err := s.Get("tea")
	if err != nil {
		return ""
	}
	return item.Name
}
