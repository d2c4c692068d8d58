// Leader election in a binary tree (as in FireWire): who has heard from all neighbours but one says so
// to the last one; who has heard from all is the leader. p: parent, l, r: children.
component Root {
  states none, l, r, sent, leader;
  init none;
  final sent, leader;
  none -hearl-> l;
  none -hearr-> r;
  l -hearr-> leader;
  r -hearl-> leader;
  l -sayr-> sent;
  r -sayl-> sent;
}
component Inner {
  states none, p, l, r, pl, pr, lr, sent, leader;
  init none;
  final sent, leader;
  none -hearp-> p;
  none -hearl-> l;
  none -hearr-> r;
  p -hearl-> pl;
  p -hearr-> pr;
  l -hearp-> pl;
  l -hearr-> lr;
  r -hearp-> pr;
  r -hearl-> lr;
  pl -hearr-> leader;
  pr -hearl-> leader;
  lr -hearp-> leader;
  pl -sayr-> sent;
  pr -sayl-> sent;
  lr -sayp-> sent;
}
component Leaf {
  states none, sent, leader;
  init none;
  final sent, leader;
  none -sayp-> sent;
  none -hearp-> leader;
}
link left(x, y) = <sayp(y) hearl(x) + sayl(x) hearp(y)>;
link right(x, z) = <sayp(z) hearr(x) + sayr(x) hearp(z)>;
Main() <- new x, y, z . <left(x, y) + right(x, z)> (Root(x), Sub(y), Sub(z));
Sub(x) <- new y, z . <left(x, y) + right(x, z)> (Inner(x), Sub(y), Sub(z)) | (Leaf(x));
error twoleaders = #leader >= 2;
error nobody = #leader == 0 & #none + #p + #l + #r + #pl + #pr + #lr == 0;
