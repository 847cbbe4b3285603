import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { conclude, isMain, listFiles, table } from './lib/gate.mjs'
import { root } from './lib/root.mjs'

/**
 * A numbered statement of the documentation that tests can prove.
 *
 * @typedef {{ id: string, status: string, text: string, section: string }} Statement
 */

/** @typedef {{ id: string, path: string, line: number }} Proof */

/** The documents with numbered statements. */
export const statementDocuments = ['docs/behaviour.md', 'docs/security-cases.md']

const statementLine = /^- \*\*([A-Z][-\d.]+)\*\* (\w+): (.+)$/
const testSource = /(\.(test|spec|faults|abuse)\.tsx?$|\/src\/testing\/.*\.ts$)/
const idsInTitle = /\[([A-Z]-?\d[^\]]*)\]/g
const declaresTests = new Set(['describe', 'it', 'test'])

/**
 * Compares the ids in test titles with the statements of the documentation.
 *
 * @param {string} folder the repository
 * @returns {Promise<import('./lib/gate.mjs').Finding>}
 */
export async function checkConformance(folder) {
  const statements = await readStatements(folder)
  const proofs = await readProofs(folder)
  const known = new Set(statements.map(({ id }) => id))
  const problems = proofs
    .filter(({ id }) => !known.has(id))
    .map(({ id, path, line }) => `${path}:${line}: there is no statement ${id}`)
  return { problems, report: reportOn(statements, new Set(proofs.map(({ id }) => id))) }
}

/**
 * Reads all statements of the documentation.
 *
 * @param {string} folder the repository
 * @returns {Promise<Statement[]>}
 */
export async function readStatements(folder) {
  const documents = await Promise.all(statementDocuments.map((path) => readFile(join(folder, path), 'utf8')))
  return documents
    .flatMap((document) => document.split('\n'))
    .flatMap((line) => {
      const [, id, status, text] = statementLine.exec(line) ?? []
      if (id === undefined || status === undefined || text === undefined) return []
      return [{ id, status, text, section: sectionOf(id) }]
    })
}

/**
 * Returns the section of an id: 'R2.2' of 'R2.2.4', 'R3' of 'R3.17', 'G' of 'G-01'.
 *
 * @param {string} id
 */
export function sectionOf(id) {
  return id.includes('-') ? id.slice(0, id.indexOf('-')) : id.slice(0, id.lastIndexOf('.'))
}

/**
 * Collects the ids in the titles of tests, groups and contract suites.
 *
 * @param {string} folder the repository
 * @returns {Promise<Proof[]>}
 */
export async function readProofs(folder) {
  const paths = await listFiles(folder, testSource)
  const proofs = await Promise.all(
    paths.map(async (path) => proofsIn(path, await readFile(join(folder, path), 'utf8'))),
  )
  return proofs.flat()
}

/**
 * @param {string} path
 * @param {string} code
 * @returns {Proof[]}
 */
function proofsIn(path, code) {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  /** @type {Proof[]} */
  const proofs = []
  /** @param {ts.Node} node */
  function visit(node) {
    const title = titleOf(node)
    if (title !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      for (const [, ids = ''] of title.matchAll(idsInTitle)) {
        proofs.push(...ids.split(/[,\s]+/).map((id) => ({ id, path, line })))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return proofs
}

/**
 * Returns the first argument of calls such as `test(…)` and `describe.each(…)(…)`.
 *
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function titleOf(node) {
  if (!ts.isCallExpression(node)) return undefined
  const [title] = node.arguments
  if (title === undefined || !declaresTests.has(firstNameOf(node.expression))) return undefined
  return textOf(title)
}

/**
 * @param {ts.Expression} callee
 * @returns {string}
 */
function firstNameOf(callee) {
  if (ts.isIdentifier(callee)) return callee.text
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return firstNameOf(callee.expression)
  return ts.isTaggedTemplateExpression(callee) ? firstNameOf(callee.tag) : ''
}

/**
 * @param {ts.Expression} expression
 * @returns {string | undefined}
 */
function textOf(expression) {
  if (ts.isStringLiteralLike(expression)) return expression.text
  if (!ts.isTemplateExpression(expression)) return undefined
  return expression.head.text + expression.templateSpans.map(({ literal }) => literal.text).join('…')
}

/**
 * @param {readonly Statement[]} statements
 * @param {ReadonlySet<string>} proven
 */
function reportOn(statements, proven) {
  const sections = [...new Set(statements.map(({ section }) => section))]
  const rows = sections.map((section) => {
    const all = statements.filter((statement) => statement.section === section)
    const open = all.filter(({ id, status }) => status === 'built' && !proven.has(id)).map(({ id }) => id)
    const built = all.filter(({ status }) => status === 'built').length
    const covered = all.filter(({ id }) => proven.has(id)).length
    return [section, `${all.length}`, `${built}`, `${covered}`, open.join(' ')]
  })
  const head = ['section', 'statements', 'built', 'covered', 'built, not covered']
  const ahead = statements.filter(({ id, status }) => status === 'planned' && proven.has(id)).map(({ id }) => id)
  const covered = statements.filter(({ id }) => proven.has(id)).length
  const sum = `${covered} of ${statements.length} statements are covered.`
  const hint = ahead.length === 0 ? '' : `\nCovered but marked as planned: ${ahead.join(' ')}`
  return `${table([head, ...rows])}\n\n${sum}${hint}`
}

if (isMain(import.meta.url)) conclude(await checkConformance(root))
