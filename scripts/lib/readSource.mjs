import ts from 'typescript'

/**
 * An import of a source file. A `type` import doesn't exist at run time. A `lazy` import is a call of `import()`.
 *
 * @typedef {{ specifier: string, kind: 'value' | 'type' | 'lazy', line: number }} Import
 */

/**
 * A string literal or a property name.
 *
 * @typedef {{ text: string, line: number }} Literal
 */

/** @typedef {{ imports: Import[], literals: Literal[] }} Source */

/**
 * Reads the imports and string literals of a source file.
 *
 * @param {string} path file name; its extension selects the language
 * @param {string} code
 * @param {ts.SourceFile} [file] its tree, if it has been parsed already
 * @returns {Source}
 */
export function readSource(path, code, file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)) {
  /** @type {Import[]} */
  const imports = []
  /** @type {Literal[]} */
  const literals = []
  /** @param {ts.Node} node */
  const lineOf = (node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1

  /** @param {ts.Node} node */
  function visit(node) {
    const found = importOf(node)
    if (found !== undefined) {
      imports.push({ specifier: found.specifier.text, kind: found.kind, line: lineOf(node) })
      return
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || isPropertyName(node)) {
      literals.push({ text: node.text, line: lineOf(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { imports, literals }
}

/**
 * @param {ts.Node} node
 * @returns {node is ts.Identifier}
 */
function isPropertyName(node) {
  if (!ts.isIdentifier(node)) return false
  const { parent } = node
  const isNamed =
    ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isPropertyAccessExpression(parent)
  return isNamed && parent.name === node
}

/**
 * @param {ts.Node} node
 * @returns {{ specifier: ts.StringLiteralLike, kind: Import['kind'] } | undefined}
 */
function importOf(node) {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    return { specifier: node.moduleSpecifier, kind: isType ? 'type' : 'value' }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier, kind: node.isTypeOnly ? 'type' : 'value' }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    return specifier !== undefined && ts.isStringLiteralLike(specifier) ? { specifier, kind: 'lazy' } : undefined
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal, kind: 'type' }
  }
  return undefined
}
