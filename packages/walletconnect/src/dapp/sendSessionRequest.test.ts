import { memoryStorage } from '@latchkey/core'
import { fakeAccount, fakeNetwork, manualClock } from '@latchkey/core/testing'
import type { Network } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { RequestState, SessionRequest } from './sendSessionRequest.ts'
import type { Dapp } from './dapp.ts'
import type { Session } from '../session/session.ts'
import { connectParties } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

const bitcoin = fakeNetwork({ namespace: 'bip122', id: '000000000019d6689c085ae165831e93' })
const sign = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68656c6c6f', '0xab'] } as const

/** Sends a request and records its states. */
function sendPendingRequest(dapp: Dapp, { topic }: Session, request: Partial<SessionRequest> = {}) {
  const states: RequestState[] = []
  const outcome = dapp.request({ topic, ...sign, onState: (state) => states.push(state), ...request }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
  return { states, outcome }
}

/** Sockets that can lose all incoming messages while outgoing ones still arrive. */
function createDeafNetwork() {
  let isDeaf = false
  return {
    deafen: () => void (isDeaf = true),
    createSocket(url: string): WebSocket {
      const socket = new WebSocket(url)
      socket.prependListener('message', () => {
        if (isDeaf) socket.removeAllListeners('message')
      })
      return socket
    },
  }
}

describe('a session request', () => {
  test('reports the states sent, delivered and responded', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const { states, outcome } = sendPendingRequest(dapp, await connectParties(dapp, phone))
    const request = await phone.nextRequest()
    await expect.poll(() => states).toEqual(['sent', 'delivered'])
    expect(dapp.openRequests()).toMatchObject([{ id: request.id, method: 'personal_sign', chainId: 'eip155:1' }])
    await phone.respond(request, { result: '0xsigned' })
    expect(await outcome).toEqual({ result: '0xsigned' })
    expect(states).toEqual(['sent', 'delivered', 'responded'])
    expect(dapp.openRequests()).toEqual([])
  })

  test.each([
    [4001, 'request/rejected', 'rejected'],
    [-32_000, 'request/failed', 'responded'],
    [8000, 'request/expired', 'expired'],
  ])('rejects the wallet’s error %d as %s with the state %s', async (code, expected, last) => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const { states, outcome } = sendPendingRequest(dapp, await connectParties(dapp, phone))
    await phone.respond(await phone.nextRequest(), { error: { code, message: 'no' } })
    expect(await outcome).toMatchObject({ error: { code: expected } })
    expect(states.at(-1)).toBe(last)
    expect(dapp.openRequests()).toEqual([])
  })

  test.each<[string, string, Network?]>([
    ['personal_sign', 'unknown'],
    ['wallet_getCapabilities', 'expired'],
    ['getAccountAddresses', 'expired', bitcoin],
    ['sendTransfer', 'unknown', bitcoin],
  ])('with %s is %s after fifteen minutes without a response', async (method, last, network = fakeNetwork()) => {
    const clock = manualClock(Date.now())
    const [dapp, phone] = [parties.dapp({ clock }), parties.phone({ clock })]
    const chainId = network.caipNetworkId
    const session = await connectParties(dapp, phone, { networks: [network], accounts: [fakeAccount(chainId)] })
    const { states, outcome } = sendPendingRequest(dapp, session, { method, chainId })
    const { expiry } = await phone.nextRequest()
    expect(Math.abs(expiry - clock.now() / 1000 - 900)).toBeLessThan(30)
    clock.advance(899_000)
    await expect.poll(() => states).toEqual(['sent', 'delivered'])
    clock.advance(1000)
    expect(await outcome).toMatchObject({ error: { code: `request/${last}` } })
    expect(states).toEqual(['sent', 'delivered', last])
  })

  test.each([
    [10, 300],
    [86_400, 86_400],
    [9_999_999, 604_800],
  ])('with an expiry of %d seconds waits %d seconds', async (expiry, seconds) => {
    const clock = manualClock(Date.now())
    const [dapp, phone] = [parties.dapp({ clock }), parties.phone({ clock })]
    sendPendingRequest(dapp, await connectParties(dapp, phone), { expiry })
    const request = await phone.nextRequest()
    expect(Math.abs(request.expiry - clock.now() / 1000 - seconds)).toBeLessThan(30)
  })

  test('is unknown, not failed, if the relay stops responding after it was sent', async () => {
    const clock = manualClock(Date.now())
    const { createSocket, deafen } = createDeafNetwork()
    const [dapp, phone] = [parties.dapp({ clock, createSocket }), parties.phone({ clock })]
    const session = await connectParties(dapp, phone)
    deafen()
    const { states, outcome } = sendPendingRequest(dapp, session)
    await phone.respond(await phone.nextRequest(), { result: '0xsigned' })
    for (let second = 0; second < 900; second += 5) clock.advance(5000)
    expect(await outcome).toMatchObject({ error: { code: 'request/unknown' } })
    expect(states).toEqual(['sent', 'unknown'])
  })

  test('is unknown if the session ends before the response, because it may be signed', async () => {
    const [dapp, phone] = [parties.dapp(), parties.phone()]
    const session = await connectParties(dapp, phone)
    const signing = sendPendingRequest(dapp, session)
    const reading = sendPendingRequest(dapp, session, { method: 'wallet_getCapabilities' })
    await phone.nextRequest()
    await phone.disconnect(session.topic)
    expect(await signing.outcome).toMatchObject({
      error: { code: 'request/unknown', cause: { code: 'session/ended' } },
    })
    expect(await reading.outcome).toMatchObject({ error: { code: 'session/ended' } })
    expect([signing.states.at(-1), reading.states.at(-1)]).toEqual(['unknown', 'expired'])
  })

  test('stays open after a reload, and its late response is reported', async () => {
    const storage = memoryStorage()
    const before = parties.dapp({ storage })
    const phone = parties.phone()
    const session = await connectParties(before, phone)
    const { outcome } = sendPendingRequest(before, session)
    const request = await phone.nextRequest()
    before.close()
    expect(await outcome).toMatchObject({ error: { code: 'request/unknown' } })

    const after = parties.dapp({ storage })
    expect(after.openRequests()).toMatchObject([{ id: request.id, topic: session.topic, method: 'personal_sign' }])
    const responses: unknown[] = []
    after.listen(session.topic, {
      updated() {},
      event() {},
      ended() {},
      responded: ({ id }, response) => responses.push({ id, response }),
    })
    after.restore()
    await phone.respond(request, { result: '0xsigned' })
    await expect.poll(() => responses).toEqual([{ id: request.id, response: { result: '0xsigned' } }])
    expect(after.openRequests()).toEqual([])
  })

  test('has no state if it was never sent', async () => {
    const clock = manualClock(Date.now())
    const storage = memoryStorage()
    const session = await connectParties(parties.dapp({ clock, storage }), parties.phone({ clock }))
    const dapp = parties.dapp({ clock, storage, createSocket: () => expect.fail('no network') })
    const { states, outcome } = sendPendingRequest(dapp, session)
    clock.advance(60_000)
    expect(await outcome).toMatchObject({ error: { code: 'relay/unreachable' } })
    expect(states).toEqual([])
    expect(dapp.openRequests()).toEqual([])
  })
})
