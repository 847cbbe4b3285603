import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems assign themselves, so that the port stays free until it is used. */
const range = { from: 15_000, to: 32_000 } as const
const attempts = 50

/**
 * Finds a free port of 127.0.0.1, for a program that cannot choose one itself.
 *
 * @throws Error if none of 50 random ports is free
 */
export async function freePort(): Promise<number> {
  for (let round = 0; round < attempts; round += 1) {
    const port = randomInt(range.from, range.to)
    if (await isFree(port)) return port
  }
  throw new Error('No port of this machine is free.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
