package column

// Statistics describes one column of a split in the shape of the Hub's viewer.
type Statistics struct {
	Name string `json:"column_name"`
	Type string `json:"column_type"`
}
