" What comments look like, and what a name is.
setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,://
