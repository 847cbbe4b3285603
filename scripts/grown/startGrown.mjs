// npm run start:grown: installs missing packages, builds, and starts the scaled-out layout of docs/operate.md on this machine.
import { join } from 'node:path'
import { requireGrownPrograms } from './grownPrograms.mjs'
import { installPackages } from '../lib/install.mjs'
import { complainAboutNode } from '../lib/nodeVersion.mjs'
import { readPort } from '../lib/ports.mjs'
import { root } from '../lib/root.mjs'
import { runWorld } from '../lib/runWorld.mjs'

const environment = {
  LATCHKEY_DATA_DIR: join(root, '.latchkey/grown'),
  LATCHKEY_URLS: join(root, '.latchkey/grown.json'),
  LATCHKEY_GROWN_PORT: '4643',
  ...process.env,
}

const complaint = complainAboutNode(process.version)
if (complaint === undefined)
  await runWorld({ prepare: prepareGrown, openWorld: openGrown, choosePorts: chooseGrownPort, environment })
else {
  console.error(complaint)
  process.exitCode = 1
}

/** @param {AbortSignal} signal */
async function prepareGrown(signal) {
  installPackages()
  requireGrownPrograms()
  const { buildPrograms } = await import('../build.mjs')
  await buildPrograms(signal)
}

async function chooseGrownPort() {
  return { proxy: readPort(environment.LATCHKEY_GROWN_PORT, 'LATCHKEY_GROWN_PORT') }
}

/**
 * @param {import('../lib/runWorld.mjs').WorldRequest} request
 * @returns {Promise<import('../lib/runWorld.mjs').RunningWorld>}
 */
async function openGrown({ dataDir, ports, ...events }) {
  const { getGrownPrograms, startGrown, startMailbox } = await import('@latchkey/devnet')
  const mailbox = await startMailbox({ port: 0 })
  try {
    const grown = await startGrown({
      ...events,
      // The records of the processes are next to it.
      folder: join(dataDir, 'layout'),
      port: ports['proxy'] ?? 0,
      entry: join(root, 'server/dist/main.js'),
      haproxyExample: join(root, 'deploy/proxies/haproxy-grown.cfg'),
      programs: getGrownPrograms(process.env),
      mailUrl: mailbox.smtpUrl,
      onProgress: console.log,
    })
    const { url, relayUrl, nats, postgres, redis, relays, apis, auth, shares, proxy } = grown
    const all = [...nats, redis, postgres.primary, postgres.replica, ...relays, ...apis, auth, shares, proxy]
    const processes = all.map(({ name, host, port, pid }) => [name, `${host}:${port} (process ${pid})`])
    return {
      urls: {
        server: url,
        relay: relayUrl,
        certificate: proxy.certificate,
        mailbox: mailbox.url,
        ...Object.fromEntries(processes),
      },
      async close() {
        await grown.close()
        await mailbox.close()
      },
    }
  } catch (error) {
    await mailbox.close()
    throw error
  }
}
