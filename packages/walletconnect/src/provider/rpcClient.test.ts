import { getRejection, fakeNetwork, manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { createRpcClient, type RpcUrls } from './rpcClient.ts'

type SentRequest = { url: string; body: unknown }
type Responses = { [url: string]: (signal: AbortSignal) => Response | Promise<Response> }

/** Endpoints without sockets: their responses and the received requests. */
function fakeEndpoints(responses: Responses) {
  const requests: SentRequest[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { url, signal } = new Request(input, init)
    requests.push({ url, body: JSON.parse(String(init?.body)) })
    const response = responses[url]
    if (response === undefined) throw new TypeError('fetch failed')
    return response(signal)
  }
  return { fetch, requests }
}

const first = 'https://first.example/'
const second = 'https://second.example/'
const respondWith =
  (response: object, status = 200) =>
  () =>
    Response.json({ jsonrpc: '2.0', id: 1, ...response }, { status })
const respondWithError = (code: number) => respondWith({ error: { code, message: 'no', data: '0x01' } })
const block = { method: 'eth_blockNumber' }
const both: RpcUrls = { 'eip155:1': [first, second] }

describe('createRpcClient', () => {
  test('sends a JSON-RPC request to the first endpoint', async () => {
    const { fetch, requests } = fakeEndpoints({ [first]: respondWith({ result: '0x10' }) })
    const rpc = createRpcClient({ rpcUrls: both, fetch }, manualClock())
    expect(await rpc.request('eip155:1', { method: 'eth_getCode', params: ['0xab', 'latest'] })).toBe('0x10')
    expect(requests).toEqual([
      { url: first, body: { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: ['0xab', 'latest'] } },
    ])
  })

  test('uses the network’s endpoint if the app has none', async () => {
    const { fetch } = fakeEndpoints({ [second]: respondWith({ result: '0x1' }) })
    const network = fakeNetwork({ rpcUrls: { default: { http: [second] } } })
    expect(await createRpcClient({ networks: [network], fetch }, manualClock()).request('eip155:1', block)).toBe('0x1')
  })

  test('prefers the app’s endpoints to the network’s, and a preferred endpoint to all', async () => {
    const preferred = 'https://preferred.example/'
    const network = fakeNetwork({ rpcUrls: { default: { http: [second] } } })
    const { fetch, requests } = fakeEndpoints({ [second]: respondWith({ result: '0x1' }) })
    const rpc = createRpcClient({ networks: [network], rpcUrls: { 'eip155:1': first }, fetch }, manualClock())
    rpc.prefer('eip155:1', preferred)
    await rpc.request('eip155:1', block)
    expect(requests.map(({ url }) => url)).toEqual([preferred, first, second])
  })

  test.each([
    ['cannot be reached', undefined],
    ['responds with an error status', () => new Response('busy', { status: 503 })],
    ['responds with invalid JSON', () => new Response('<html>')],
    ['exceeds its limit', respondWithError(-32_005)],
  ])('uses the next endpoint if one %s', async (_, response) => {
    const { fetch } = fakeEndpoints({
      ...(response && { [first]: response }),
      [second]: respondWith({ result: '0x2' }),
    })
    expect(await createRpcClient({ rpcUrls: both, fetch }, manualClock()).request('eip155:1', block)).toBe('0x2')
  })

  test('uses the next endpoint if one does not respond for ten seconds', async () => {
    const clock = manualClock()
    const silent = (signal: AbortSignal): Promise<Response> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { fetch, requests } = fakeEndpoints({ [first]: silent, [second]: respondWith({ result: '0x2' }) })
    const reading = createRpcClient({ rpcUrls: both, fetch }, clock).request('eip155:1', block)
    clock.advance(9_999)
    expect(requests).toHaveLength(1)
    clock.advance(1)
    expect(await reading).toBe('0x2')
    expect(clock.waiting()).toBe(0)
  })

  test.each([200, 400])(
    'rejects with the node’s own error without asking another endpoint, status %i',
    async (status) => {
      const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
      const { fetch, requests } = fakeEndpoints({
        [first]: respondWith({ error }, status),
        [second]: respondWith({ result: '0x2' }),
      })
      const network = fakeNetwork({ name: 'Ethereum' })
      const rpc = createRpcClient({ networks: [network], rpcUrls: both, fetch }, manualClock())
      expect(await getRejection(rpc.request('eip155:1', { method: 'eth_call' }))).toMatchObject({
        code: 'rpc/failed',
        context: { network: 'Ethereum', method: 'eth_call', code: 3, reason: 'execution reverted' },
        cause: error,
      })
      expect(requests).toHaveLength(1)
    },
  )

  test('rejects with the error of the last endpoint if all fail', async () => {
    const { fetch } = fakeEndpoints({ [second]: respondWithError(-32_603) })
    const rpc = createRpcClient({ rpcUrls: both, fetch }, manualClock())
    expect(await getRejection(rpc.request('eip155:1', block))).toMatchObject({
      code: 'rpc/failed',
      context: { code: -32_603 },
    })
  })

  test('rejects if no endpoint responds, without path and query in the error [R8.3.12]', async () => {
    const address = 'https://rpc.example/v1/secret?key=hidden'
    const { fetch } = fakeEndpoints({ [address]: () => new Response('', { status: 401 }) })
    const error = await getRejection(
      createRpcClient({ rpcUrls: { 'eip155:1': address }, fetch }, manualClock()).request('eip155:1', block),
    )
    expect(error).toMatchObject({
      code: 'rpc/unreachable',
      context: { network: 'eip155:1' },
      cause: { message: 'HTTP status code: 401' },
    })
    expect(JSON.stringify([error, String(error), String((error as Error).cause)])).not.toMatch(/secret|hidden/)
  })

  test('rejects for a chain without an endpoint before it sends anything [R8.1.3]', async () => {
    const { fetch, requests } = fakeEndpoints({})
    const rpc = createRpcClient({ rpcUrls: both, fetch }, manualClock())
    expect(await getRejection(rpc.request('eip155:5', block))).toMatchObject({ code: 'network/not-found' })
    expect(requests).toEqual([])
  })
})

test.each(['rpc.example', 'ftp://rpc.example', 'https://user:secret@rpc.example'])(
  'refuses the endpoint %s without repeating it in the error',
  (url) => {
    const make = (): unknown => createRpcClient({ rpcUrls: { 'eip155:1': url } }, manualClock())
    expect(make).toThrow(expect.objectContaining({ code: 'config/invalid' }))
    expect(make).not.toThrow(/secret|rpc\.example/)
  },
)
