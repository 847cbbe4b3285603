import { basename, dirname } from 'node:path'
import ts from 'typescript'
import {
  commentsOf,
  declaredNodes,
  exportedNames,
  isTestCallback,
  lineOf,
  linesOf,
  namedFunctions,
  publicFunctions,
  publicValues,
  stringsOf,
  unsafeNodes,
} from './syntax.mjs'

/** @typedef {import('./readProject.mjs').Project} Project */
/** @typedef {import('./readProject.mjs').SourceFile} SourceFile */

/**
 * @typedef {object} Measure
 * @property {string} name
 * @property {string} target
 * @property {(project: Project, under: string) => { value: number | string, isMet: boolean, violations: string[] }} take
 */

const largestFolder = 25
const longestFunction = 60
const filesPerFunctionName = 3
const coreValues = 60
const moneyValues = 73
const protocolValues = 46
const wholeInstance = 192
const exampleShare = 0.6

const openingWord = /^(What|Who|Whoever|Whose|Whether|Where|How|Which|Why|Nobody|Somebody)\b/
const forbiddenWords =
  /^(questions?|answers?|answered|answering|told|hears?|heard|hearing|standings?|senseless|anew|patience|publications?|whoever|nobody|somebody)$/
const vagueString =
  /\b(whoever|nobody|somebody|anybody|everybody|anew)\b|\b(that (is|are)|its \w+ is) none\b|\banswers (with|[1-5]\d\d|a web page|another question)\b/i
const vague = /\b(whoever|nobody|somebody|who none|whom)\b/i

/** @type {readonly Measure[]} */
export const measures = [
  {
    name: 'folders with too many entries, except docs, messages and contracts',
    target: `0 above ${largestFolder}`,
    take: countViolations(largeFolders),
  },
  { name: 'import cycles, types and lazy imports included', target: '0', take: countViolations(findCycles) },
  {
    name: 'long functions, except callbacks of describe, test and it',
    target: `0 above ${longestFunction} lines`,
    take: countViolations(longFunctions),
  },
  { name: 'files not named after an export', target: '0', take: countViolations(misnamedFiles) },
  {
    name: 'repeated top-level function names',
    target: `0 in more than ${filesPerFunctionName} files`,
    take: countViolations(repeatedNames),
  },
  { name: 'types named *Parts', target: '0', take: countViolations(partsTypes) },
  { name: 'inner functions that take the whole instance', target: `≤ ${wholeInstance}`, take: wholeInstances },
  { name: 'comments that open with a question word', target: '0', take: countViolations(commentsWithOpeningWord) },
  { name: 'comments with vague words', target: '0', take: countViolations(vagueComments) },
  { name: 'strings and test titles with such words', target: '0', take: countViolations(vagueStrings) },
  { name: 'declared names with words outside the glossary', target: '0', take: countViolations(forbiddenNames) },
  {
    name: 'values of the public entry of core',
    target: `≤ ${coreValues}`,
    take: exportsOf('@latchkey/core', coreValues),
  },
  {
    name: 'values of @latchkey/core/money',
    target: `≤ ${moneyValues}`,
    take: exportsOf('@latchkey/core/money', moneyValues),
  },
  {
    name: 'values of @latchkey/protocol',
    target: `≤ ${protocolValues}`,
    take: exportsOf('@latchkey/protocol', protocolValues),
  },
  { name: 'values of these entries that no document names', target: '0', take: countViolations(undocumentedValues) },
  { name: 'any, non-null assertions and module mocks', target: '0', take: countViolations(unsafeCode) },
  { name: 'public functions with an example', target: `≥ ${exampleShare * 100} %`, take: measureExamples },
  { name: 'packages that do not export isLatchkeyError', target: '0', take: countViolations(packagesWithoutGuard) },
  { name: 'TypeScript files with translations', target: '0', take: countViolations(translationFiles) },
]

