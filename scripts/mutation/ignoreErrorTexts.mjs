/**
 * Plugins of Stryker that keep texts without an effect: those of errors, because tests compare codes and statuses, and the
 * documentation of endpoints.
 *
 * @typedef {{ type: string, callee?: { name?: string, object?: { name?: string } }, key?: { name?: string }, value?: SyntaxNode }} SyntaxNode
 * @typedef {{ node: SyntaxNode, parentPath?: SyntaxPath | null }} SyntaxPath
 */

const isText = /^(StringLiteral|TemplateLiteral)$/
const makesError = /(Error|Problem|Refusal)$|^(mismatch|invalid[A-Z]\w*|parseBase64url)$/

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

const documentation = new Set(['summary', 'description', 'group', 'example'])

/**
 * The documentation of endpoints has no effect on requests, and neither have the schemas of responses: the compiler checks them. The
 * tests of the API reference check the documentation.
 *
 * @param {SyntaxPath} path
 */
function isDocumentation({ node, parentPath }) {
  const property = node.type === 'ObjectProperty' ? node : parentPath?.node
  if (property?.type !== 'ObjectProperty') return false
  const name = property.key?.name ?? ''
  return documentation.has(name) || (name === 'response' && property.value?.callee?.object?.name === 'Type')
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
  {
    kind: 'Ignore',
    name: 'documentation',
    value: {
      /** @param {SyntaxPath} path */
      shouldIgnore: (path) => (isDocumentation(path) ? 'the documentation of an endpoint' : undefined),
    },
  },
]
