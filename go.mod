module g500

go 1.24
