import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { conclude, isMain, listFiles } from '../lib/gate.mjs'
import { hashFiles, openPassedInputs, readRules } from '../lib/passedInputs.mjs'
import { root } from '../lib/root.mjs'
import { readProject } from '../metrics/readProject.mjs'
import { exportedNames, publicValues } from '../metrics/syntax.mjs'
import { declaredNames, namesOfDocuments, toExampleModule } from './examples/toExampleModule.mjs'

/** @typedef {import('./examples/toExampleModule.mjs').Example} Example */

const prelude = 'scripts/checks/examples/prelude.d.ts'
/** The modules of frameworks that are not installed. */
const thirdPartyModules = 'scripts/checks/examples/modules.d.ts'
/** The values that the code blocks of one document use without declaring them. */
const documentModules = 'scripts/checks/examples/documents.d.ts'
/** The documents whose code blocks are examples too: all except generated ones. */
const documents = /(?<!\.api)\.md$/
/** Names of other libraries that an example without imports may use. */
const libraryNames = new Map([
  ['createPublicClient', 'viem'],
  ['createWalletClient', 'viem'],
  ['custom', 'viem'],
  ['http', 'viem'],
  ['mainnet', 'viem/chains'],
  ['optimism', 'viem/chains'],
  ['test', 'vitest'],
])

/**
 * Undeclared names of an `@example` are placeholders for the reader's own values: their type is unknown, everything else is checked.
 * Undeclared functions are errors, because they may be stale names of ours.
 */
const placeholderCodes = new Set([2304, 2552, 18004])

/**
 * Type-checks the `@example` blocks of all packages and the code blocks (`ts`, `tsx`, `js`) of all documents. An example may use the values that
 * `examples/prelude.d.ts` declares (`latchkey`, `error`, `account` …), and one without imports every public export. A code block of a document that has imports is
 * a module of the reader's app: it imports all it uses. Names that only one document uses are declared for it in `examples/documents.d.ts`.
 *
 * @param {string} folder the repository
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkExamples(folder) {
  const project = await readProject(folder)
  const blocks = await Promise.all((await listFiles(folder, documents)).map((path) => blocksOf(folder, path)))
  const comments = project.sources
    .filter(({ path, isTest, isGenerated }) => /^packages\/[^/]+\/src\//.test(path) && !isTest && !isGenerated)
    .flatMap(examplesOf)
  const examples = [...comments, ...blocks.flat()]
  const surroundings = {
    entries: new Map([...libraryNames, ...entryOfName(project)]),
    globals: declaredNames(await readFile(join(folder, prelude), 'utf8')),
    documents: namesOfDocuments(await readFile(join(folder, documentModules), 'utf8')),
  }
  const files = new Map(
    examples.map((example, index) => [virtualPath(folder, index), toExampleModule(folder, example, surroundings)]),
  )
  const program = createProgram(folder, files)
  const problems = [...files.keys()].flatMap((file, index) => problemsOf(program, file, examples[index]))
  return { problems, report: `${examples.length} examples` }
}

/**
 * @param {string} folder
 * @param {string} path of a document
 * @returns {Promise<Example[]>}
 */
async function blocksOf(folder, path) {
  const text = await readFile(join(folder, path), 'utf8')
  return [...text.matchAll(/^```(?:tsx?|js)\n([\s\S]*?)^```$/gm)].map(({ index, 1: code = '' }) => ({
    path,
    line: text.slice(0, index).split('\n').length + 1,
    code,
    exports: [],
    isDocument: true,
  }))
}

/**
 * @param {import('../metrics/readProject.mjs').SourceFile} source
 * @returns {Example[]}
 */
