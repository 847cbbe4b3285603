import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { memoryStorage } from '@latchkey/core'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { startCuttableProxy, type CuttableProxy } from '../testing/interop/cuttableProxy.ts'
import { connectParties, createParties, type Parties } from '../testing/parties.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let parties: Parties
let near: CuttableProxy
let far: CuttableProxy

beforeAll(async () => {
  server = await startTestServer()
  parties = createParties({ relayUrl: server.relayUrl, createSocket: (url) => new WebSocket(url) })
})

beforeEach(async () => {
  near = await startCuttableProxy(server.relayUrl)
  far = await startCuttableProxy(server.relayUrl)
})

afterEach(async () => {
  parties.close()
  await Promise.all([near.close(), far.close()])
})

afterAll(() => server.close())

/** Records the contacted relays. */
function recordDials() {
  const dialled: string[] = []
  const createSocket = (url: string): WebSocket => {
    dialled.push(new URL(url).port)
    return new WebSocket(url)
  }
  return { dialled, createSocket }
}

const portOf = ({ url }: { url: string }): string => new URL(url).port
const sign = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68656c6c6f', '0xab'] } as const

/** Records the subscription ids that the relay names, and those by which the client ends subscriptions. */
function watchSubscriptions() {
  const [named, ended] = [new Set<unknown>(), new Array<unknown>()]
  const createSocket = (url: string): WebSocket => {
    const socket = new WebSocket(url)
    const send = socket.send.bind(socket)
    socket.send = (text: string): void => {
      const { method, params } = JSON.parse(text)
      if (method === 'irn_unsubscribe') ended.push(params.id)
      send(text)
    }
    socket.on('message', (text) => {
      const { result, params } = JSON.parse(String(text))
      for (const id of [result, params?.id].flat()) named.add(id)
    })
    return socket
  }
  return { named, ended, createSocket }
}

describe('a subscription', () => {
  test('ends by the id that the relay named', async () => {
    const { named, ended, createSocket } = watchSubscriptions()
    const [dapp, phone] = [parties.dapp({ createSocket }), parties.phone({ createSocket })]
    const { topic } = await connectParties(dapp, phone)
    await dapp.disconnect(topic)
    // Both sides leave the pairing and the session.
    await expect.poll(() => ended).toHaveLength(4)
    expect(ended.filter((id) => !named.has(id))).toEqual([])
  })
})

describe('several relays', () => {
  test('use only the first one that responds', async () => {
    const { dialled, createSocket } = recordDials()
    await connectParties(parties.dapp({ relayUrl: [near.url, far.url], createSocket }), parties.phone())
    expect(dialled).toEqual([portOf(near)])
  })

  test('use the next one at once if the first is unreachable', async () => {
    near.block()
    const { dialled, createSocket } = recordDials()
    const dapp = parties.dapp({ relayUrl: [near.url, far.url], createSocket })
    await connectParties(dapp, parties.phone())
    expect(dialled).toEqual([portOf(near), portOf(far)])
    expect(dapp.status.get()).toEqual({ state: 'open' })
  })

  test('use the next one at once if the first refuses the app', async () => {
    const refusing = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    refusing.on('connection', (socket) => socket.close(3000, 'Unauthorized: invalid key'))
    await once(refusing, 'listening')
    // A server that listens on a port has an address of this form.
    const url = `ws://127.0.0.1:${(refusing.address() as AddressInfo).port}`
    const { dialled, createSocket } = recordDials()
    await connectParties(parties.dapp({ relayUrl: [url, far.url], createSocket }), parties.phone())
    expect(dialled).toEqual([portOf({ url }), portOf(far)])
    refusing.close()
  })

  test('move all subscriptions to the next one when one is lost, without losing messages', async () => {
    const { dialled, createSocket } = recordDials()
    const dapp = parties.dapp({ relayUrl: [near.url, far.url], createSocket, storage: memoryStorage() })
    const phone = parties.phone()
    const { topic } = await connectParties(dapp, phone)
    const pendingResponse = dapp.request({ topic, ...sign })
    const request = await phone.nextRequest()
    near.block()
    await phone.respond(request, { result: '0xsigned' })
    expect(await pendingResponse).toBe('0xsigned')
    expect(dialled).toEqual([portOf(near), portOf(near), portOf(far)])
    near.restore()
    far.block()
    const again = dapp.request({ topic, ...sign })
    await phone.respond(await phone.nextRequest(), { result: '0xsigned' })
    expect(await again).toBe('0xsigned')
    expect(dialled.slice(3)).toEqual([portOf(near)])
  })
})
