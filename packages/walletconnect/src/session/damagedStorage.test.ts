import type { Storage } from '@latchkey/core'
import { fakeStorage, manualClock, type FakeStorage } from '@latchkey/core/testing'
import { isLatchkeyError } from '@latchkey/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { walletConnect } from '../connector/walletConnect.ts'
import { createDapp } from '../dapp/createDapp.ts'
import { connectParties, partyNetworks } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'
import { createWallet } from '../wallet/createWallet.ts'

const parties = startPartiesOverRelay()
const now = Date.now()
let app: ReadonlyMap<string, string>
let phone: ReadonlyMap<string, string>

/** The storage of an app and a wallet with a session, a pending request and a pairing URI on display. */
beforeAll(async () => {
  const [here, there] = [fakeStorage(), fakeStorage()]
  const [dapp, wallet] = [parties.dapp({ storage: here }), parties.phone({ storage: there })]
  const { topic } = await connectParties(dapp, wallet)
  dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] }).catch(() => {})
  await wallet.nextRequest()
  const { signal } = new AbortController()
  dapp.connect({ networks: partyNetworks, signal, onUri: (uri) => void wallet.pair(uri) }).catch(() => {})
  await wallet.nextProposal()
  app = new Map(here.values)
  phone = new Map(there.values)
})

/** Damages a stored text: truncates it, or replaces a part of it. */
const damage = fc.oneof(
  fc.nat().map((at) => (text: string) => text.slice(0, at % (text.length + 1))),
  fc.tuple(fc.nat(), fc.string()).map(([at, other]) => (text: string) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + other + text.slice(place + other.length)
  }),
  fc.tuple(fc.nat(), fc.jsonValue()).map(
    ([at, other]) =>
      (text: string) =>
        withPart(text, at, other),
  ),
  fc.json().map((other) => () => other),
)

/** Replaces a random value of a JSON text. */
function withPart(text: string, at: number, other: unknown): string {
  let seen = -1
  return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
    seen += 1
    return seen === at % 60 ? other : value
  })
}

const damages = fc.array(fc.tuple(fc.nat(), damage), { minLength: 1, maxLength: 3 })

function createDamagedStorage(
  complete: ReadonlyMap<string, string>,
  hits: ReadonlyArray<[number, (text: string) => string]>,
) {
  const values = new Map(complete)
  const keys = [...values.keys()]
  for (const [at, hit] of hits) {
    const key = keys[at % keys.length] ?? ''
    try {
      values.set(key, hit(values.get(key) ?? ''))
    } catch {
      values.delete(key)
    }
  }
  return fakeStorage({ values: Object.fromEntries(values) })
}

/** A network without any response. */
const silence = { send() {}, close() {}, onopen: null, onmessage: null, onclose: null, onerror: null }
const optionsOf = (storage: Storage) => ({
  relayUrl: 'wss://relay.invalid/relay',
  projectId: 'ab'.repeat(16),
  metadata: { name: 'App', description: '', url: 'https://app.example', icons: [] },
  storage,
  clock: manualClock(now),
  createSocket: () => ({ ...silence }),
})

/** Another tab writes the earlier content and removes it. */
function changeInOtherTab(storage: FakeStorage, complete: ReadonlyMap<string, string>): void {
  const tab = storage.otherTab()
  for (const [key, value] of complete) tab.setItem(key, value)
  for (const key of complete.keys()) tab.removeItem(key)
}

const runs = { numRuns: 300 }

describe('with any damage to the storage', () => {
  test('an app starts without incomplete sessions', async () => {
    await fc.assert(
      fc.asyncProperty(damages, async (hits) => {
        const storage = createDamagedStorage(app, hits)
        const dapp = createDapp(optionsOf(storage))
        const sessions = dapp.restore()
        for (const { topic, namespaces, expiry } of sessions) {
          expect(topic).toMatch(/^[0-9a-f]{64}$/)
          expect(expiry * 1000).toBeGreaterThan(now)
          for (const { accounts, chains } of Object.values(namespaces)) expect([accounts, chains]).not.toContain([])
        }
        dapp.openRequests()
        void dapp.resume(AbortSignal.abort()).catch((error: unknown) => expect(isLatchkeyError(error)).toBe(true))
        changeInOtherTab(storage, app)
        dapp.close()
      }),
      runs,
    )
  })

  test('a connector restores a valid session or none', async () => {
    await fc.assert(
      fc.asyncProperty(damages, async (hits) => {
        const connector = walletConnect(optionsOf(createDamagedStorage(app, hits)))
        const { signal } = new AbortController()
        for (const { accounts, chainId } of await connector.restore({ networks: partyNetworks, signal })) {
          expect(accounts[0].startsWith(`${chainId}:`)).toBe(true)
        }
      }),
      runs,
    )
  })

  test('a wallet starts and shows the readable requests', { tags: 'faults' }, async () => {
    await fc.assert(
      fc.asyncProperty(damages, async (hits) => {
        const storage = createDamagedStorage(phone, hits)
        const wallet = createWallet(optionsOf(storage))
        for (const { topic } of wallet.requests()) expect(wallet.sessions().map((each) => each.topic)).toContain(topic)
        for (const { proposer } of wallet.proposals()) expect(typeof proposer.name).toBe('string')
        changeInOtherTab(storage, phone)
        wallet.close()
      }),
      runs,
    )
  })
})
