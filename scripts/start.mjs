// npm start: installs what is missing, builds, starts the local world, and stops all of it again.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { complainAboutNode } from './lib/nodeVersion.mjs'
import { installPackages } from './lib/install.mjs'
import { takenPort } from './lib/ports.mjs'
import { root } from './lib/root.mjs'
import { announce, forgetUrls, rememberProcesses, stopLeftovers } from './lib/traces.mjs'

/** The parts of the local world that listen: what a person calls them, and where. */
const listeners = [
  { part: 'web', variable: 'LATCHKEY_WEB_PORT', port: 4600 },
  { part: 'wallet', variable: 'LATCHKEY_WALLET_PORT', port: 4601 },
  { part: 'server', variable: 'LATCHKEY_SERVER_PORT', port: 4602 },
  { part: 'evm', variable: 'LATCHKEY_EVM_PORT', port: 8545 },
  { part: 'evm2', variable: 'LATCHKEY_EVM2_PORT', port: 8546 },
]

const complaint = complainAboutNode(process.version)
if (complaint !== undefined) fail(complaint)

const dataDir = process.env['LATCHKEY_DATA_DIR'] ?? join(root, '.latchkey/data')
const urlsFile = process.env['LATCHKEY_URLS_FILE'] ?? join(root, '.latchkey/urls.json')
/** @type {Promise<import('@latchkey/devnet').World> | undefined} */
let starting
let stopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))

try {
  await start()
} catch (error) {
  await stop(1, error instanceof Error ? error.message : String(error))
}

async function start() {
  installPackages()
  const { build } = await import('./build.mjs')
  await build()
  await stopLeftovers(dataDir)
  const ports = await readPorts()
  if (stopping) return
  const { startWorld } = await import('@latchkey/devnet')
  const onExit = (/** @type {string} */ part, /** @type {string} */ reason) => {
    void stop(1, `${part} ended by itself, so everything is stopped. Its last words:\n${reason}`)
  }
  starting = startWorld({ dataDir, ports, root, onExit })
  const world = await starting
  if (stopping) return
  rememberProcesses(dataDir, world.pids)
  announce(urlsFile, { ...world.urls, docs: join(root, 'README.md') })
}

/** @returns {Promise<Record<string, number>>} */
async function readPorts() {
  /** @type {Record<string, number>} */
  const ports = {}
  for (const { part, variable, port } of listeners) {
    const asked = Number(process.env[variable] ?? port)
    if (!Number.isInteger(asked) || asked < 0 || asked > 65535) {
      throw new Error(`${variable} is "${process.env[variable]}", which is no port. Use a number up to 65535.`)
    }
    if (asked !== 0 && (await takenPort(asked))) {
      throw new Error(`Port ${asked} is taken (${part}). Free it, or set ${variable} to another one.`)
    }
    ports[part] = asked
  }
  return ports
}

/**
 * Stops everything, once; a second signal does not wait for anybody.
 *
 * @param {number} code
 * @param {string} [sentence]
 */
async function stop(code, sentence) {
  if (stopping) {
    await stopLeftovers(dataDir)
    process.exit(1)
  }
  stopping = true
  if (sentence !== undefined) console.error(sentence)
  else if (existsSync(urlsFile)) console.log('\nStopping …')
  forgetUrls(urlsFile)
  // A world that is still starting is stopped as soon as it can be.
  const world = await starting?.catch(() => undefined)
  await world?.close()
  rememberProcesses(dataDir, [])
  process.exit(code)
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
