" Models of paramcheck. One that ends in .rs says so in its first line: // paramcheck model
autocmd BufRead,BufNewFile *.rws setfiletype rws
autocmd BufRead,BufNewFile *.ccs setfiletype ccs
autocmd BufRead,BufNewFile *.chor setfiletype chor
autocmd BufRead,BufNewFile *.labs setfiletype labs
autocmd BufRead *.rs if getline(1) =~# '^//.*\<paramcheck model\>' | set filetype=rws | endif
