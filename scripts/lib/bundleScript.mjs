import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/**
 * Builds the package for script tags as one minified file, which needs no bundler. Writes its hash for the attribute
 * `integrity` beside it.
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
