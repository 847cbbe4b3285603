import { startTestServer } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { peerPairs, type PeerPair } from './peerPairs.ts'
import { createOurDapp, createOurWallet } from './ourPeers.ts'
import { sessionTerms, type DappPeer, type WalletPeer } from './peers.ts'
import { accounts, waitUntil, signing } from './stage.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const pairs: readonly PeerPair[] = [
  {
    name: 'our dapp and our wallet',
    dapp: async (place) => createOurDapp(place),
    wallet: async (place) => createOurWallet(place),
  },
  ...peerPairs,
]

let upstream: Server
let ours: Server

beforeAll(async () => {
  upstream = await startTestServer()
  const { projectId } = sessionTerms
  ours = await startTestServer({
    upstream: { url: upstream.relayUrl, projectId, origin: undefined, lingerSeconds: 600 },
  })
})

afterAll(async () => {
  await ours.close()
  await upstream.close()
})

/** A dapp that knows only our relay, and a wallet that knows only the upstream relay. */
async function meet(pair: PeerPair, { onTestFinished }: TestContext): Promise<{ dapp: DappPeer; wallet: WalletPeer }> {
  const dapp = await pair.dapp({ relayUrl: ours.relayUrl, store: new Map() })
  const wallet = await pair.wallet({ relayUrl: upstream.relayUrl, store: new Map() })
  onTestFinished(async () => void (await Promise.all([dapp.stop(), wallet.stop()])))
  return { dapp, wallet }
}

describe.each(pairs.map((pair) => [pair.name, pair] as const))('%s, with a bridge between them,', (_, pair) => {
  test('settle, exchange requests and updates, and disconnect', { tags: 'faults' }, async (context) => {
    const { dapp, wallet } = await meet(pair, context)

    const { uri, settled } = await dapp.propose()
    await wallet.pair(uri)
    await waitUntil(() => expect(wallet.proposals).toHaveLength(1))
    const [{ topic }] = await Promise.all([settled, wallet.proposals[0]?.approve(accounts.slice(0, 1))])
    expect(dapp.sessions()).toMatchObject([{ topic, accounts: accounts.slice(0, 1) }])

    const response = dapp.request(topic, signing)
    await waitUntil(() => expect(wallet.requests).toHaveLength(1))
    expect(wallet.requests[0]).toMatchObject(signing)
    await wallet.requests[0]?.respond('0xsigned')
    expect(await response).toBe('0xsigned')

    await wallet.update(topic, accounts)
    await waitUntil(() => expect(dapp.sessions()).toMatchObject([{ topic, accounts }]))
    await wallet.emit(topic, { name: 'chainChanged', data: 1 })
    await waitUntil(() => expect(dapp.received.events).toHaveLength(1))
    await dapp.ping(topic)
    await wallet.ping(topic)

    await dapp.disconnect(topic)
    await waitUntil(() => expect(wallet.received.ended).toEqual([topic]))
    expect(wallet.sessions()).toEqual([])
  })
})
