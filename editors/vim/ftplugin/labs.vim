" What comments look like.
setlocal commentstring=#\ %s
setlocal comments=:#
