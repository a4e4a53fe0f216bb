package finding

var rackticTable = []Info{}
