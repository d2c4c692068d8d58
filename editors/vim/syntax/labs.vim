" Agents of paramcheck: LAbS.
if exists('b:current_syntax')
  finish
endif

syntax keyword labsDeclaration system stigmergy agent assume check
syntax keyword labsDeclaration extern environment spawn link interface stigmergies Behavior Behaviour
syntax keyword labsControl always finally eventually fairly fairly_inf between from until thereIs precedes
syntax keyword labsWord and or if then else of forall exists count pick where abs min max
syntax keyword labsConstant true false undef id Skip Nil
syntax match labsNumber /\<\d\+\>/
syntax match labsName /\<[A-Z][A-Za-z0-9_]*\>/
syntax match labsParameter /\<_[a-z][A-Za-z0-9_]*\>/
syntax match labsOperator /<--\|<-\|<\~\|:=\|->\|=>\|++\|||\|[-+*/%!=<>]/
syntax match labsComment /#.*$/ contains=labsTodo
syntax keyword labsTodo TODO FIXME contained

highlight default link labsDeclaration Statement
highlight default link labsControl Keyword
highlight default link labsWord Operator
highlight default link labsConstant Constant
highlight default link labsNumber Number
highlight default link labsName Type
highlight default link labsParameter Identifier
highlight default link labsOperator Operator
highlight default link labsComment Comment
highlight default link labsTodo Todo

let b:current_syntax = 'labs'
