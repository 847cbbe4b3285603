// Starts the built server with the data service for one chain.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../../lib/root.mjs'

/** @typedef {{ caipNetworkId: string, rpcUrls: string[], index: object }} BenchChain */

/**
 * @param {string} databaseUrl
 * @param {BenchChain | readonly BenchChain[]} chains
 */
export async function startServer(databaseUrl, chains) {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const child = fork(join(root, 'server/dist/main.js'), {
    execArgv: [...process.execArgv, '--import', import.meta.resolve('./reportMemory.mjs')],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      SERVICES: 'api',
      LIMITS: 'local',
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      CHAINS: JSON.stringify([chains].flat().map((chain) => ({ name: 'Bench', nativeCurrency, ...chain }))),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const begun = performance.now()
  const [message] = await once(child, 'message')
  return {
    url: String(message.url),
    pid: child.pid ?? 0,
    begun,
    /** Returns the memory in use after a collection of garbage, in MiB. */
    async measureMemory() {
      const reported = once(child, 'message')
      child.send('report memory')
      const [{ usedMiB }] = await reported
      return Number(usedMiB)
    },
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
