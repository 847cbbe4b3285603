// npm run dev: runs the world of npm start, but Vite serves both apps from their sources, and the server restarts on
// changes.
import { watch } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './lib/install.mjs'
import { complainAboutNode } from './lib/nodeVersion.mjs'
import { root } from './lib/root.mjs'
import { runWorld } from './lib/runWorld.mjs'

/** The sources of the server. */
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
  const world = await startWorld({ ...request, root, serve: serveSources, serveDocumentation })
  restartOnChange(world)
  return world
}

/**
 * Serves an app with Vite on its port, without the strict content policy, because hot reloading needs inline code.
 *
 * @param {import('@latchkey/devnet').WorldApp} app
 */
async function serveSources({ name, config, site }) {
  const { createServer } = await import('vite')
  const { injectPageConfig } = await import('@latchkey/devnet')
  const vite = await createServer({
    root: join(root, 'apps', name),
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server: site.server } },
    plugins: [{ name: 'latchkey-config', transformIndexHtml: (page) => injectPageConfig(page, config) }],
  })
  return vite.middlewares
}

/**
 * Serves the documentation with VitePress, which starts with the first request.
 *
 * @param {import('@latchkey/devnet').Site} site
 * @returns {import('@latchkey/devnet').SiteHandler}
 */
function serveDocumentation({ server }) {
  /** @type {ReturnType<typeof startDocsServer> | undefined} */
  let starting
  return (request, response) => {
    starting ??= startDocsServer(server)
    starting.then(
      ({ middlewares }) => middlewares(request, response),
      (error) => {
        starting = undefined
        response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
        response.end(String(error))
      },
    )
  }
}

/** @param {import('node:http').Server} server */
async function startDocsServer(server) {
  const { createDocsServer } = await import('../apps/docs/createDocsServer.mjs')
  return createDocsServer(server)
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
 * Keeps the running server if the new one doesn't compile.
 *
 * @param {import('@latchkey/devnet').World} world
 */
async function restart(world) {
  const { buildPrograms } = await import('./build.mjs')
  try {
    await buildPrograms()
    await world.restartServer()
    console.log('Restarted the server.')
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
}
