import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { readStatements, sectionOf, statementDocuments, verdicts } from '../conformance.mjs'
import { architecturePage, drawLayers, withPicture } from '../architecture.mjs'
import { conclude, isMain, listFiles } from '../lib/gate.mjs'
import { layers } from '../lib/layers.mjs'
import { root } from '../lib/root.mjs'

/**
 * The number of statements in each section, so that none gets lost.
 *
 * @type {Record<string, number>}
 */
// oxfmt-ignore
export const statementCounts = {
  V: 3, R1: 7, R2: 3, 'R2.1': 5, 'R2.2': 9, R3: 17,
  R4: 7, 'R4.1': 3, 'R4.2': 3, 'R4.3': 4, 'R4.4': 9,
  'R5.1': 2, 'R5.2': 5, 'R5.3': 6, 'R5.4': 4, 'R5.5': 5, 'R5.6': 2, 'R5.7': 4,
  R6: 7, 'R7.1': 23, 'R7.2': 3, 'R7.3': 3, 'R7.4': 2,
  'R8.1': 4, 'R8.2': 12, 'R8.3': 14,
  'R9.1': 10, 'R9.2': 3, 'R9.3': 5, 'R9.4': 6, 'R9.5': 7,
  C: 9, D: 5,
  K: 16, I: 24, A: 27, R: 20, P: 13, G: 12, S: 12, L: 7,
}

/** The sections of a page in docs/decisions, in this order. The first two are required. Subsections have `###`. */
export const decisionSections = ['Decision', 'Reason', 'Alternatives', 'Consequences']

/**
 * Compares the documentation with the code: error codes, numbered statements, links, environment variables. Compares the
 * sections of the decisions with each other.
 *
 * @param {string} folder the repository
 * @param {Record<string, number>} counts
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkDocs(folder, counts) {
  const problems = [
    ...(await errorProblems(folder)),
    ...statementProblems(await readStatements(folder), counts),
    ...(await linkProblems(folder)),
    ...(await variableProblems(folder)),
    ...(await pictureProblems(folder)),
    ...(await decisionProblems(folder)),
  ]
  return { problems }
}

/** @param {string} folder */
async function errorProblems(folder) {
  const codes = await listErrorCodes(folder)
  const document = await readFile(join(folder, 'docs/errors.md'), 'utf8')
  const headings = [...document.matchAll(/^#+ `([^`]+)`$/gm)].map(([, code = '']) => code)
  return [
    ...codes.filter((code) => !headings.includes(code)).map((code) => `docs/errors.md: no heading for \`${code}\``),
    ...headings.filter((code) => !codes.includes(code)).map((code) => `docs/errors.md: there is no error \`${code}\``),
    ...listRepeated(headings).map((code) => `docs/errors.md: \`${code}\` has more than one heading`),
  ]
}

/**
 * Collects the error codes of all packages: the members of every `interface ErrorContexts`.
 *
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function listErrorCodes(folder) {
  const paths = (await listFiles(folder, /^(packages\/[^/]+|apps\/frame)\/src\/.*\.ts$/)).filter(
    (path) => !path.includes('.test.'),
  )
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')))
  return texts.filter((text) => text.includes('interface ErrorContexts')).flatMap(errorCodesIn)
}

/**
 * @param {string} code
 * @returns {string[]}
 */
function errorCodesIn(code) {
  const file = ts.createSourceFile('errors.ts', code, ts.ScriptTarget.Latest)
  /** @type {string[]} */
  const codes = []
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'ErrorContexts') {
      codes.push(
        ...node.members.flatMap(({ name }) => (name !== undefined && ts.isStringLiteral(name) ? [name.text] : [])),
      )
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return codes
}

/**
 * @param {readonly import('../conformance.mjs').Statement[]} statements
 * @param {Record<string, number>} counts
 */
function statementProblems(statements, counts) {
  const where = statementDocuments.join(', ')
  const ids = statements.map(({ id }) => id)
  const expected = Object.entries(counts).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => idOf(section, index + 1)),
  )
  return [
    ...expected.filter((id) => !ids.includes(id)).map((id) => `${where}: ${id} is missing`),
    ...ids.filter((id) => !expected.includes(id)).map((id) => `${where}: ${id} is not a statement of ${sectionOf(id)}`),
    ...listRepeated(ids).map((id) => `${where}: ${id} appears twice`),
    ...statements
      .filter(({ status }) => !verdicts.includes(status))
      .map(({ id, status }) => `${where}: ${id} is '${status}', which is not a known status`),
  ]
}

