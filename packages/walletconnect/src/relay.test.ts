import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { memoryStorage } from '@latchkey/core'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { layLine, type Line } from './interop/line.ts'
import { connectParties, makeParties, type Parties } from './testing/parties.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let parties: Parties
let near: Line
let far: Line

beforeAll(async () => {
  server = await startTestServer()
  parties = makeParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
}, 60_000)

beforeEach(async () => {
  near = await layLine(server.relayUrl)
  far = await layLine(server.relayUrl)
})

afterEach(async () => {
  parties.close()
  await Promise.all([near.close(), far.close()])
})

afterAll(() => server.close())

/** Remembers which relays were dialled. */
function watched() {
  const dialled: string[] = []
  const createSocket = (url: string): WebSocket => {
    dialled.push(new URL(url).port)
    return new WebSocket(url)
  }
  return { dialled, createSocket }
}

const portOf = ({ url }: { url: string }): string => new URL(url).port
const sign = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68656c6c6f', '0xab'] } as const

describe('several relays', () => {
  test('of which the first answers: no other is dialled', async () => {
    const { dialled, createSocket } = watched()
    await connectParties(parties.dapp({ relayUrl: [near.url, far.url], createSocket }), parties.phone())
    expect(dialled).toEqual([portOf(near)])
  })

  test('of which the first is out of reach: the next is used at once', async () => {
    near.block()
    const { dialled, createSocket } = watched()
    const dapp = parties.dapp({ relayUrl: [near.url, far.url], createSocket })
    await connectParties(dapp, parties.phone())
    expect(dialled).toEqual([portOf(near), portOf(far)])
    expect(dapp.status.get()).toEqual({ state: 'open' })
  })

  test('of which the first refuses the app: the next is used at once', async () => {
    const refusing = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    refusing.on('connection', (socket) => socket.close(3000, 'Unauthorized: invalid key'))
    await once(refusing, 'listening')
    // A server that listens on a port has an address of this form.
    const url = `ws://127.0.0.1:${(refusing.address() as AddressInfo).port}`
    const { dialled, createSocket } = watched()
    await connectParties(parties.dapp({ relayUrl: [url, far.url], createSocket }), parties.phone())
    expect(dialled).toEqual([portOf({ url }), portOf(far)])
    refusing.close()
  })

  test('of which one is lost: all listening goes over to the other, and nothing is lost', async () => {
    const { dialled, createSocket } = watched()
    const dapp = parties.dapp({ relayUrl: [near.url, far.url], createSocket, storage: memoryStorage() })
    const phone = parties.phone()
    const { topic } = await connectParties(dapp, phone)
    const asking = dapp.request({ topic, ...sign })
    const request = await phone.nextRequest()
    near.block()
    await phone.respond(request, { result: '0xsigned' })
    expect(await asking).toBe('0xsigned')
    expect(dialled).toEqual([portOf(near), portOf(near), portOf(far)])
    near.mend()
    far.block()
    const again = dapp.request({ topic, ...sign })
    await phone.respond(await phone.nextRequest(), { result: '0xsigned' })
    expect(await again).toBe('0xsigned')
    expect(dialled.slice(3)).toEqual([portOf(near)])
  })
})
