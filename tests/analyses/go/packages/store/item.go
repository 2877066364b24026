package store

import "errors"

type Item struct {
	Name   string
	Parent *Item
}

type Store struct {
	items map[string]*Item
	cache *Cache
}

var ErrMissing = errors.New("missing")

func Find(items []*Item, name string) *Item {
	for _, item := range items {
		if item.Name == name {
			return item
		}
	}
	return nil
}

func (s *Store) Get(name string) (*Item, error) {
	item, ok := s.items[name]
	if !ok {
		return nil, ErrMissing
	}
	return item, nil
}
