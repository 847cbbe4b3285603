// npm run build: builds all packages with tsc, the apps with Vite, and the documentation with VitePress. Skips products whose sources have not changed.
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { fingerprint, readMarks, writeMarks } from './lib/fingerprint.mjs'
import { root } from './lib/root.mjs'
import { run } from './lib/run.mjs'

/**
 * @typedef {object} Product
 * @property {string} name
 * @property {readonly string[]} sources
 * @property {readonly string[]} results
 * @property {readonly string[]} command arguments of Node.js
 * @property {string} [folder] working directory of the command
 * @property {string} [site] the folder of a site, whose files are also compressed
 */

const marksFile = join(root, '.latchkey/build.json')
const shared = ['packages', 'package-lock.json', 'tsconfig.base.json']

/** @type {Product} */
const packages = {
  name: 'all packages',
  sources: [...shared, 'server', 'devnet', 'tsconfig.json'],
  results: [
    'server/dist/main.js',
    'devnet/dist/index.js',
    'packages/core/dist/index.js',
    'packages/testkit/dist/index.js',
  ],
  command: ['node_modules/ts7/bin/tsc', '-b', 'tsconfig.json'],
}

/** The packages that run in Node.js. The apps are bundled from the sources. @type {Product} */
const programs = {
  name: 'server and local world',
  sources: [...shared, 'server', 'devnet'],
  results: ['server/dist/main.js', 'devnet/dist/index.js'],
  command: ['node_modules/ts7/bin/tsc', '-b', 'server', 'devnet'],
}

/** The packages that the server runs with, for the operator's scanners. @type {Product} */
const sbom = {
  name: 'the list of the packages of the server',
  sources: ['package-lock.json', 'server/scripts/createSbom.mjs'],
  results: ['server/dist/sbom.json'],
  command: ['server/scripts/createSbom.mjs', 'server/dist/sbom.json'],
}

/** The web app, and the module with which its host renders the pages. @type {Product} */
const web = {
  ...describeApp('web'),
  sources: [...shared, 'apps/web', 'scripts/lib/chunkGroups.mjs'],
  results: ['apps/web/dist/index.html', '.latchkey/web/renderPages.js'],
}

// The files of the frame are exactly those of its signed list.
const apps = [
  describeSite(web),
  describeSite(describeApp('wallet')),
  describeApp('vanilla'),
  describeApp('frame', 'manifest.json'),
]

const toPackagesPath = (/** @type {string} */ path) => `packages/${path}`
const toReactPath = (/** @type {string} */ path) => `packages/react/src/${path}`

/** The documentation site. Its reference pages are generated from sources of the packages. */
const docs = describeSite({
  name: 'apps/docs',
  sources: [
    'docs',
    'apps/docs',
    'apps/web/public',
    'package-lock.json',
    'CONTRIBUTING.md',
    ...['server', 'devnet', 'faults', 'apps/frame', 'apps/vanilla', 'apps/wallet'].map(
      (folder) => `${folder}/README.md`,
    ),
    ...readdirSync(join(root, 'packages')).flatMap((name) => [`packages/${name}/README.md`, `packages/${name}/api`]),
    // The generated reference pages.
    ...['core/src/instance', 'modal/messages/en.json', 'modal/src/navigation', 'modal/src/modalEvents.ts'].map(
      toPackagesPath,
    ),
    ...['button', 'hooks', 'LatchkeyProvider.tsx', 'context.ts', 'index.ts', 'useTheme.ts'].map(toReactPath),
    ...['evm', 'solana', 'bitcoin', 'polkadot'].map((name) => `packages/${name}/src/${name}.ts`),
    ...['walletconnect/src/connector/walletConnect.ts', 'walletconnect/src/dapp/dapp.ts'].map(toPackagesPath),
    ...['embedded/src/embeddedOptions.ts', 'wagmi/src/latchkeyConnector.ts'].map(toPackagesPath),
  ],
  results: ['apps/docs/dist/index.html'],
  command: ['build.mjs'],
  folder: 'apps/docs',
})

/**
 * @param {string} name
 * @param {string} result a file that exists after the build
 * @returns {Product}
 */
