import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { connectParties, partyNetworks } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

/** Sockets to a relay without calls for sessions, with the recorded requests. */
function startOlderRelay(error: { code: number; message: string }) {
  const methods: string[] = []
  class OlderSocket extends WebSocket {
    override send(data: string): void {
      const { id, method } = JSON.parse(data) as { id: string; method?: string }
      if (method !== undefined) methods.push(method)
      if (method?.startsWith('wc_') !== true) return super.send(data)
      const response = JSON.stringify({ id, jsonrpc: '2.0', error })
      queueMicrotask(() => this.emit('message', Buffer.from(response), false))
    }
  }
  return { methods, createSocket: (url: string): WebSocket => new OlderSocket(url) }
}

test.each([
  { code: -32_601, message: 'Method not found' },
  { code: -32_600, message: 'Invalid payload: unknown method' },
])('a session is settled by plain messages if the relay responds $code to calls for sessions', async (error) => {
  const [here, there] = [startOlderRelay(error), startOlderRelay(error)]
  const dapp = parties.dapp({ createSocket: here.createSocket })
  const phone = parties.phone({ createSocket: there.createSocket })
  const { topic } = await connectParties(dapp, phone)
  expect(here.methods).toEqual(expect.arrayContaining(['wc_proposeSession', 'irn_subscribe', 'irn_publish']))
  expect(there.methods).toEqual(expect.arrayContaining(['wc_approveSession', 'irn_subscribe', 'irn_publish']))
  const pendingResponse = dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params: [] })
  await phone.respond(await phone.nextRequest(), { result: '0xsigned' })
  expect(await pendingResponse).toBe('0xsigned')
})

test('no plain messages are sent if the relay supports the calls and refuses them', async () => {
  const { methods, createSocket } = startOlderRelay({ code: -32_000, message: 'Internal error: no room' })
  const dapp = parties.dapp({ createSocket })
  const { signal } = new AbortController()
  await expect(dapp.connect({ networks: partyNetworks, signal })).rejects.toMatchObject({ code: 'request/failed' })
  expect(methods).not.toContain('irn_publish')
})
