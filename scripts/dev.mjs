// npm run dev: the world of npm start, with both apps served from their sources and the server restarted on change.
import { watch } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './lib/install.mjs'
import { complainAboutNode } from './lib/nodeVersion.mjs'
import { root } from './lib/root.mjs'
import { runWorld } from './lib/runWorld.mjs'

/** What the server is built from. */
const serverSources = ['server/src', 'packages/protocol/src']

/** Editors save several files at once. */
const settleMilliseconds = 150

const complaint = complainAboutNode(process.version)
if (complaint === undefined) await runWorld({ prepare, openWorld })
else {
  console.error(complaint)
  process.exitCode = 1
}

/** @param {AbortSignal} signal */
async function prepare(signal) {
  installPackages()
  const { buildPrograms } = await import('./build.mjs')
  await buildPrograms(signal)
}

/** @param {import('./lib/runWorld.mjs').WorldRequest} request */
async function openWorld(request) {
  const { startWorld } = await import('@latchkey/devnet')
  const world = await startWorld({ ...request, root, serve: serveSources })
  restartOnChange(world)
  return world
}

/**
 * Serves an app with Vite, on the site's own port. The strict content policy is left out: hot reloading needs inline code.
 *
 * @param {import('@latchkey/devnet').WorldApp} app
 */
async function serveSources({ name, config, site }) {
  const { createServer } = await import('vite')
  const { writeConfig } = await import('@latchkey/devnet')
  const vite = await createServer({
    root: join(root, 'apps', name),
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server: site.server } },
    plugins: [{ name: 'latchkey-config', transformIndexHtml: (page) => writeConfig(page, config) }],
  })
  return vite.middlewares
}

/** @param {import('@latchkey/devnet').World} world */
function restartOnChange(world) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let restarting = Promise.resolve()
  const changed = (/** @type {string} */ _event, /** @type {string | null} */ file) => {
    if (file?.includes('.test.') === true) return
    clearTimeout(timer)
    timer = setTimeout(() => (restarting = restarting.then(() => restart(world))), settleMilliseconds)
  }
  for (const folder of serverSources) watch(join(root, folder), { recursive: true }, changed)
}

/**
 * Keeps the running server when the new one does not compile.
 *
 * @param {import('@latchkey/devnet').World} world
 */
async function restart(world) {
  const { buildPrograms } = await import('./build.mjs')
  try {
    await buildPrograms()
    await world.restartServer()
    console.log('The server was restarted.')
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
}
