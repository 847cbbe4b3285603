import { randomInt } from 'node:crypto'
import { createRandom, startFaultProxy, startMessageProxy, startRelayProcess } from '@latchkey/faults'
import { startTestPostgres } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ourPair, pairsWith, type PeerPair } from './matrix.ts'
import type { DappPeer, PeerEnvironment, WalletPeer } from './peers.ts'
import { accounts, eventually } from './stage.ts'

const rounds = 50

/** The number of concurrent rounds. They spend most of their time waiting. */
const lanes = 25
const longest = 60_000

const seed = Number(process.env['LATCHKEY_SEED'] ?? randomInt(2 ** 32))
const owned: Array<{ close(): Promise<unknown> }> = []
let relayUrl = ''

/** All clients share one bad network, because the published clients keep retrying after their network is closed. */
beforeAll(async () => {
  const random = createRandom(seed)
  const postgres = owns(await startTestPostgres())
  const relay = owns(await startRelayProcess({ databaseUrl: postgres.url }))
  const { host, pathname } = new URL(relay.url)
  const messages = owns(
    await startMessageProxy({
      target: `ws://${host}`,
      seed: random.between(0, 2 ** 31),
      faults: { duplicateChance: 0.05, reorderChance: 0.05 },
    }),
  )
  const line = owns(
    await startFaultProxy({
      target: { host: '127.0.0.1', port: Number(new URL(messages.url).port) },
      seed: random.between(0, 2 ** 31),
      faults: { cutChance: 0.05, delay: 300 },
    }),
  )
  relayUrl = `ws://127.0.0.1:${line.port}${pathname}`
}, 120_000)

afterAll(async () => {
  for (const resource of owned.toReversed()) await resource.close()
}, 60_000)

function owns<resource extends { close(): Promise<unknown> }>(resource: resource): resource {
  owned.push(resource)
  return resource
}

/** Pairs, settles, sends a request and pings. Returns the duration in milliseconds. */
async function playRound(pair: PeerPair, place: () => PeerEnvironment, number: number): Promise<number> {
  const [dapp, wallet] = await Promise.all([pair.dapp(place()), pair.wallet(place())])
  try {
    const since = performance.now()
    await pairAndExchange(dapp, wallet, `round ${number}`)
    return Math.round(performance.now() - since)
  } finally {
    await Promise.all([dapp.stop(), wallet.stop()])
  }
}

async function pairAndExchange(dapp: DappPeer, wallet: WalletPeer, text: string): Promise<void> {
  const { uri, settled } = await dapp.propose()
  await wallet.pair(uri)
  await eventually(() => expect(wallet.proposals).toHaveLength(1))
  const [{ topic }] = await Promise.all([settled, wallet.proposals[0]?.approve(accounts)])
  const pendingResponse = dapp.request(topic, { method: 'personal_sign', params: [text] })
  await eventually(() => expect(wallet.requests).toMatchObject([{ params: [text] }]))
  await wallet.requests[0]?.respond(`signed ${text}`)
  expect(await pendingResponse).toBe(`signed ${text}`)
  await dapp.ping(topic)
  expect(wallet.requests).toHaveLength(1)
}

// Without 2.17.1: its wallet fails to pair at the first broken connection.
test.each([ourPair, ...pairsWith('2.21.8')].map((pair) => [pair.name, pair] as const))(
  '%s complete 50 of 50 rounds over a network that breaks, delays, duplicates and reorders, without a wrong response [R-18]',
  { timeout: 900_000 },
  async (name, pair) => {
    const times: number[] = []
    const failures: unknown[] = []
    let next = 0
    const work = async (): Promise<void> => {
      while (next < rounds) {
        next += 1
        await playRound(pair, () => ({ relayUrl, store: new Map() }), next).then(
          (time) => times.push(time),
          (error: unknown) => failures.push(error),
        )
      }
    }
    await Promise.all(Array.from({ length: lanes }, work))
    times.sort((one, other) => one - other)
    const figures = { complete: times.length, median: times[Math.floor(times.length / 2)], slowest: times.at(-1) }
    console.log(`R-18, ${name}: ${JSON.stringify({ seed, ...figures })}`)
    expect(failures).toEqual([])
    expect(times.at(-1)).toBeLessThan(longest)
  },
)
