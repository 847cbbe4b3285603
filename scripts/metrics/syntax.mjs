import { dirname, posix } from 'node:path'
import ts from 'typescript'
import { listComments } from './listComments.mjs'

/** @typedef {import('./readProject.mjs').Project} Project */
/** @typedef {import('./readProject.mjs').SourceFile} SourceFile */

/**
 * @param {SourceFile} source
 * @param {ts.Node} node
 */
export function lineOf({ tree }, node) {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

/**
 * Counts the lines from the signature to the closing brace.
 *
 * @param {SourceFile} source
 * @param {ts.Node} node
 */
export function linesOf(source, node) {
  return source.tree.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - lineOf(source, node)
}

/**
 * Lists all functions of a file, nested ones included.
 *
 * @param {SourceFile} source
 * @returns {{ name: string, node: ts.Node }[]}
 */
export function namedFunctions({ tree }) {
  /** @type {{ name: string, node: ts.Node }[]} */
  const found = []
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      found.push({ name: nameOf(node), node })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/**
 * @param {ts.Node} node
 * @returns {string}
 */
function nameOf(node) {
  if ('name' in node && node.name !== undefined && ts.isIdentifier(/** @type {ts.Node} */ (node.name))) {
    return /** @type {ts.Identifier} */ (node.name).text
  }
  const { parent } = node
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : 'a callback'
}

/**
 * Tells if a function is the callback of `describe`, `test` or `it`, for example of `test.each(rows)('title', callback)`.
 *
 * @param {ts.Node} node
 */
export function isTestCallback({ parent }) {
  return ts.isCallExpression(parent) && /^(describe|test|it)$/.test(calledName(parent))
}

/**
 * Returns the first name of a call: `test` of `test.each(rows)('title')`.
 *
 * @param {ts.CallExpression} call
 */
function calledName(call) {
  /** @type {ts.Expression} */
  let callee = call
  while (!ts.isIdentifier(callee)) {
    if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression
    else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag
    else return ''
  }
  return callee.text
}

/**
 * Lists the comments of a file, each as its first line without the marks. Consecutive line comments count as one.
 *
 * @param {SourceFile} source
 * @returns {{ text: string, line: number }[]}
 */
export function commentsOf({ tree, text }) {
  let lastLineComment = -2
  const comments = listComments(tree).map((range) => {
    const line = tree.getLineAndCharacterOfPosition(range.pos).line + 1
    const bare = text
      .slice(range.pos, range.end)
      .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
      .replace(/^\s*\*? ?/gm, '')
      .trim()
    const continues = range.kind === ts.SyntaxKind.SingleLineCommentTrivia && line === lastLineComment + 1
    if (range.kind === ts.SyntaxKind.SingleLineCommentTrivia) lastLineComment = line
    return { text: continues ? '' : bare, line }
  })
  return comments.filter((comment) => comment.text !== '')
}

/**
 * Lists the uses of `any`, of `!` after a value, and of module mocks.
 *
 * @param {SourceFile} source
 * @returns {ts.Node[]}
 */
export function unsafeNodes({ tree }) {
  /** @type {ts.Node[]} */
  const found = []
  /** @param {ts.Node} node */
  function visit(node) {
    const isMock = ts.isCallExpression(node) && /^(vi|jest)\.(mock|doMock)$/.test(node.expression.getText(tree))
    if (node.kind === ts.SyntaxKind.AnyKeyword || ts.isNonNullExpression(node) || isMock) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/**
 * Lists the texts of a file: string literals, the parts of templates, and the texts of elements.
 *
 * @param {SourceFile} source
 * @returns {{ text: string, line: number }[]}
 */
export function stringsOf(source) {
  /** @type {{ text: string, line: number }[]} */
  const found = []
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      found.push({ text: node.text, line: lineOf(source, node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source.tree)
  return found
}

/**
 * Lists the names that a file exports, `default` included.
 *
 * @param {ts.SourceFile} tree
 * @returns {string[]}
 */
export function exportedNames(tree) {
  return tree.statements.flatMap((statement) => {
    if (ts.isExportAssignment(statement)) return ['default']
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause
      return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []
    }
    const flags = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
    if (!flags.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (flags.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) return ['default']
    return declaredNames(statement)
  })
}

/**
 * @param {ts.Statement} statement
 * @returns {string[]}
 */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  }
  return 'name' in statement && statement.name !== undefined ? [/** @type {ts.Identifier} */ (statement.name).text] : []
}

/**
 * Lists the values (not types) that an entry of a package exports.
 *
 * @param {Project} project
 * @param {string} name
 * @returns {{ name: string, path: string, statement: ts.Statement }[]}
 */
export function publicValues(project, name) {
  const entry = project.entries.find((each) => each.name === name)
  const byPath = new Map(project.sources.map((source) => [source.path, source]))
  return entry === undefined ? [] : valuesOf(byPath, entry.path)
}

/**
 * @param {ReadonlyMap<string, SourceFile>} byPath
 * @param {string} path
 * @returns {{ name: string, path: string, statement: ts.Statement }[]}
 */
function valuesOf(byPath, path) {
  const source = byPath.get(path)
  if (source === undefined) return []
  return source.tree.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) {
      const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)
      const tree = /** @type {ts.SourceFile} */ (/** @type {unknown} */ ({ statements: [statement] }))
      return isType ? [] : exportedNames(tree).map((name) => ({ name, path, statement }))
    }
    if (statement.isTypeOnly || statement.moduleSpecifier === undefined) return []
    const specifier = /** @type {ts.StringLiteral} */ (statement.moduleSpecifier).text
    if (!specifier.startsWith('.')) return []
    const inner = valuesOf(byPath, posix.join(dirname(path), specifier))
    const clause = statement.exportClause
    if (clause === undefined || !ts.isNamedExports(clause)) return inner
    return clause.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .flatMap(({ name, propertyName }) =>
        inner
          .filter((value) => value.name === (propertyName ?? name).text)
          .map((value) => ({ ...value, name: name.text })),
      )
  })
}

