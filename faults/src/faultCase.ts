import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { checkHistory, type Verdict } from './history/checker.ts'
import { startFaultProxy, type FaultProxy } from './proxies/faultProxy.ts'
import { createHistory, type History } from './history/history.ts'
import { createPeer, type Peer, type PeerOptions } from './peer.ts'
import { createRandom, type Random } from './random.ts'

/** Starts the processes of a case, and closes them when its test ends. */
export type FaultCase = {
  /** Determines all times and choices of the case. */
  random: Random
  history: History
  /** 64 hexadecimal digits each. */
  topics(count: number): readonly string[]
  peer(options: Pick<PeerOptions, 'name' | 'url' | 'topics'>): Peer
  /** Closes something when the test ends, the last one first. */
  owns<resource extends { close(): unknown }>(resource: resource): resource
  /** Prints a figure of the case. */
  log(figures: object): void
  /** Starts a proxy in front of a service, whose port may change, and returns the proxied URL. */
  proxy(url: () => string): Promise<{ proxy: FaultProxy; url: string }>
  /** Waits for a limited time until all confirmed messages have arrived, and checks the history. */
  verdict(): Promise<Verdict>
}

/**
 * The verdict on a relay whose database failed: messages that it could not record as delivered may be delivered twice on
 * one connection.
 */
export const nothingLost = { lost: [], phantoms: [], reordered: [] }

/** The verdict on a relay without any fault. */
export const nothingWrong = { ...nothingLost, duplicates: [] }

const folder = fileURLToPath(new URL('../../.latchkey/faults/', import.meta.url))
/** Confirmed messages must arrive within this time after the fault has ended. */
const deliveryMilliseconds = 30_000

/**
 * Begins a case and prints its seed. `LATCHKEY_SEED=… npm run test:faults` repeats the run.
 *
 * @param id of the case in the test plan, for example R-01
 */
export async function openCase(id: string): Promise<FaultCase> {
  const given = process.env['LATCHKEY_SEED']
  const seed = given === undefined ? randomInt(2 ** 32) : Number(given)
  const random = createRandom(seed)
  const history = await createHistory(`${folder}${id}.jsonl`)
  const owned: Array<{ close(): unknown }> = [history]
  const log = (figures: object): void => console.log(`${id}: ${JSON.stringify(figures)}`)
  onTestFinished(async () => {
    for (const resource of owned.toReversed()) await resource.close()
  }, 60_000)
  log({ seed, history: history.path })

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
    log,
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
      log({ published, confirmed, received, redelivered, lost: lost.length, duplicates: duplicates.length })
      return verdict
    },
  }
}