function describeApp(name, result = 'index.html') {
  return {
    name: `apps/${name}`,
    sources: [...shared, `apps/${name}`],
    results: [`apps/${name}/dist/${result}`],
    command: [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    folder: `apps/${name}`,
  }
}

/**
 * A product whose files are also compressed.
 *
 * @param {Product} product
 * @returns {Product}
 */
function describeSite(product) {
  const folder = `${product.folder}/dist`
  return { ...product, site: folder, results: [...product.results, `${folder}/index.html.br`] }
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
/** Browsers accept Brotli only with HTTPS or from this machine. */
const encodings = [
  { extension: 'br', compress: (/** @type {Buffer} */ bytes) => promisify(brotliCompress)(bytes, brotliOptions) },
  { extension: 'gz', compress: promisify(gzip) },
]

/**
 * Compresses the text files of a site, next to the originals.
 *
 * @param {string} folder
 */
async function compressTexts(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((each) => /\.(html|js|css|svg|md|txt)$/.test(each))) {
    const bytes = await readFile(join(folder, name))
    for (const { extension, compress } of encodings) {
      const file = join(folder, `${name}.${extension}`)
      // The site may be served during the build, so each file appears only when complete.
      await writeFile(`${file}.part`, await compress(bytes))
      await rename(`${file}.part`, file)
    }
  }
}

/**
 * Builds what `npm start` runs.
 *
 * @param {AbortSignal} [signal]
 * @throws {Error} with the last lines of the compiler or bundler.
 */
export async function build(signal) {
  await makeProducts([programs, sbom, ...apps], signal)
}

/**
 * Builds the products of `npm start` and all packages.
 *
 * @throws {Error} with the last lines of the compiler or bundler.
 */
export async function buildAll() {
  await makeProducts([packages, sbom, ...apps, docs])
}

/**
 * Builds the documentation.
 *
 * @param {AbortSignal} [signal]
 * @throws {Error} with the last lines of the generator, for example if a link leads to no page.
 */
export async function buildDocs(signal) {
  await makeProducts([docs], signal)
}

/**
 * Builds what `npm run dev` runs, where Vite serves the apps from their sources.
 *
 * @param {AbortSignal} [signal]
 */
export async function buildPrograms(signal) {
  await makeProducts([programs], signal)
}

/**
 * Shows which products are being built, and for how long: on a terminal as one line that changes, elsewhere as a line for each
 * finished product.
 *
 * @param {readonly string[]} names
 */
function showProgress(names) {
  const { isTTY, columns = 80 } = process.stdout
  const startedAt = performance.now()
  const waiting = new Set(names)
  const elapsed = () => `${Math.round((performance.now() - startedAt) / 1000)} s`
  const draw = () => {
    const line = `Building, ${names.length - waiting.size} of ${names.length} done after ${elapsed()}: ${[...waiting].join(', ')} …`
    process.stdout.write(`\r\u001B[K${line.slice(0, columns - 1)}`)
  }
  const timer = isTTY ? setInterval(draw, 1000) : undefined
  if (isTTY) draw()
  else console.log(`Building ${names.join(', ')} …`)
  return {
    /** @param {string} name */
    finish(name) {
      waiting.delete(name)
      const done = names.length - waiting.size
      if (!isTTY) console.log(`  built ${name} after ${elapsed()} (${done} of ${names.length})`)
    },
    end() {
      clearInterval(timer)
      if (isTTY)
        process.stdout.write(`\r\u001B[KBuilt ${names.length - waiting.size} of ${names.length} in ${elapsed()}.\n`)
    },
  }
}

/**
 * @param {readonly Product[]} wanted
 * @param {AbortSignal} [signal]
 */
async function makeProducts(wanted, signal) {
  const marks = readMarks(marksFile)
  const stale = wanted
    .map((product) => ({ ...product, mark: fingerprint(product.sources.map((source) => join(root, source))) }))
    .filter(({ name, mark, results }) => marks[name] !== mark || results.some((file) => !existsSync(join(root, file))))
  if (stale.length === 0) return
  const progress = showProgress(stale.map(({ name }) => name))
  const outcomes = await Promise.allSettled(
    stale.map(async ({ name, command, folder = '.', site: built, mark }) => {
      await run(`The build of ${name}`, command, { cwd: join(root, folder), signal })
      if (built !== undefined) await compressTexts(join(root, built))
      marks[name] = mark
      progress.finish(name)
    }),
  )
  progress.end()
  writeMarks(marksFile, marks)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildAll()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
