import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { conclude, isMain, listFiles } from '../lib/gate.mjs'
import { layers } from '../lib/layers.mjs'
import { openPassedInputs, readRules } from '../lib/passedInputs.mjs'
import { readSource } from '../lib/readSource.mjs'
import { root } from '../lib/root.mjs'

/** @typedef {import('../lib/layers.mjs').Layers} Layers */
/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

const sourceFile = /\.(ts|tsx|mts|mjs|js)$/
const testPath = '(\\.(test|spec|faults|abuse|pictures)\\.tsx?$|/(e2e|testing)/)'
const configurationPath = '\\.config\\.ts$'
/** Everything that can be an import. A string that only looks like one does no harm. */
const importStatement = /\b(?:import|export)\b[^'"`;]*\bfrom\s*['"][^'"]*['"]|\bimport\s*\(?\s*['"`][^'"`]*['"`]/g
const namespace = /^(eip155|solana|polkadot|bip122)(:|$)/

/**
 * Checks all imports of a repository against its layers: direction, package entries, cycles, database drivers, namespaces.
 *
 * @param {string} folder the repository
 * @param {Layers} layers
 * @param {import('../lib/passedInputs.mjs').PassedInputs} [passed] skips the imports if all of them passed before
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkLayers(folder, layers, passed) {
  const paths = await listFiles(folder, sourceFile)
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })),
  )
  const problems = [
    ...sourcesWithoutLayer(paths, layers),
    ...(await newImportProblems(folder, sources, layers, passed)),
    ...sources.flatMap((source) => namespaceProblems(source, layers, passed)),
  ]
  passed?.save()
  return { problems }
}

/** @typedef {{ path: string, text: string }} Source */

/**
 * Checks the imports, unless they passed before. The result depends on the imports and on the manifests that resolve them.
 *
 * @param {string} folder
 * @param {readonly Source[]} sources
 * @param {Layers} layers
 * @param {import('../lib/passedInputs.mjs').PassedInputs} [passed]
 * @returns {Promise<string[]>}
 */
async function newImportProblems(folder, sources, layers, passed) {
  const manifests = await listFiles(folder, /(^|\/)(package|tsconfig[^/]*)\.json$/)
  const contents = [
    ...sources.map(({ path, text }) => [path, ...text.matchAll(importStatement)].join('\n')),
    ...(await Promise.all(manifests.map((path) => readFile(join(folder, path), 'utf8')))),
  ]
  if (passed?.has('imports', ...contents) === true) return []
  const paths = sources.map(({ path }) => path)
  const problems = await importProblems(folder, paths, layers)
  if (problems.length === 0) passed?.add('imports', ...contents)
  return problems
}

/**
 * Finds sources outside all workspaces.
 *
 * @param {readonly string[]} paths
 * @param {Layers} layers
 */
function sourcesWithoutLayer(paths, { arrows }) {
  const workspaces = Object.keys(arrows)
  return paths
    .filter((path) => path.includes('/') && !path.startsWith('scripts/'))
    .filter((path) => !workspaces.some((workspace) => path.startsWith(`${workspace}/`)))
    .map((path) => `${path}: its workspace is missing from scripts/lib/layers.mjs`)
}

/**
 * @param {string} folder
 * @param {readonly string[]} paths
 * @param {Layers} layers
 * @returns {Promise<string[]>}
 */
async function importProblems(folder, paths, layers) {
  const { output } = await cruise(
    [...paths],
    {
      ruleSet: { forbidden: rulesFor(layers) },
      validate: true,
      baseDir: folder,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '(^|/)(dist|\\.latchkey|test-results)/' },
    },
    {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  )
  if (typeof output === 'string') throw new Error('dependency-cruiser returned a report instead of a result')
  return output.summary.violations.map(({ from, to, rule, cycle }) =>
    cycle === undefined
      ? `${from}: imports ${to}: ${reasons[rule.name.split(':')[0] ?? ''] ?? rule.name}`
      : `import cycle: ${[from, ...cycle.map(({ name }) => name)].join(' → ')}`,
  )
}

