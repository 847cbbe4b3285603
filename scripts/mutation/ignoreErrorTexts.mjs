/**
 * A plugin of Stryker that keeps the texts of errors. Tests compare codes and statuses, and texts may change freely.
 *
 * @typedef {{ node: { type: string, callee?: { name?: string } }, parentPath?: SyntaxPath | null }} SyntaxPath
 */

const isText = /^(StringLiteral|TemplateLiteral)$/
const makesError = /(Error|Problem|Refusal)$|^(mismatch|invalid[A-Z]\w*)$/

/** @param {SyntaxPath} path */
function isErrorText({ node, parentPath }) {
  if (!isText.test(node.type)) return false
  for (let outer = parentPath; outer !== null && outer !== undefined; outer = outer.parentPath) {
    const { type, callee } = outer.node
    if (type === 'NewExpression' || type === 'CallExpression') return makesError.test(callee?.name ?? '')
    if (!/^(ObjectProperty|ObjectExpression|ConditionalExpression|TemplateLiteral)$/.test(type)) return false
  }
  return false
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'error-texts',
    value: {
      /** @param {SyntaxPath} path */
      shouldIgnore: (path) => (isErrorText(path) ? 'the text of an error' : undefined),
    },
  },
]
