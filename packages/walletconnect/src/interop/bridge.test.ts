import { startTestServer } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { matrix, type Pair } from './matrix.ts'
import { ourDapp, ourWallet } from './ourPeers.ts'
import { terms, type DappPeer, type WalletPeer } from './peers.ts'
import { accounts, eventually, signing } from './stage.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const pairs: readonly Pair[] = [
  { name: 'our dapp and our wallet', dapp: async (place) => ourDapp(place), wallet: async (place) => ourWallet(place) },
  ...matrix,
]

let upstream: Server
let ours: Server

beforeAll(async () => {
  upstream = await startTestServer()
  const { projectId } = terms
  ours = await startTestServer({
    upstream: { url: upstream.relayUrl, projectId, origin: undefined, lingerSeconds: 600 },
  })
}, 60_000)

afterAll(async () => {
  await ours.close()
  await upstream.close()
})

/** A dapp that knows our relay alone, and a wallet that knows the upstream one alone. */
async function meet(pair: Pair, { onTestFinished }: TestContext): Promise<{ dapp: DappPeer; wallet: WalletPeer }> {
  const dapp = await pair.dapp({ relayUrl: ours.relayUrl, store: new Map() })
  const wallet = await pair.wallet({ relayUrl: upstream.relayUrl, store: new Map() })
  onTestFinished(async () => void (await Promise.all([dapp.leave(), wallet.leave()])))
  return { dapp, wallet }
}

describe.each(pairs.map((pair) => [pair.name, pair] as const))('%s, with a bridge between them,', (_, pair) => {
  test('settle, ask, answer, change and part', { timeout: 90_000 }, async (context) => {
    const { dapp, wallet } = await meet(pair, context)

    const { uri, settled } = await dapp.propose()
    await wallet.pair(uri)
    await eventually(() => expect(wallet.proposed).toHaveLength(1))
    const [{ topic }] = await Promise.all([settled, wallet.proposed[0]?.approve(accounts.slice(0, 1))])
    expect(dapp.sessions()).toMatchObject([{ topic, accounts: accounts.slice(0, 1) }])

    const answer = dapp.request(topic, signing)
    await eventually(() => expect(wallet.asked).toHaveLength(1))
    expect(wallet.asked[0]).toMatchObject(signing)
    await wallet.asked[0]?.answer('0xsigned')
    expect(await answer).toBe('0xsigned')

    await wallet.update(topic, accounts)
    await eventually(() => expect(dapp.sessions()).toMatchObject([{ topic, accounts }]))
    await wallet.emit(topic, { name: 'chainChanged', data: 1 })
    await eventually(() => expect(dapp.heard.events).toHaveLength(1))
    await dapp.ping(topic)
    await wallet.ping(topic)

    await dapp.disconnect(topic)
    await eventually(() => expect(wallet.heard.ended).toEqual([topic]))
    expect(wallet.sessions()).toEqual([])
  })
})
