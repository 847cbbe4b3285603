import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { conclude, isMain, listFiles, formatTable } from './lib/gate.mjs'
import { root } from './lib/root.mjs'

/**
 * A numbered statement of the documentation that tests can prove.
 *
 * @typedef {{ id: string, status: string, text: string, section: string }} Statement
 */

/** @typedef {{ id: string, path: string, line: number }} Proof */

/**
 * An entry of the list of deviations.
 *
 * @typedef {{ id: string, verdict: string, reason: string }} Exception
 */

/** The documents with numbered statements. */
export const statementDocuments = ['docs/behaviour.md', 'docs/security-cases.md']

/** The list of the statements that no test has to prove, with the reasons. */
export const exceptionDocument = 'docs/deviations.md'

/** The three verdicts on a statement. A test proves what is built, the list of deviations explains the rest. */
export const verdicts = ['built', 'deviates', 'not applicable']

const statementLine = /^- \*\*([A-Z][-\d.]+)\*\* ([a-z ]+): (.+)$/
const exceptionLine = /^- \*\*([A-Z][-\d.]+)\*\* (.+)$/
/** The headings of the list of deviations, and the verdict of the entries below each. */
const exceptionHeadings = new Map([
  ['## Deviations', 'deviates'],
  ['## Not applicable', 'not applicable'],
])
const testSource = /(\.(test|spec|faults|abuse)\.tsx?$|\/src\/testing\/.*\.ts$)/
const idsInTitle = /\[([A-Z]-?\d[^\]]*)\]/g
const declaresTests = new Set(['describe', 'it', 'test'])

/**
 * Checks that every statement has one of three verdicts: proven by a test that names its id, deviating for a listed
 * reason, or not applicable for a listed reason.
 *
 * @param {string} folder the repository
 * @returns {Promise<import('./lib/gate.mjs').Finding>}
 */
export async function checkConformance(folder) {
  const statements = await readStatements(folder)
  const exceptions = await readExceptions(folder)
  const proofs = await readProofs(folder)
  const known = new Set(statements.map(({ id }) => id))
  const proven = new Set(proofs.map(({ id }) => id))
  const problems = [
    ...proofs
      .filter(({ id }) => !known.has(id))
      .map(({ id, path, line }) => `${path}:${line}: there is no statement ${id}`),
    ...statements.flatMap((statement) => verdictProblems(statement, proven, exceptions)),
    ...exceptions
      .filter(({ id, verdict }) => !statements.some((each) => each.id === id && each.status === verdict))
      .map(({ id, verdict }) => `${exceptionDocument}: no statement ${id} says '${verdict}'`),
  ]
  return { problems, report: reportOn(statements, proven) }
}

/**
 * @param {Statement} statement
 * @param {ReadonlySet<string>} proven
 * @param {readonly Exception[]} exceptions
 * @returns {string[]}
 */
function verdictProblems({ id, status }, proven, exceptions) {
  if (!verdicts.includes(status)) return [`${id} is '${status}', which is not a verdict: ${verdicts.join(', ')}`]
  if (status === 'built') return proven.has(id) ? [] : [`${id} is built, but no test title contains [${id}]`]
  const isListed = exceptions.some((each) => each.id === id && each.verdict === status)
  return isListed ? [] : [`${id} is marked '${status}', but ${exceptionDocument} has no reason for it`]
}

/**
 * Reads the list of deviations.
 *
 * @param {string} folder the repository
 * @returns {Promise<Exception[]>}
 */
export async function readExceptions(folder) {
  const document = await readFile(join(folder, exceptionDocument), 'utf8')
  let verdict = ''
  return document.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) verdict = exceptionHeadings.get(line) ?? line
    const [, id, reason] = exceptionLine.exec(line) ?? []
    return id === undefined || reason === undefined ? [] : [{ id, verdict, reason }]
  })
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
  return listTitles(path, code).flatMap(({ title, line }) =>
    [...title.matchAll(idsInTitle)].flatMap(([, ids = '']) => ids.split(/[,\s]+/).map((id) => ({ id, path, line }))),
  )
}

/**
 * Lists the titles of the tests and groups in a file.
 *
 * @param {string} path
 * @param {string} code
 * @returns {{ title: string, line: number }[]}
 */
export function listTitles(path, code) {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  /** @type {{ title: string, line: number }[]} */
  const titles = []
  /** @param {ts.Node} node */
  function visit(node) {
    const title = titleOf(node)
    if (title !== undefined) {
      titles.push({ title, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return titles
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
    return [section, ...countVerdicts(all, proven).map(String), open.join(' ')]
  })
  const head = ['section', 'proven', 'deviates', 'not applicable', 'unproven']
  const [covered, deviating, outside] = countVerdicts(statements, proven)
  const sum = `${statements.length} statements: ${covered} proven, ${deviating} deviate, ${outside} not applicable.`
  return `${formatTable([head, ...rows])}\n\n${sum}`
}

/**
 * @param {readonly Statement[]} statements
 * @param {ReadonlySet<string>} proven
 */
function countVerdicts(statements, proven) {
  return [
    statements.filter(({ id, status }) => status === 'built' && proven.has(id)).length,
    statements.filter(({ status }) => status === 'deviates').length,
    statements.filter(({ status }) => status === 'not applicable').length,
  ]
}

if (isMain(import.meta.url)) conclude(await checkConformance(root))
