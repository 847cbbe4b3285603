import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Extractor } from '@microsoft/api-extractor'
import { build } from 'vite'
import { prepareExtractor, silenceMessage } from '../release/prepareExtractor.mjs'
import { loadChunkGroups } from './chunkGroups.mjs'

/**
 * @typedef {object} Manifest
 * @property {Record<string, Record<string, string>>} exports
 * @property {string[]} files
 */

/**
 * Writes a package as it is published: few modules, cut where apps load them, instead of one per source file. Requires
 * the build of the package with tsc.
 *
 * @param {string} folder the package
 * @param {string} target an empty folder
 */
export async function bundlePackage(folder, target) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  mkdirSync(target, { recursive: true })
  for (const name of ['README.md', 'LICENSE']) cpSync(join(folder, name), join(target, name))
  await writeModules(join(folder, 'src'), join(target, 'dist'), entriesOf(manifest, 'source'))
  const types = entriesOf(manifest, 'types')
  const [entry] = types
  // Two entries with one file each would have two copies of the types that they share.
  if (types.length === 1 && entry !== undefined) rollUpTypes(folder, entry, join(target, 'dist', entry))
  else copyTypes(join(folder, 'dist'), join(target, 'dist'), types)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

/**
 * Builds the package for script tags as one minified file, which needs no bundler. Writes its hash for the attribute
 * `integrity` next to it.
 *
 * @param {string} folder the package
 * @param {string} outDir
 * @returns {Promise<string>} the hash, such as `sha384-…`
 */
export async function bundleScript(folder, outDir) {
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    resolve: { conditions: ['source', 'module', 'browser'] },
    // A test runner sets NODE_ENV, which would select the runtime for development.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: false,
      minify: true,
      target: 'es2022',
      lib: { entry: join(folder, 'src/index.ts'), formats: ['es'], fileName: () => 'latchkey.js' },
      // A page verifies one file with one hash.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const integrity = `sha384-${createHash('sha384')
    .update(readFileSync(join(outDir, 'latchkey.js')))
    .digest('base64')}`
  writeFileSync(join(outDir, 'integrity.json'), `${JSON.stringify({ 'latchkey.js': integrity }, null, 2)}\n`)
  return integrity
}

/**
 * @param {Manifest} manifest
 * @param {'types' | 'source'} condition
 * @returns {string[]} the files of the entries, relative to `dist` or `src`
 */
function entriesOf({ exports }, condition) {
  return Object.values(exports).map((entry) => String(entry[condition]).replace(/^\.\/\w+\//, ''))
}

/**
 * @param {string} sources
 * @param {string} outDir
 * @param {readonly string[]} entries
 */
async function writeModules(sources, outDir, entries) {
  const groups = await loadChunkGroups()
  await build({
    configFile: false,
    root: sources,
    logLevel: 'error',
    resolve: { conditions: ['source'] },
    // A test runner sets NODE_ENV, which would select the runtime for development.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      outDir,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      target: 'es2022',
      lib: {
        entry: Object.fromEntries(entries.map((path) => [withoutExtension(path), join(sources, path)])),
        formats: ['es'],
      },
      rolldownOptions: {
        external: (id) => !/^[./\0]/.test(id) && !inlined.includes(id),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: ({ facadeModuleId, name }) =>
            `${facadeModuleId ? withoutExtension(relative(sources, facadeModuleId)) : name}.js`,
          codeSplitting: { groups },
        },
      },
    },
  })
}

/** @param {string} path */
function withoutExtension(path) {
  return path.replace(/\.[^./]+$/, '')
}

/** Functions without state that all adapters share. A copy in each adapter saves apps a request. */
const inlined = ['@latchkey/adapter-kit']

/**
 * Writes the type declarations of an entry into one file.
 *
 * @param {string} folder the package
 * @param {string} entry relative to `dist`
 * @param {string} file
 */
function rollUpTypes(folder, entry, file) {
  const config = prepareExtractor(folder, join(folder, 'dist', entry), {
    dtsRollup: { enabled: true, untrimmedFilePath: file },
  })
  Extractor.invoke(config, { localBuild: true, messageCallback: silenceMessage })
}

/**
 * Copies the type declarations that the entries need.
 *
 * @param {string} compiled
 * @param {string} outDir
 * @param {readonly string[]} entries
 */
function copyTypes(compiled, outDir, entries) {
  /** @type {Set<string>} */
  const copied = new Set()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (copied.has(path)) continue
    copied.add(path)
    const text = readFileSync(join(compiled, path), 'utf8')
    mkdirSync(dirname(join(outDir, path)), { recursive: true })
    writeFileSync(join(outDir, path), text)
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?['"](\.[^'"]+)['"]/g)) {
      waiting.push(join(dirname(path), specifier.replace(/\.(js|tsx?)$/, '.d.ts')))
    }
  }
}

/**
 * Leaves out the sources, which the source maps contain.
 *
 * @param {Manifest} manifest
 */
function publishedManifest(manifest) {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, { types, default: module }]) => [name, { types, default: module }]),
  )
  return { ...manifest, files: ['dist'], exports }
}