/**
 * Creates a measure that is met if it finds nothing.
 *
 * @param {(project: Project, under: string) => string[]} find
 * @returns {Measure['take']}
 */
function countViolations(find) {
  return (project, under) => {
    const violations = find(project, under)
    return { value: violations.length, isMet: violations.length === 0, violations }
  }
}

/** @type {(project: Project, under: string) => string[]} */
function largeFolders({ paths }, under) {
  /** @type {Map<string, Set<string>>} */
  const entries = new Map()
  for (const path of paths) {
    for (let child = path, folder = dirname(child); child !== '.'; child = folder, folder = dirname(child)) {
      entries.set(folder, (entries.get(folder) ?? new Set()).add(child))
    }
  }
  // One file per decision, language and contract: their number grows with the project.
  const isCode = (/** @type {string} */ folder) => folder !== '.' && !/(^docs|messages|contracts)(\/|$)/.test(folder)
  return [...entries]
    .filter(([folder, { size }]) => isCode(folder) && folder.startsWith(under) && size > largestFolder)
    .map(([folder, { size }]) => `${folder}: ${size} entries`)
}

/** @type {(project: Project, under: string) => string[]} */
function findCycles({ sources }, under) {
  const imports = new Map(sources.map((source) => [source.path, source.imports]))
  return findStronglyConnected(imports)
    .filter((group) => group.some((path) => path.startsWith(under)))
    .map((group) => `${group.length} files: ${group.toSorted().join(' ')}`)
}

/**
 * Finds the groups of files that reach each other (Tarjan).
 *
 * @param {ReadonlyMap<string, readonly string[]>} edges
 * @returns {string[][]} groups of two or more, and files that import themselves
 */
function findStronglyConnected(edges) {
  /** @type {Map<string, { index: number, low: number, isOpen: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const groups = []

  /** @param {string} node */
  function connect(node) {
    const own = { index: seen.size, low: seen.size, isOpen: true }
    seen.set(node, own)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      const known = seen.get(next)
      if (known === undefined) own.low = Math.min(own.low, connect(next).low)
      else if (known.isOpen) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) close(node)
    return own
  }
  /** @param {string} node */
  function close(node) {
    const group = stack.splice(stack.lastIndexOf(node))
    for (const member of group) Object.assign(seen.get(member) ?? {}, { isOpen: false })
    if (group.length > 1 || edges.get(node)?.includes(node) === true) groups.push(group)
  }
  for (const node of edges.keys()) if (!seen.has(node)) connect(node)
  return groups
}

/**
 * The callback of a suite lists tests, and that of a test lists steps: neither becomes clearer in pieces.
 *
 * @type {(project: Project, under: string) => string[]}
 */
function longFunctions({ sources }, under) {
  return writtenSources(sources, under).flatMap((source) =>
    namedFunctions(source)
      .filter(({ node }) => !source.isTest || !isTestCallback(node))
      .map(({ name, node }) => ({ name, node, lines: linesOf(source, node) }))
      .filter(({ lines }) => lines > longestFunction)
      .map(({ name, node, lines }) => `${source.path}:${lineOf(source, node)} ${name}: ${lines} lines`),
  )
}

const freelyNamed = /^(index|main|.*Main|.*\.config|.*\.d|vite-env|setup|inject|popup)$/

/** @type {(project: Project, under: string) => string[]} */
function misnamedFiles({ sources }, under) {
  return productSources(sources, under)
    .filter(
      ({ path }) => !path.startsWith('scripts/') && !/^[^/]+\/[^/]+\/scripts\//.test(path) && !path.endsWith('.mjs'),
    )
    .flatMap((source) => {
      const stem = basename(source.path).replace(/(\.css)?\.(ts|tsx|mts|mjs)$/, '')
      const names = exportedNames(source.tree)
      if (freelyNamed.test(stem) || names.length === 0) return []
      const isNamed = names.some((name) => name === 'default' || isNamedAfter(stem, name))
      return isNamed ? [] : [`${source.path}: exports ${names.slice(0, 4).join(', ')}`]
    })
}

