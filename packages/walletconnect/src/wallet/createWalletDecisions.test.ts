import { fakeStorage, manualClock } from '@latchkey/core/testing'
import { walletConnectError } from '../walletConnectError.ts'
import { expect, test } from 'vitest'
import type { PeerError } from '../channel/peerError.ts'
import { createInbox } from './inbox.ts'
import { createResponseSender } from './createResponseSender.ts'
import { createWalletDecisions } from './createWalletDecisions.ts'
import { createWalletReceiver } from './createWalletReceiver.ts'
import type { WalletClient } from './walletClient.ts'
import type { WalletRequest } from './walletRequest.ts'

const [first, second] = ['a1'.repeat(32), 'b2'.repeat(32)]
const dapp = { name: 'App', description: '', url: 'https://app.example', icons: [] }
const chainId = 'eip155:1'
const method = 'eth_sendTransaction'

/** The request that a dapp sends on a topic. */
const peerRequest = (topic: string, id: number) => ({
  topic,
  id,
  method: 'wc_sessionRequest' as const,
  params: { chainId, request: { method, params: [{ from: '0x1', data: topic.slice(0, 2) }] } },
})

/** A wallet with two sessions, over a relay that can be away. */
function openWallet(storage = fakeStorage()) {
  const clock = manualClock(1_800_000_000_000)
  const namespaces = { eip155: { chains: [chainId], accounts: [], methods: [method], events: [] } }
  const published: Array<{ topic: string; id: number; response: unknown }> = []
  const asked: WalletRequest[] = []
  const relay = { isAway: false }
  const publish = async ({ topic, id }: { topic: string; id: number }, response: unknown): Promise<void> => {
    await Promise.resolve()
    if (relay.isAway) throw walletConnectError('relay/unreachable', { origin: 'wss://relay.example' })
    published.push({ topic, id, response })
  }
  const client = {
    inbox: createInbox(storage, 'wallet/', clock),
    clock: Object.assign(clock, { observe() {} }),
    sessions: { get: (topic: string) => ({ topic, peer: dapp, namespaces }) },
    activeSessions: {},
    channel: { respond: publish, reject: (to: { topic: string; id: number }, error: PeerError) => publish(to, error) },
  } as unknown as WalletClient
  const responses = createResponseSender(client)
  const receive = createWalletReceiver({ ...client, responses }, (call) =>
    call({ request: (each) => asked.push(each) }),
  )
  return {
    ...createWalletDecisions({ ...client, responses }),
    client,
    clock,
    receive,
    responses,
    asked,
    published,
    relay,
    storage,
  }
}

const requestAt = (asked: readonly WalletRequest[], at: number): WalletRequest => asked[at] ?? expect.fail('not asked')

test('a dapp that reuses the id of another dapp’s request gets only the response to its own', async () => {
  const { receive, respond, asked, published } = openWallet()
  receive(peerRequest(first, 7))
  receive(peerRequest(second, 7))
  expect(asked).toHaveLength(2)
  await respond(requestAt(asked, 0), { result: 'signed for the first' })
  await respond(requestAt(asked, 1), { result: 'signed for the second' })
  expect(published).toEqual([
    { topic: first, id: 7, response: 'signed for the first' },
    { topic: second, id: 7, response: 'signed for the second' },
  ])
})

test('a request that the user has decided is not shown again after a reload, until it expires', async () => {
  const { receive, respond, asked, storage } = openWallet()
  receive(peerRequest(first, 7))
  await respond(requestAt(asked, 0), { result: '0x12' })
  const reloaded = openWallet(storage)
  reloaded.receive(peerRequest(first, 7))
  expect(reloaded.asked).toEqual([])
  // Another dapp may use the same id.
  reloaded.receive(peerRequest(second, 7))
  expect(reloaded.asked).toHaveLength(1)
})

test('a response that the relay does not take is kept, and sent once when the relay is back', async () => {
  const { receive, respond, asked, relay, storage } = openWallet()
  receive(peerRequest(first, 7))
  relay.isAway = true
  await expect(respond(requestAt(asked, 0), { result: '0x12' })).rejects.toMatchObject({ code: 'relay/unreachable' })
  const reloaded = openWallet(storage)
  reloaded.receive(peerRequest(first, 7))
  expect(reloaded.asked).toEqual([])
  await reloaded.responses.sendUnsent()
  await reloaded.responses.sendUnsent()
  expect(reloaded.published).toEqual([{ topic: first, id: 7, response: '0x12' }])
})

test('the first response to a request counts, and a repeated call sends it again if it was not sent', async () => {
  const { receive, respond, asked, relay, published } = openWallet()
  receive(peerRequest(first, 7))
  relay.isAway = true
  const request = requestAt(asked, 0)
  await expect(respond(request, { result: '0x12' })).rejects.toMatchObject({ code: 'relay/unreachable' })
  relay.isAway = false
  await Promise.all([respond(request, { result: '0x34' }), respond(request, { error: { code: 4001, message: '' } })])
  expect(published).toEqual([{ topic: first, id: 7, response: '0x12' }])
  await expect(respond(request, { result: '0x34' })).rejects.toMatchObject({ code: 'request/expired' })
})

test('a response whose request has expired is not sent', async () => {
  const { receive, respond, asked, clock, relay, published, responses } = openWallet()
  receive(peerRequest(first, 7))
  relay.isAway = true
  await expect(respond(requestAt(asked, 0), { result: '0x12' })).rejects.toMatchObject({ code: 'relay/unreachable' })
  relay.isAway = false
  clock.advance(7 * 24 * 3_600_000)
  await responses.sendUnsent()
  expect(published).toEqual([])
})
