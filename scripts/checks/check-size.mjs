import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { conclude, isMain, formatTable } from '../lib/gate.mjs'
import { root } from '../lib/root.mjs'

/**
 * The size limits of an import statement, in kB (1000 bytes) after minification and gzip.
 *
 * @typedef {object} Budget
 * @property {string} name
 * @property {Record<string, string[]>} imports names by package
 * @property {number} eager the code that loads before the first statement runs
 * @property {string[]} [external] packages that the app has in any case, besides React
 * @property {string[]} [opened] sources imported lazily, whose chunks count as eager too
 * @property {number} [lazy] all code that can load later
 */

/** @typedef {{ eager: number, lazy: number, missing: string[] }} Size sizes in bytes; `missing`: opened sources without a chunk */

/**
 * Bundles every import statement as an app would and compares it with its budget.
 *
 * @param {string} folder the folder from which packages are resolved
 * @param {readonly Budget[]} budgets
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkSizes(folder, budgets) {
  /** @type {string[]} */
  const problems = []
  const rows = [['import', 'eager', 'budget', 'lazy', 'budget']]
  for (const budget of budgets) {
    const { eager, lazy, missing } = await measureBudget(folder, budget)
    const lazyLimit = budget.lazy === undefined ? '' : `${budget.lazy} kB`
    rows.push([
      budget.name,
      formatKilobytes(eager),
      `${budget.eager} kB`,
      lazy === 0 ? '' : formatKilobytes(lazy),
      lazyLimit,
    ])
    problems.push(
      ...missing.map((source) => `${budget.name}: ${source} is not a separate chunk`),
      ...listOverBudget(`${budget.name}, eager`, eager, budget.eager),
      ...listOverBudget(`${budget.name}, lazy`, lazy, budget.lazy),
    )
  }
  return { problems, report: formatTable(rows) }
}

/**
 * @param {string} folder
 * @param {Budget} budget
 * @returns {Promise<Size>}
 */
async function measureBudget(folder, { imports, opened = [], external = [] }) {
  const contents = Object.entries(imports)
    .map(([from, names]) => `export { ${names.join(', ')} } from '${from}'`)
    .join('\n')
  const chunks = await bundleEntry(join(folder, 'app.js'), contents, external)
  const starts = chunks.filter(({ isEntry, facadeModuleId }) => isEntry || isOneOf(opened, facadeModuleId))
  const eager = withStaticImports(starts, chunks)
  /** @param {readonly Chunk[]} some */
  const sum = (some) => some.reduce((all, { code }) => all + gzipSync(code, { level: 9 }).length, 0)
  return {
    eager: sum(chunks.filter((chunk) => eager.has(chunk))),
    lazy: sum(chunks.filter((chunk) => !eager.has(chunk))),
    missing: opened.filter((source) => !chunks.some(({ facadeModuleId }) => isOneOf([source], facadeModuleId))),
  }
}

/** @typedef {Extract<import('vite').Rolldown.RolldownOutput['output'][number], { type: 'chunk' }>} Chunk */

/**
 * Bundles a virtual module like the production build of an app.
 *
 * @param {string} entry
 * @param {string} contents
 * @param {readonly string[]} external
 * @returns {Promise<Chunk[]>}
 */
async function bundleEntry(entry, contents, external) {
  const result = await build({
    configFile: false,
    root: dirname(entry),
    logLevel: 'silent',
    resolve: { conditions: ['source', 'module', 'browser'] },
    plugins: [
      {
        name: 'the app',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? contents : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: {
        external: new RegExp(`^(${['react', 'react-dom', ...external].join('|')})($|/)`),
        // Vite doesn't minify ES module libraries completely, so this minifies them.
        output: { minify: true },
        // Apps have no library entry: code shared with a lazy chunk stays in the entry.
        preserveEntrySignatures: 'allow-extension',
      },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs.flatMap((output) => ('output' in output ? output.output.filter((item) => item.type === 'chunk') : []))
}

/**
 * @param {readonly string[]} sources
 * @param {string | null} module
 */
function isOneOf(sources, module) {
  return module !== null && sources.some((source) => module.endsWith(`/${source}`))
}

/**
 * Returns the chunks that load together with the given chunks.
 *
 * @param {readonly Chunk[]} starts
 * @param {readonly Chunk[]} chunks
 */
function withStaticImports(starts, chunks) {
  /** @type {Set<Chunk>} */
  const reached = new Set()
  /** @param {Chunk} chunk */
  function reach(chunk) {
    if (reached.has(chunk)) return
    reached.add(chunk)
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) reach(other)
  }
  starts.forEach(reach)
  return reached
}

/**
 * @param {string} what
 * @param {number} bytes
 * @param {number | undefined} budget
 */
function listOverBudget(what, bytes, budget) {
  if (budget === undefined || bytes <= budget * 1000) return []
  return [`${what}: ${formatKilobytes(bytes)} is over its budget of ${budget} kB`]
}

/** @param {number} bytes */
function formatKilobytes(bytes) {
  return `${(bytes / 1000).toFixed(2)} kB`
}

if (isMain(import.meta.url)) {
  const budgets = JSON.parse(await readFile(new URL('size-budgets.json', import.meta.url), 'utf8'))
  conclude(await checkSizes(root, budgets))
}