/**
 * `message.ts` is named after `messageFacts`, `calls.ts` after `readCall`.
 *
 * @param {string} stem
 * @param {string} name
 */
function isNamedAfter(stem, name) {
  const [lowerName, lowerStem] = [name.toLowerCase(), stem.toLowerCase()]
  return lowerName === lowerStem || lowerName.includes(lowerStem.replace(/ies$/, 'y').replace(/s$/, ''))
}

/** @type {(project: Project, under: string) => string[]} */
function repeatedNames({ sources }, under) {
  /** @type {Map<string, string[]>} */
  const places = new Map()
  // The areas of the benchmarks implement one interface.
  const compared = productSources(sources, '').filter(({ path }) => !path.startsWith('scripts/bench/'))
  for (const source of compared) {
    for (const statement of source.tree.statements) {
      const names = topLevelFunctionNames(statement)
      for (const name of names) places.set(name, [...(places.get(name) ?? []), source.path])
    }
  }
  return [...places]
    .filter(([, paths]) => new Set(paths).size > filesPerFunctionName && paths.some((path) => path.startsWith(under)))
    .toSorted((a, b) => b[1].length - a[1].length)
    .map(
      ([name, paths]) =>
        `${name}: ${paths.length} files: ${paths
          .filter((path) => path.startsWith(under))
          .slice(0, 12)
          .join(' ')}`,
    )
}

/**
 * @param {ts.Statement} statement
 * @returns {string[]}
 */
function topLevelFunctionNames(statement) {
  if (ts.isFunctionDeclaration(statement))
    return statement.name === undefined || statement.body === undefined ? [] : [statement.name.text]
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) &&
    initializer !== undefined &&
    (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [name.text]
      : [],
  )
}

/** @type {(project: Project, under: string) => string[]} */
function forbiddenNames({ sources }, under) {
  return writtenSources(sources, under).flatMap((source) =>
    declaredNodes(source)
      .filter(({ text }) => text.split(/(?=[A-Z])|_/).some((word) => forbiddenWords.test(word.toLowerCase())))
      .map((name) => `${source.path}:${lineOf(source, name)}: ${name.text}`),
  )
}

/** @type {(project: Project, under: string) => string[]} */
function partsTypes({ sources }, under) {
  return writtenSources(sources, under).flatMap((source) =>
    [...source.text.matchAll(/^(?:export )?(?:type|interface) (\w*Parts)\b/gm)].map(
      ([, name]) => `${source.path}: ${name}`,
    ),
  )
}

/** @type {(project: Project, under: string) => string[]} */
function commentsWithOpeningWord({ sources }, under) {
  return commentViolations(sources, under, openingWord)
}

/** @type {(project: Project, under: string) => string[]} */
function vagueComments({ sources }, under) {
  return commentViolations(sources, under, vague)
}

/**
 * Strings of several words are sentences for people: errors, reasons and titles.
 *
 * @type {(project: Project, under: string) => string[]}
 */
function vagueStrings({ sources }, under) {
  return writtenSources(sources, under).flatMap((source) =>
    stringsOf(source)
      .filter(({ text }) => /\w\s+\w/.test(text) && vagueString.test(text))
      .map(({ text, line }) => `${source.path}:${line}: ${text.trim().slice(0, 90)}`),
  )
}

/**
 * @param {readonly SourceFile[]} sources
 * @param {string} under
 * @param {RegExp} pattern
 */
function commentViolations(sources, under, pattern) {
  return writtenSources(sources, under).flatMap((source) =>
    commentsOf(source)
      .filter(({ text }) => pattern.test(text))
      .map(({ text, line }) => `${source.path}:${line}: ${text.slice(0, 90)}`),
  )
}

