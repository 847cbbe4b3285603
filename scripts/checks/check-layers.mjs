import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { conclude, isMain, listFiles } from '../lib/gate.mjs'
import { layers } from '../lib/layers.mjs'
import { readSource } from '../lib/readSource.mjs'
import { root } from '../lib/root.mjs'

/** @typedef {import('../lib/layers.mjs').Layers} Layers */
/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

const sourceFile = /\.(ts|tsx|mts|mjs|js)$/
const testPath = '(\\.(test|spec|faults|abuse|pictures)\\.tsx?$|/(e2e|interop|testing)/)'
const configurationPath = '\\.config\\.ts$'
const namespace = /^(eip155|solana|polkadot|bip122)(:|$)/

/**
 * Checks all imports of a repository against its layers: direction, package entries, cycles, database drivers, namespaces.
 *
 * @param {string} folder the repository
 * @param {Layers} layers
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkLayers(folder, layers) {
  const paths = await listFiles(folder, sourceFile)
  const problems = await Promise.all([
    sourcesWithoutLayer(paths, layers),
    importProblems(folder, paths, layers),
    namespaceProblems(folder, paths, layers),
  ])
  return { problems: problems.flat() }
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
 * @param {string} folder
 * @param {readonly string[]} paths
 * @param {Layers} layers
 * @returns {Promise<string[]>}
 */
async function namespaceProblems(folder, paths, { namesNamespaces }) {
  const checked = paths.filter(
    (path) => !new RegExp(testPath).test(path) && !namesNamespaces.some((place) => path.startsWith(place)),
  )
  const problems = await Promise.all(
    checked.map(async (path) =>
      readSource(path, await readFile(join(folder, path), 'utf8'))
        .literals.filter(({ text }) => namespace.test(text))
        .map(({ text, line }) => `${path}:${line}: only an adapter may name the namespace '${text}'`),
    ),
  )
  return problems.flat()
}

if (isMain(import.meta.url)) conclude(await checkLayers(root, layers))