/** @type {Record<string, string>} */
const reasons = {
  layer: 'the layers forbid it',
  relative: 'a relative path must not leave the workspace; import the package by its name',
  entry: 'package.json does not export this entry, or the workspace does not exist',
  driver: 'only server/src/kit may import a database driver',
  testing: 'product code must not import test helpers',
  internal: 'apps use the public entries of packages',
}

/**
 * @param {Layers} layers
 * @returns {Rule[]}
 */
function rulesFor({ arrows, inTests, tooling, drivers, knowsDrivers }) {
  const workspaces = Object.keys(arrows)
  /** @type {Rule[]} */
  const rules = [
    { name: 'cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'entry', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^@latchkey/' } },
    {
      name: 'driver',
      severity: 'error',
      from: { pathNot: [testPath, ...knowsDrivers.map((place) => `^${place}`)] },
      to: {
        path: drivers.flatMap((driver) => [`^${driver}$`, `node_modules/${driver}/`]),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'testing',
      severity: 'error',
      from: {
        path: '^(packages|server|apps)/',
        pathNot: [testPath, configurationPath, '^packages/testkit/', '^apps/web/e2e/'],
      },
      to: { path: '^(packages|server|apps)/.*/testing/' },
    },
    {
      name: 'internal',
      severity: 'error',
      from: { path: '^apps/', pathNot: [testPath, '^apps/frame/'] },
      to: { path: '^packages/[^/]+/src/internal' },
    },
    ...workspaces.flatMap((workspace) => workspaceRules(workspace, workspaces, { arrows, inTests, tooling })),
  ]
  // An empty list of paths would match every path.
  return rules.filter(({ to }) => !Array.isArray(to.path) || to.path.length > 0)
}

/**
 * @param {string} workspace
 * @param {readonly string[]} workspaces
 * @param {Pick<Layers, 'arrows' | 'inTests' | 'tooling'>} layers
 * @returns {Rule[]}
 */
function workspaceRules(workspace, workspaces, { arrows, inTests, tooling }) {
  const allowed = [workspace, ...(arrows[workspace] ?? [])]
  const others = (/** @type {readonly string[]} */ known) =>
    workspaces.filter((other) => !known.includes(other)).map((other) => `^${other}/`)
  const own = `^${workspace}/`
  const outside = {
    path: ['^[^/]', '^\\.\\.'],
    pathNot: [own, 'node_modules'],
    dependencyTypes: /** @type {import('dependency-cruiser').DependencyType[]} */ (['local']),
  }
  const tools = tooling.map((place) => `^${place}`)
  return [
    {
      name: `layer:${workspace}`,
      severity: 'error',
      from: { path: own, pathNot: testPath },
      to: { path: others(allowed) },
    },
    {
      name: `layer:${workspace} tests`,
      severity: 'error',
      from: { path: `${own}.*${testPath}` },
      to: { path: others([...allowed, ...inTests]) },
    },
    {
      name: `relative:${workspace}`,
      severity: 'error',
      from: { path: own, pathNot: [testPath, configurationPath] },
      to: outside,
    },
    {
      name: `relative:${workspace} tests`,
      severity: 'error',
      from: { path: [`${own}.*${testPath}`, `${own}.*${configurationPath}`] },
      to: { ...outside, pathNot: [...outside.pathNot, ...tools] },
    },
  ]
}

/**
 * Finds literals that name a namespace outside the adapters.
 *
 * @param {Source} source
 * @param {Layers} layers
 * @param {import('../lib/passedInputs.mjs').PassedInputs} [passed]
 * @returns {string[]}
 */
function namespaceProblems({ path, text }, { namesNamespaces }, passed) {
  if (new RegExp(testPath).test(path) || namesNamespaces.some((place) => path.startsWith(place))) return []
  if (passed?.has(path, text) === true) return []
  const problems = readSource(path, text)
    .literals.filter((literal) => namespace.test(literal.text))
    .map((literal) => `${path}:${literal.line}: only an adapter may name the namespace '${literal.text}'`)
  if (problems.length === 0) passed?.add(path, text)
  return problems
}

if (isMain(import.meta.url)) {
  const rules = readRules(root, ['scripts/checks/check-layers.mjs', 'scripts/lib/layers.mjs'])
  conclude(await checkLayers(root, layers, openPassedInputs(join(root, '.latchkey/checks/layers.json'), rules)))
}
