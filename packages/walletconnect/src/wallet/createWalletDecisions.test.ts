import { fakeStorage } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { lenientStorage } from '../primitives/lenientStorage.ts'
import { openWallet, peerRequest, sessionTopics } from '../testing/openWallet.ts'
import type { WalletRequest } from './walletRequest.ts'

const [first, second] = sessionTopics

const requestAt = (requested: readonly WalletRequest[], at: number): WalletRequest =>
  requested[at] ?? expect.fail('not asked')

test('a dapp that reuses the id of another dapp’s request gets only the response to its own', async () => {
  const { receive, respond, requested, published } = openWallet()
  receive(peerRequest(first, 7))
  receive(peerRequest(second, 7))
  expect(requested).toHaveLength(2)
  await respond(requestAt(requested, 0), { result: 'signed for the first' })
  await respond(requestAt(requested, 1), { result: 'signed for the second' })
  expect(published).toEqual([
    { topic: first, id: 7, response: 'signed for the first' },
    { topic: second, id: 7, response: 'signed for the second' },
  ])
})

test('a request that the user has decided is not shown again after a reload, until it expires', async () => {
  const { receive, respond, requested, storage } = openWallet()
  receive(peerRequest(first, 7))
  await respond(requestAt(requested, 0), { result: '0x12' })
  const reloaded = openWallet({ storage })
  reloaded.receive(peerRequest(first, 7))
  expect(reloaded.requested).toEqual([])
  // Another dapp may use the same id.
  reloaded.receive(peerRequest(second, 7))
  expect(reloaded.requested).toHaveLength(1)
})

test('a response that the relay does not take is kept, and sent once when the relay is back', async () => {
  const { receive, respond, requested, relay, storage } = openWallet()
  receive(peerRequest(first, 7))
  relay.isAway = true
  await expect(respond(requestAt(requested, 0), { result: '0x12' })).rejects.toMatchObject({
    code: 'relay/unreachable',
  })
  const reloaded = openWallet({ storage })
  reloaded.receive(peerRequest(first, 7))
  expect(reloaded.requested).toEqual([])
  await reloaded.responses.sendUnsent()
  await reloaded.responses.sendUnsent()
  expect(reloaded.published).toEqual([{ topic: first, id: 7, response: '0x12' }])
})

test('the first response to a request counts, and a repeated call sends it again if it was not sent', async () => {
  const { receive, respond, requested, relay, published } = openWallet()
  receive(peerRequest(first, 7))
  relay.isAway = true
  const request = requestAt(requested, 0)
  await expect(respond(request, { result: '0x12' })).rejects.toMatchObject({ code: 'relay/unreachable' })
  relay.isAway = false
  await Promise.all([respond(request, { result: '0x34' }), respond(request, { error: { code: 4001, message: '' } })])
  expect(published).toEqual([{ topic: first, id: 7, response: '0x12' }])
  await expect(respond(request, { result: '0x34' })).rejects.toMatchObject({ code: 'request/expired' })
})

test('a response that was given in time is sent after the request has expired, for a week', async () => {
  const { receive, respond, requested, clock, relay, published, responses } = openWallet()
  receive(peerRequest(first, 7))
  receive(peerRequest(first, 8))
  relay.isAway = true
  for (const request of requested) await expect(respond(request, { result: '0x12' })).rejects.toThrow('unreachable')
  clock.advance(3_600_000)
  await responses.sendUnsent()
  expect(published).toEqual([])
  relay.isAway = false
  await respond(requestAt(requested, 0), { result: '0x12' })
  expect(published).toEqual([{ topic: first, id: 7, response: '0x12' }])
  clock.advance(8 * 24 * 3_600_000)
  await responses.sendUnsent()
  expect(published).toHaveLength(1)
})

test('a response to a request that has expired is refused here, and at the dapp with 8000', async () => {
  const { receive, respond, requested, clock, published } = openWallet()
  receive(peerRequest(first, 7))
  clock.advance(901_000)
  await expect(respond(requestAt(requested, 0), { result: '0x12' })).rejects.toMatchObject({ code: 'request/expired' })
  expect(published).toMatchObject([{ topic: first, id: 7, response: { code: 8000 } }])
})

test('a response without a value is kept and sent as null', async () => {
  const { receive, respond, requested, relay, storage } = openWallet()
  receive(peerRequest(first, 7))
  relay.isAway = true
  await expect(respond(requestAt(requested, 0), { result: undefined })).rejects.toMatchObject({
    code: 'relay/unreachable',
  })
  const reloaded = openWallet({ storage })
  await reloaded.responses.sendUnsent()
  expect(reloaded.published).toEqual([{ topic: first, id: 7, response: null }])
})

test('a response is sent if the storage fails', async () => {
  const storage = lenientStorage(fakeStorage({ denied: true }))
  const { receive, respond, requested, published } = openWallet({ storage })
  receive(peerRequest(first, 7))
  await respond(requestAt(requested, 0), { result: '0x12' })
  receive(peerRequest(first, 7))
  expect(requested).toHaveLength(1)
  await expect.poll(() => published.map(({ response }) => response)).toEqual(['0x12', '0x12'])
})

test('two pages that share the storage send one decision: the first', async () => {
  const storage = fakeStorage()
  const [here, there] = [openWallet({ storage }), openWallet({ storage: storage.otherTab() })]
  for (const page of [here, there]) page.receive(peerRequest(first, 7))
  expect([here.requested, there.requested]).toMatchObject([[{ id: 7 }], [{ id: 7 }]])
  await here.respond(requestAt(here.requested, 0), { result: 'approved' })
  const late = there.respond(requestAt(there.requested, 0), { error: { code: 4001, message: 'no' } })
  await expect(late).rejects.toMatchObject({ code: 'request/expired' })
  expect([...here.published, ...there.published]).toEqual([{ topic: first, id: 7, response: 'approved' }])
})
