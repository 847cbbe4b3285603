import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { checkHistory, type Verdict } from './checker.ts'
import { startFaultProxy, type FaultProxy } from './proxies/faultProxy.ts'
import { createHistory, type History } from './history.ts'
import { createPeer, type Peer, type PeerOptions } from './peer.ts'
import { createRandom, type Random } from './random.ts'

/** Starts the processes of a case, and closes them when its test ends. */
export type FaultCase = {
  /** Decides every time and choice of the case. */
  random: Random
  history: History
  /** 64 hexadecimal digits each. */
  topics(count: number): readonly string[]
  peer(options: Pick<PeerOptions, 'name' | 'url' | 'topics'>): Peer
  /** Closes something when the test ends, the last one first. */
  owns<resource extends { close(): unknown }>(resource: resource): resource
  /** Prints a figure of the case. */
  tell(figures: object): void
  /** A proxy in front of a service, which may move to another port, and the service's address by way of it. */
  proxy(url: () => string): Promise<{ proxy: FaultProxy; url: string }>
  /** Waits until everything confirmed has arrived, though not forever, and judges the history. */
  verdict(): Promise<Verdict>
}

/**
 * The verdict on a relay whose store failed it: what it could not note as delivered may come again on the same
 * connection.
 */
export const nothingLost = { lost: [], phantoms: [], reordered: [] }

/** The verdict on a relay that kept all its promises. */
export const allKept = { ...nothingLost, duplicates: [] }

const folder = fileURLToPath(new URL('../../.latchkey/faults/', import.meta.url))
/** Confirmed messages arrive within this time once everything works again. */
const deliveryMilliseconds = 30_000

/**
 * Begins a case and prints its seed: `LATCHKEY_SEED=… npm run test:faults` has the same one again.
 *
 * @param id how the plan of tests calls it, as in R-01
 */
export async function openCase(id: string): Promise<FaultCase> {
  const given = process.env['LATCHKEY_SEED']
  const seed = given === undefined ? randomInt(2 ** 32) : Number(given)
  const random = createRandom(seed)
  const history = await createHistory(`${folder}${id}.jsonl`)
  const owned: Array<{ close(): unknown }> = [history]
  const tell = (figures: object): void => console.log(`${id}: ${JSON.stringify(figures)}`)
  onTestFinished(async () => {
    for (const resource of owned.toReversed()) await resource.close()
  }, 60_000)
  tell({ seed, history: history.path })

  function owns<resource extends { close(): unknown }>(resource: resource): resource {
    owned.push(resource)
    return resource
  }

  return {
    random,
    history,
    topics: (count) =>
      Array.from({ length: count }, () =>
        Array.from({ length: 64 }, () => random.between(0, 15).toString(16)).join(''),
      ),
    peer: (options) => owns(createPeer({ ...options, history, random })),
    owns,
    tell,
    async proxy(url) {
      const target = {
        host: '127.0.0.1',
        get port() {
          return Number(new URL(url()).port)
        },
      }
      const proxy = owns(await startFaultProxy({ target, seed: random.between(0, 2 ** 31) }))
      const proxied = new URL(url())
      proxied.port = String(proxy.port)
      return { proxy, url: proxied.href }
    },
    async verdict() {
      const deadline = performance.now() + deliveryMilliseconds
      let verdict = checkHistory(history.lines)
      while (verdict.lost.length > 0 && performance.now() < deadline) {
        await sleep(500)
        verdict = checkHistory(history.lines)
      }
      const { published, confirmed, received, redelivered, lost, duplicates } = verdict
      tell({ published, confirmed, received, redelivered, lost: lost.length, duplicates: duplicates.length })
      return verdict
    },
  }
}