function examplesOf({ path, tree, text }) {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap((comment) =>
    [...comment[0].matchAll(/@example([\s\S]*?)(?=\n\s*\* @|\*\/$)/g)].map((match) => ({
      path,
      exports: exportedNames(tree),
      isDocument: false,
      line: tree.getLineAndCharacterOfPosition(comment.index + match.index).line + 1,
      code: (match[1] ?? '')
        .replace(/^\s*\* ?/gm, '')
        .replace(/^```\w*$/gm, '')
        .trim(),
    })),
  )
}

/**
 * @param {import('../metrics/readProject.mjs').Project} project
 * @returns {Map<string, string>} the entry that exports each public name; the package's main entry wins
 */
function entryOfName(project) {
  /** @type {Map<string, string>} */
  const entries = new Map()
  // Packages for other frameworks have composables with the names of the hooks.
  const rank = (/** @type {string} */ entry) => (/^@latchkey\/(vue|svelte|script)/.test(entry) ? 1 : 0)
  for (const { name: entry } of project.entries.toSorted(
    (a, b) => rank(b.name) - rank(a.name) || b.name.length - a.name.length,
  )) {
    for (const { name } of publicValues(project, entry)) entries.set(name, entry)
  }
  return entries
}

/**
 * @param {string} folder
 * @param {number} index
 */
function virtualPath(folder, index) {
  // A folder of the repository, so that package names resolve; apps/web depends on every package.
  return join(folder, 'apps/web', `example-${index}.tsx`)
}

/**
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} files
 */
function createProgram(folder, files) {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.check.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [prelude] }, ts.sys, folder)
  const relaxed = {
    ...options,
    // An example may import a module that its package does not export, so all modules are read from their sources.
    customConditions: ['source'],
    noUnusedLocals: false,
    allowJs: false,
    checkJs: false,
    allowImportingTsExtensions: true,
    noEmit: true,
    rewriteRelativeImportExtensions: false,
  }
  const host = ts.createCompilerHost(relaxed)
  const { fileExists, readFile: read, getSourceFile } = host
  host.fileExists = (path) => files.has(path) || fileExists(path)
  host.readFile = (path) => files.get(path) ?? read(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = files.get(path)
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target)
  }
  return ts.createProgram(
    [
      join(folder, prelude),
      join(folder, thirdPartyModules),
      join(folder, documentModules),
      join(folder, 'apps/web/src/vite-env.d.ts'),
      ...files.keys(),
    ],
    relaxed,
    host,
  )
}

/**
 * @param {ts.Program} program
 * @param {string} file
 * @param {Example | undefined} example
 */
function problemsOf(program, file, example) {
  const source = program.getSourceFile(file)
  if (source === undefined || example === undefined) return []
  const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  return diagnostics
    .filter(
      ({ code, start = 0, length = 0 }) =>
        example.isDocument || !placeholderCodes.has(code) || source.text[start + length] === '(',
    )
    .map(({ messageText, start = 0 }) => {
      // The first line of the module is not part of the example.
      const line = example.line + Math.max(source.getLineAndCharacterOfPosition(start).line - 1, 0)
      return `${example.path}:${line}: the example fails: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
}

/** Examples depend on the documents and on the declarations of the packages, which contain their comments. Requires the build. */
async function contentsOf() {
  const packages = readdirSync(join(root, 'packages')).map((name) =>
    hashFiles(join(root, 'packages', name, 'dist'), /\.d\.ts$/),
  )
  return [
    ...packages,
    ...[prelude, thirdPartyModules, documentModules, ...(await listFiles(root, documents))].map((path) =>
      readFileSync(join(root, path), 'utf8'),
    ),
  ]
}

/** @returns {Promise<import('../lib/gate.mjs').Finding>} */
async function checkChangedExamples() {
  const rules = readRules(root, [
    'scripts/checks/check-examples.mjs',
    'scripts/checks/examples/toExampleModule.mjs',
    'tsconfig.check.json',
    'tsconfig.base.json',
  ])
  const passed = openPassedInputs(join(root, '.latchkey/checks/examples.json'), rules)
  const contents = await contentsOf()
  if (passed.has('examples', ...contents)) return { problems: [], report: 'no example has changed' }
  const finding = await checkExamples(root)
  if (finding.problems.length === 0) passed.add('examples', ...contents)
  passed.save()
  return finding
}

if (isMain(import.meta.url)) conclude(await checkChangedExamples())
