" Rewriting systems of paramcheck.
if exists('b:current_syntax')
  finish
endif

syntax keyword rwsDeclaration component states init final link error critical system
syntax keyword rwsControl new forbid ν
syntax keyword rwsFormula wsks ex1 ex2 all1 all2 in notin sub
syntax keyword rwsConstant deadlock forbidden true false
syntax match rwsNumber /\<\d\+\>/
syntax match rwsPort /-\zs[A-Za-z_][A-Za-z0-9_']*\ze->/
syntax match rwsState /#\zs[A-Za-z_][A-Za-z0-9_'.]*/
syntax match rwsCall /\<[A-Za-z_][A-Za-z0-9_']*\ze\s*(/
syntax match rwsOperator /<-\|->\|[<>=]=\|!=\|[#<>|&!+*]/
syntax match rwsComment /\/\/.*$/ contains=rwsTodo
syntax region rwsComment start=/\/\*/ end=/\*\// contains=rwsTodo
syntax keyword rwsTodo TODO FIXME contained

highlight default link rwsDeclaration Statement
highlight default link rwsControl Keyword
highlight default link rwsFormula Keyword
highlight default link rwsConstant Constant
highlight default link rwsNumber Number
highlight default link rwsPort Identifier
highlight default link rwsState Constant
highlight default link rwsCall Function
highlight default link rwsOperator Operator
highlight default link rwsComment Comment
highlight default link rwsTodo Todo

let b:current_syntax = 'rws'
