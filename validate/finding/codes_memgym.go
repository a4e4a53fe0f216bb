package finding

var memgymTable = []Info{}
