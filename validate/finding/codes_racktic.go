package finding

// The codes of the Racktic family.
const ()

// rackticTable is the part of the table about Racktic.
var rackticTable = []Info{}