/**
 * Lists the identifiers that a file declares: variables, parameters, functions, types and members of types.
 *
 * @param {SourceFile} source
 * @returns {ts.Identifier[]}
 */
export function declaredNodes({ tree }) {
  /** @type {ts.Identifier[]} */
  const found = []
  /** @param {ts.Node} node */
  function visit(node) {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isPropertySignature(node) ||
      ts.isMethodSignature(node)
    if (isDeclaration && node.name !== undefined && ts.isIdentifier(node.name)) found.push(node.name)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/**
 * Lists the functions of all public entries without duplicates.
 *
 * @param {Project} project
 * @returns {{ name: string, path: string, hasExample: boolean }[]}
 */
export function publicFunctions(project) {
  /** @type {Map<ts.Statement, { name: string, path: string, hasExample: boolean }>} */
  const found = new Map()
  for (const entry of project.entries.filter(({ isPublic }) => isPublic)) {
    for (const { name, path, statement } of publicValues(project, entry.name)) {
      if (!isFunction(statement)) continue
      const hasExample = ts.getJSDocTags(firstDeclaration(statement)).some(({ tagName }) => tagName.text === 'example')
      found.set(statement, { name, path, hasExample })
    }
  }
  return [...found.values()]
}

/** @param {ts.Statement} statement */
function firstDeclaration(statement) {
  return ts.isVariableStatement(statement) ? (statement.declarationList.declarations[0] ?? statement) : statement
}

/** @param {ts.Statement} statement */
function isFunction(statement) {
  if (ts.isFunctionDeclaration(statement)) return true
  if (!ts.isVariableStatement(statement)) return false
  return statement.declarationList.declarations.some(
    ({ initializer }) =>
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
  )
}
