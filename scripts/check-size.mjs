import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { conclude, isMain, table } from './gate.mjs'
import { root } from './lib/root.mjs'

/**
 * What one import statement may cost a visitor, in kB (1000 bytes) after minification and gzip.
 *
 * @typedef {object} Budget
 * @property {string} name
 * @property {Record<string, string[]>} imports names by package
 * @property {number} eager what loads before the first line runs
 * @property {string[]} [opened] sources imported lazily, whose chunks count as eager too
 * @property {number} [lazy] what can load later, all together
 */

/** @typedef {{ eager: number, lazy: number, missing: string[] }} Size in bytes; the opened sources that are no chunk */

/**
 * Bundles every import statement as an app would and compares it with its budget.
 *
 * @param {string} folder where the packages are resolved from
 * @param {readonly Budget[]} budgets
 * @returns {Promise<import('./gate.mjs').Finding>}
 */
export async function checkSizes(folder, budgets) {
  /** @type {string[]} */
  const problems = []
  const rows = [['import', 'eager', 'budget', 'lazy', 'budget']]
  for (const budget of budgets) {
    const { eager, lazy, missing } = await measure(folder, budget)
    const lazyLimit = budget.lazy === undefined ? '' : `${budget.lazy} kB`
    rows.push([budget.name, kilobytes(eager), `${budget.eager} kB`, lazy === 0 ? '' : kilobytes(lazy), lazyLimit])
    problems.push(
      ...missing.map((source) => `${budget.name}: ${source} is not a chunk of its own`),
      ...overBudget(`${budget.name}, eager`, eager, budget.eager),
      ...overBudget(`${budget.name}, lazy`, lazy, budget.lazy),
    )
  }
  return { problems, report: table(rows) }
}

/**
 * @param {string} folder
 * @param {Budget} budget
 * @returns {Promise<Size>}
 */
async function measure(folder, { imports, opened = [] }) {
  const contents = Object.entries(imports)
    .map(([from, names]) => `export { ${names.join(', ')} } from '${from}'`)
    .join('\n')
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: 'app.js' },
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    outdir: 'dist',
    write: false,
    metafile: true,
    logLevel: 'silent',
    conditions: ['source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react', 'react/*', 'react-dom', 'react-dom/*'],
    plugins: [stylesheetsAsText],
  })
  const outputs = Object.entries(metafile.outputs)
  const starts = outputs.filter(([, { entryPoint }]) => entryPoint === 'app.js' || opened.includes(entryPoint ?? ''))
  const eager = withStaticImports(
    starts.map(([path]) => path),
    metafile,
  )
  const sizes = new Map(outputFiles.map(({ path, contents: code }) => [path, gzipSync(code, { level: 9 }).length]))
  /** @param {readonly string[]} paths */
  const sum = (paths) =>
    [...sizes]
      .filter(([path]) => paths.some((end) => path.endsWith(`/${end}`)))
      .reduce((all, [, size]) => all + size, 0)
  return {
    eager: sum([...eager]),
    lazy: sum(outputs.map(([path]) => path).filter((path) => !eager.has(path))),
    missing: opened.filter((source) => !outputs.some(([, { entryPoint }]) => entryPoint === source)),
  }
}

/**
 * The chunks that load together with some.
 *
 * @param {readonly string[]} paths
 * @param {import('esbuild').Metafile} metafile
 */
function withStaticImports(paths, metafile) {
  /** @type {Set<string>} */
  const reached = new Set()
  /** @param {string} path */
  function reach(path) {
    if (reached.has(path)) return
    reached.add(path)
    for (const { kind, path: next, external } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) reach(next)
    }
  }
  paths.forEach(reach)
  return reached
}

/**
 * Our stylesheets are texts in the code, adopted by the shadow root (`import css from './a.css?inline'`).
 *
 * @type {import('esbuild').Plugin}
 */
const stylesheetsAsText = {
  name: 'stylesheets as text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.css\?inline$/ }, async ({ path, resolveDir }) => ({
      path: new URL(path.replace(/\?inline$/, ''), `file://${resolveDir}/`).pathname,
      namespace: 'stylesheet',
    }))
    onLoad({ filter: /./, namespace: 'stylesheet' }, async ({ path }) => ({
      contents: (await build({ entryPoints: [path], minify: true, write: false })).outputFiles[0]?.text ?? '',
      loader: 'text',
    }))
  },
}

/**
 * @param {string} what
 * @param {number} bytes
 * @param {number | undefined} budget
 */
function overBudget(what, bytes, budget) {
  if (budget === undefined || bytes <= budget * 1000) return []
  return [`${what}: ${kilobytes(bytes)} is over its budget of ${budget} kB`]
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(2)} kB`
}

if (isMain(import.meta.url)) {
  const budgets = JSON.parse(await readFile(new URL('size-budgets.json', import.meta.url), 'utf8'))
  conclude(await checkSizes(root, budgets))
}