/** @type {(project: Project, under: string) => { value: number, isMet: boolean, violations: string[] }} */
function wholeInstances(project, under) {
  const isPublic = new Set(publicFunctions(project).map(({ path, name }) => `${path} ${name}`))
  const violations = productSources(project.sources, under).flatMap((source) =>
    namedFunctions(source)
      .filter(({ node }) => takesInstance(node))
      .filter(({ name }) => !isPublic.has(`${source.path} ${name}`))
      .map(({ name, node }) => `${source.path}:${lineOf(source, node)} ${name}`),
  )
  return {
    value: violations.length,
    isMet: violations.length <= wholeInstance,
    violations: under === '' ? [] : violations,
  }
}

/** @param {ts.Node} node */
function takesInstance(node) {
  const { parameters } = /** @type {ts.SignatureDeclaration} */ (node)
  return parameters.some(({ type }) => type !== undefined && type.getText() === 'Latchkey')
}

/**
 * Creates a measure of the number of values that an entry exports.
 *
 * @param {string} entry
 * @param {number} limit
 * @returns {Measure['take']}
 */
function exportsOf(entry, limit) {
  return (project) => {
    const { length } = publicValues(project, entry)
    return { value: length, isMet: length <= limit, violations: [] }
  }
}

/** @type {(project: Project, under: string) => string[]} */
function undocumentedValues(project, under) {
  return ['@latchkey/core', '@latchkey/core/money', '@latchkey/protocol']
    .flatMap((entry) => publicValues(project, entry))
    .filter(({ path, name }) => path.startsWith(under) && !new RegExp(`\\b${name}\\b`).test(project.documents))
    .map(({ path, name }) => `${path}: ${name}`)
}

/** @type {(project: Project, under: string) => string[]} */
function unsafeCode({ sources }, under) {
  return writtenSources(sources, under)
    .filter(({ path }) => /\.tsx?$/.test(path))
    .flatMap((source) =>
      unsafeNodes(source).map((node) => `${source.path}:${lineOf(source, node)}: ${node.getText(source.tree)}`),
    )
}

/** @type {(project: Project, under: string) => { value: string, isMet: boolean, violations: string[] }} */
function measureExamples(project, under) {
  const functions = publicFunctions(project).filter(({ path }) => path.startsWith(under))
  const without = functions.filter(({ hasExample }) => !hasExample)
  const share = functions.length === 0 ? 1 : 1 - without.length / functions.length
  return {
    value: `${Math.round(share * 100)} % of ${functions.length}`,
    isMet: share >= exampleShare,
    violations: share >= exampleShare && under === '' ? [] : without.map(({ name, path }) => `${path}: ${name}`),
  }
}

/** @type {(project: Project, under: string) => string[]} */
function packagesWithoutGuard({ sources, entries }, under) {
  const roots = new Set(entries.filter(({ name }) => /^(@[^/]+\/)?[^/]+$/.test(name)).map(({ path }) => path))
  return sources
    .filter(({ path, tree }) => roots.has(path) && !exportedNames(tree).includes('isLatchkeyError'))
    .map(({ path }) => path)
    .filter((path) => path.startsWith(under))
}

/** @type {(project: Project, under: string) => string[]} */
function translationFiles({ sources }, under) {
  const language = /\/(ar|de|es|fr|hi|id|it|ja|ko|pt|ru|tr|vi|zhCN|zhTW|zh-CN|zh-TW)\.ts$/
  return writtenSources(sources, under)
    .filter(({ path }) => language.test(path))
    .map(({ path }) => path)
}

/**
 * @param {readonly SourceFile[]} sources
 * @param {string} under
 */
function productSources(sources, under) {
  return writtenSources(sources, under).filter(({ isTest }) => !isTest)
}

/**
 * @param {readonly SourceFile[]} sources
 * @param {string} under
 */
function writtenSources(sources, under) {
  return sources.filter(({ path, isGenerated }) => path.startsWith(under) && !isGenerated)
}
