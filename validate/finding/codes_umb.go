package finding

var umbTable = []Info{}
