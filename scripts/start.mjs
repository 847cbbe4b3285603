// npm start: installs missing packages, builds, starts the local world, and stops it on a signal.
import { installPackages } from './lib/install.mjs'
import { complainAboutNode } from './lib/nodeVersion.mjs'
import { root } from './lib/root.mjs'
import { runWorld } from './lib/runWorld.mjs'

// On a fresh clone, packages are missing until the installation below, so nothing above imports any.

const complaint = complainAboutNode(process.version)
if (complaint === undefined) await runWorld({ prepare, openWorld, finish })
else {
  console.error(complaint)
  process.exitCode = 1
}

/** @param {AbortSignal} signal */
async function prepare(signal) {
  installPackages()
  const { build } = await import('./build.mjs')
  await build(signal)
}

/** @param {import('./lib/runWorld.mjs').WorldRequest} request */
async function openWorld(request) {
  const { startWorld } = await import('@latchkey/devnet')
  return startWorld({ ...request, root })
}

/**
 * Builds the documentation while the world is running already: it takes longer than everything else. A failure only leaves the
 * documentation without its latest changes.
 *
 * @param {AbortSignal} signal
 */
async function finish(signal) {
  const { buildDocs } = await import('./build.mjs')
  await buildDocs(signal).catch((error) => {
    if (!signal.aborted) console.error(error instanceof Error ? error.message : error)
  })
}
