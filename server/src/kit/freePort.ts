import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that systems hand out by themselves: between now and its use, nobody is given this one by chance. */
const range = { from: 15_000, to: 32_000 } as const
const tries = 50

/**
 * A port of 127.0.0.1 that is free now, for a program that cannot choose one itself.
 *
 * @throws Error when none of many is free
 */
export async function freePort(): Promise<number> {
  for (let round = 0; round < tries; round += 1) {
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
