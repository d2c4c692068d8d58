" Processes of paramcheck: CCS. Choreographies have the same words.
if exists('b:current_syntax')
  finish
endif

syntax keyword ccsDeclaration system check
syntax keyword ccsControl always eventually ltl did can
syntax keyword ccsConstant deadlock terminated tau τ
syntax match ccsNumber /\<\d\+\>/
syntax match ccsProcess /\<[A-Z][A-Za-z0-9_]*\>/
syntax match ccsPeer /@\zs[a-z_][A-Za-z0-9_]*/
syntax match ccsOperator /[.|+*=&!\\^'@<>-]/
syntax match ccsComment /\/\/.*$/ contains=ccsTodo
syntax region ccsComment start=/\/\*/ end=/\*\// contains=ccsTodo
syntax keyword ccsTodo TODO FIXME contained

highlight default link ccsDeclaration Statement
highlight default link ccsControl Keyword
highlight default link ccsConstant Constant
highlight default link ccsNumber Number
highlight default link ccsProcess Type
highlight default link ccsPeer Identifier
highlight default link ccsOperator Operator
highlight default link ccsComment Comment
highlight default link ccsTodo Todo

let b:current_syntax = 'ccs'
