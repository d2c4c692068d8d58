" Choreographies of paramcheck.
runtime! syntax/ccs.vim
let b:current_syntax = 'chor'
