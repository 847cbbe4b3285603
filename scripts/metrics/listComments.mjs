import ts from 'typescript'

/**
 * Lists the positions of all comments of a source file, in their order. Visits tokens, because a comment can precede any
 * of them: the `|` of a union, a bracket or a comma is not a node of the tree.
 *
 * @param {ts.SourceFile} tree
 * @returns {ts.CommentRange[]}
 */
export function listComments(tree) {
  /** @type {ts.CommentRange[]} */
  const found = []
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isJSDoc(node)) return
    const children = node.getChildren(tree)
    if (children.length > 0) return children.forEach(visit)
    // The text of an element is not code: `//` in it is not a comment.
    if (node.kind === ts.SyntaxKind.JsxText) return
    found.push(
      // A comment on the line of the previous token, then those on later lines.
      ...(node.pos === 0 ? [] : (ts.getTrailingCommentRanges(tree.text, node.pos) ?? [])),
      ...(ts.getLeadingCommentRanges(tree.text, node.pos) ?? []),
    )
  }
  visit(tree)
  // An empty list has the position of the token after it.
  return [...new Map(found.map((range) => [range.pos, range])).values()]
}