/**
 * @param {string} section
 * @param {number} number
 */
function idOf(section, number) {
  const isCase = !/\d/.test(section)
  return isCase ? `${section}-${`${number}`.padStart(2, '0')}` : `${section}.${number}`
}

/**
 * Finds broken links between documents.
 *
 * @param {string} folder
 */
async function linkProblems(folder) {
  const paths = await listFiles(folder, /\.md$/)
  const problems = await Promise.all(
    paths.map(async (path) => {
      const document = await readFile(join(folder, path), 'utf8')
      return [...document.matchAll(/\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g)]
        .filter(([, target = '']) => !existsSync(join(folder, dirname(path), target)))
        .map(([, target]) => `${path}: the link to ${target} is broken`)
    }),
  )
  return problems.flat()
}

/**
 * Finds environment variables of the server that no document explains. A document names a variable as `NAME` or `NAME=…`.
 *
 * @param {string} folder
 */
async function variableProblems(folder) {
  const sources = (await listFiles(folder, /^server\/src\/.*\.ts$/)).filter((path) => !path.includes('.test.'))
  const texts = await Promise.all(sources.map((path) => readFile(join(folder, path), 'utf8')))
  const variables = texts.filter((text) => /ariables\b/.test(text)).flatMap(variablesIn)
  const pages = await listFiles(folder, /^(docs|server)\/[^/]*\.md$/)
  const documents = (await Promise.all(pages.map((path) => readFile(join(folder, path), 'utf8')))).join('\n')
  const documented = new Set([...documents.matchAll(/`([A-Z][A-Z0-9_]+)(?:`|=)/g)].map(([, name = '']) => name))
  return variables
    .filter((name) => !documented.has(name))
    .map((name) => `server/README.md: the environment variable ${name} is not documented`)
}

/**
 * Lists the names in the objects that declare environment variables: `variables`, `relayVariables`.
 *
 * @param {string} code
 * @returns {string[]}
 */
function variablesIn(code) {
  const file = ts.createSourceFile('variables.ts', code, ts.ScriptTarget.Latest)
  /** @type {string[]} */
  const names = []
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && /^(v|\w+V)ariables$/.test(node.name.text)) {
      names.push(...propertiesIn(node))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return names
}

/**
 * @param {ts.Node} node
 * @returns {string[]}
 */
function propertiesIn(node) {
  /** @type {string[]} */
  const names = []
  ts.forEachChild(node, (child) => {
    if (ts.isPropertyAssignment(child) && ts.isIdentifier(child.name) && /^[A-Z][A-Z0-9_]+$/.test(child.name.text)) {
      names.push(child.name.text)
    } else names.push(...propertiesIn(child))
  })
  return names
}

/**
 * Compares the architecture picture with the layer rules.
 *
 * @param {string} folder
 */
async function pictureProblems(folder) {
  const page = await readFile(join(folder, architecturePage), 'utf8').catch(() => '')
  return page === withPicture(page, drawLayers(layers.arrows))
    ? []
    : [`${architecturePage}: the diagram is outdated. Run node scripts/architecture.mjs.`]
}

/**
 * Finds decisions with other sections than the rest, or with bold words in place of headings.
 *
 * @param {string} folder
 */
async function decisionProblems(folder) {
  const paths = await listFiles(folder, /^docs\/decisions\/.*\.md$/)
  const required = decisionSections.slice(0, 2)
  const problems = await Promise.all(
    paths.map(async (path) => {
      const document = await readFile(join(folder, path), 'utf8')
      const sections = [...document.matchAll(/^## (.*)$/gm)].map(([, name = '']) => name)
      const expected = decisionSections.filter((name) => required.includes(name) || sections.includes(name))
      return [
        ...(sections.join() === expected.join()
          ? []
          : [`${path}: the sections are '${sections.join(', ')}', not '${expected.join(', ')}'`]),
        ...[...document.matchAll(/^\*\*([^*]+)[.:]\*\*/gm)].map(
          ([, name]) => `${path}: '${name}' is a bold word in place of a heading`,
        ),
      ]
    }),
  )
  return problems.flat()
}

/** @param {readonly string[]} texts */
function listRepeated(texts) {
  return texts.filter((text, index) => texts.indexOf(text) !== index)
}

if (isMain(import.meta.url)) conclude(await checkDocs(root, statementCounts))
