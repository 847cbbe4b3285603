import { memoryStorage } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { connectParties, partyAccounts, partyNetworks } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'
import { parsePairingUri } from './pairing.ts'

const parties = startPartiesOverRelay()
const namespaces = { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } }
const proposal = {
  relays: [{ protocol: 'irn' }],
  proposer: { publicKey: '09'.padEnd(64, '0'), metadata: {} },
  requiredNamespaces: namespaces,
}
const deletion = { code: 6000, message: 'User disconnected' }

test('a pairing that the dapp deletes loses its proposal and its key, and an approval is refused', async () => {
  const [app, phone] = [parties.rawApp(), parties.phone()]
  const topic = await app.pair(phone)
  app.channel.request(topic, 'wc_sessionPropose', proposal)
  const received = await phone.nextProposal()
  expect(await app.channel.request(topic, 'wc_pairingDelete', deletion).response).toBe(true)
  expect(phone.proposals()).toEqual([])
  await expect(phone.approve(received, { accounts: partyAccounts })).rejects.toMatchObject({ code: 'pairing/expired' })
  expect(phone.sessions()).toEqual([])
})

test('a pairing request on a session is rejected with 10001 and does not end it', async () => {
  const [storage, phone] = [memoryStorage(), parties.phone()]
  const dapp = parties.dapp({ storage })
  const { topic } = await connectParties(dapp, phone)
  dapp.close()
  const app = parties.rawApp(storage)
  await app.relay.subscribe(topic)
  for (const method of ['wc_pairingPing', 'wc_pairingDelete', 'wc_pairingExtend'] as const) {
    const { response } = app.channel.request(topic, method, deletion)
    await expect(response).rejects.toMatchObject({ context: { code: 10_001 } })
  }
  expect(phone.sessions()).toMatchObject([{ topic }])
})

test('a pairing is extended by its lifetime at most', async () => {
  const clock = manualClock(Date.now())
  const [app, phone] = [parties.rawApp(), parties.phone({ clock })]
  const topic = await app.pair(phone)
  const ping = (): Promise<unknown> => app.channel.request(topic, 'wc_pairingPing', {}, { timeoutSeconds: 1 }).response
  clock.advance(200_000)
  const expiry = Math.floor(clock.now() / 1000) + 1_000_000
  expect(await app.channel.request(topic, 'wc_pairingExtend', { expiry }).response).toBe(true)
  clock.advance(200_000)
  expect(await ping()).toBe(true)
  clock.advance(50_000)
  await expect(ping()).rejects.toMatchObject({ code: 'request/expired' })
})

test('a wallet that deletes the pairing ends the attempt of the dapp as a rejection', async () => {
  const [dapp, wallet] = [parties.dapp(), parties.rawApp()]
  const { signal } = new AbortController()
  const outcome = new Promise((resolve) => {
    const onUri = async (uri: string): Promise<void> => {
      const { topic, symmetricKey } = parsePairingUri(uri, Date.now())
      wallet.keyring.holdInMemory(topic, symmetricKey)
      await wallet.relay.subscribe(topic)
      expect(await wallet.channel.request(topic, 'wc_pairingPing', {}).response).toBe(true)
      wallet.channel.request(topic, 'wc_pairingDelete', deletion)
    }
    dapp.connect({ networks: partyNetworks, signal, onUri: (uri) => void onUri(uri) }).catch(resolve)
  })
  expect(await outcome).toMatchObject({ code: 'connection/rejected' })
})
