// Packs the packages, installs them into a new app, and builds it as a user of the packages does.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { packPackage } from '../lib/packPackage.mjs'
import { root } from '../lib/root.mjs'
import { serveCompressed } from './serveCompressed.mjs'

const run = promisify(execFile)
const used = ['protocol', 'core', 'modal', 'adapter-kit', 'evm', 'react']
/** Each page is an app of its own. Chunks that pages share would add requests. */
const pages = ['index', 'floor', 'bare']
/** Dependencies that the app has without Latchkey. */
const own = ['react', 'react-dom', 'viem']

/**
 * @typedef {object} Consumer
 * @property {string} url
 * @property {string} root the folder with the built pages
 * @property {readonly string[]} added the packages that Latchkey adds to an app with React and viem
 * @property {() => Promise<void>} close
 */

/**
 * Creates, installs, builds and serves the app.
 *
 * @returns {Promise<Consumer>}
 */
export async function startConsumer() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-consumer-'))
  const app = join(folder, 'app')
  try {
    cpSync(fileURLToPath(new URL('consumer/', import.meta.url)), app, { recursive: true })
    const added = await install(folder, app)
    const outDir = join(app, 'dist')
    for (const page of pages) {
      await build({
        root: app,
        configFile: false,
        logLevel: 'error',
        plugins: [react()],
        build: { outDir, emptyOutDir: false, rolldownOptions: { input: join(app, `${page}.html`) } },
      })
    }
    const server = await serveCompressed(outDir)
    const close = async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
    return { url: server.url, root: outDir, added, close }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * @param {string} folder
 * @param {string} app
 * @returns {Promise<string[]>} the packages that Latchkey adds
 */
async function install(folder, app) {
  const floor = join(folder, 'floor')
  const dependencies = Object.fromEntries(own.map((name) => [name, versionOf(name)]))
  const archives = Object.fromEntries(
    await Promise.all(
      used.map(async (name) => {
        const { archive } = await packPackage(join(root, 'packages', name), folder)
        return [`@latchkey/${name}`, `file:${archive}`]
      }),
    ),
  )
  const without = await installDependencies(floor, dependencies)
  const all = await installDependencies(app, { ...dependencies, ...archives })
  return all.filter((name) => !without.includes(name))
}

/**
 * Installs the dependencies of an app.
 *
 * @param {string} folder
 * @param {Record<string, string>} dependencies
 * @param {Readonly<Record<string, string>>} [overrides] packages that replace others
 * @returns {Promise<string[]>} the installed packages
 */
export async function installDependencies(folder, dependencies, overrides = {}) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides }),
  )
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'], { cwd: folder })
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.keys(packages)
    .filter((path) => path !== '')
    .map((path) => path.slice('node_modules/'.length))
}

/**
 * Returns the version of a package that this repository uses.
 *
 * @param {string} name
 * @returns {string}
 */
export function versionOf(name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
}
