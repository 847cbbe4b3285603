import { failureOf, fakeNetwork, manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { createRpc, type RpcUrls } from './rpc.ts'

type Asked = { url: string; body: unknown }
type Answers = { [url: string]: (signal: AbortSignal) => Response | Promise<Response> }

/** Endpoints without sockets: what each answers, and what they were asked. */
function endpoints(answers: Answers) {
  const asked: Asked[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { url, signal } = new Request(input, init)
    asked.push({ url, body: JSON.parse(String(init?.body)) })
    const answer = answers[url]
    if (answer === undefined) throw new TypeError('fetch failed')
    return answer(signal)
  }
  return { fetch, asked }
}

const first = 'https://first.example/'
const second = 'https://second.example/'
const says =
  (answer: object, status = 200) =>
  () =>
    Response.json({ jsonrpc: '2.0', id: 1, ...answer }, { status })
const refuses = (code: number) => says({ error: { code, message: 'no', data: '0x01' } })
const block = { method: 'eth_blockNumber' }
const both: RpcUrls = { 'eip155:1': [first, second] }

describe('a read', () => {
  test('is a JSON-RPC call to the first endpoint', async () => {
    const { fetch, asked } = endpoints({ [first]: says({ result: '0x10' }) })
    const rpc = createRpc({ rpcUrls: both, fetch }, manualClock())
    expect(await rpc.ask('eip155:1', { method: 'eth_getCode', params: ['0xab', 'latest'] })).toBe('0x10')
    expect(asked).toEqual([
      { url: first, body: { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: ['0xab', 'latest'] } },
    ])
  })

  test('goes to the network’s own endpoint when the app names none', async () => {
    const { fetch } = endpoints({ [second]: says({ result: '0x1' }) })
    const network = fakeNetwork({ rpcUrls: { default: { http: [second] } } })
    expect(await createRpc({ networks: [network], fetch }, manualClock()).ask('eip155:1', block)).toBe('0x1')
  })

  test('goes to the app’s endpoints before the network’s, and to a preferred one before all', async () => {
    const preferred = 'https://preferred.example/'
    const network = fakeNetwork({ rpcUrls: { default: { http: [second] } } })
    const { fetch, asked } = endpoints({ [second]: says({ result: '0x1' }) })
    const rpc = createRpc({ networks: [network], rpcUrls: { 'eip155:1': first }, fetch }, manualClock())
    rpc.prefer('eip155:1', preferred)
    await rpc.ask('eip155:1', block)
    expect(asked.map(({ url }) => url)).toEqual([preferred, first, second])
  })

  test.each([
    ['cannot be reached', undefined],
    ['answers with a status that is no success', () => new Response('busy', { status: 503 })],
    ['answers nonsense', () => new Response('<html>')],
    ['is over its limit', refuses(-32_005)],
  ])('goes on to the next endpoint when one %s', async (_, answer) => {
    const { fetch } = endpoints({ ...(answer && { [first]: answer }), [second]: says({ result: '0x2' }) })
    expect(await createRpc({ rpcUrls: both, fetch }, manualClock()).ask('eip155:1', block)).toBe('0x2')
  })

  test('goes on to the next endpoint when one says nothing for ten seconds', async () => {
    const clock = manualClock()
    const silent = (signal: AbortSignal): Promise<Response> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { fetch, asked } = endpoints({ [first]: silent, [second]: says({ result: '0x2' }) })
    const reading = createRpc({ rpcUrls: both, fetch }, clock).ask('eip155:1', block)
    clock.advance(9_999)
    expect(asked).toHaveLength(1)
    clock.advance(1)
    expect(await reading).toBe('0x2')
    expect(clock.waiting()).toBe(0)
  })

  test.each([200, 400])(
    'fails with the node’s own error, which no other endpoint is asked again, status %i',
    async (status) => {
      const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
      const { fetch, asked } = endpoints({ [first]: says({ error }, status), [second]: says({ result: '0x2' }) })
      const network = fakeNetwork({ name: 'Ethereum' })
      const rpc = createRpc({ networks: [network], rpcUrls: both, fetch }, manualClock())
      expect(await failureOf(rpc.ask('eip155:1', { method: 'eth_call' }))).toMatchObject({
        code: 'rpc/failed',
        context: { network: 'Ethereum', method: 'eth_call', code: 3, reason: 'execution reverted' },
        cause: error,
      })
      expect(asked).toHaveLength(1)
    },
  )

  test('fails with what the last endpoint told when none is well', async () => {
    const { fetch } = endpoints({ [second]: refuses(-32_603) })
    const rpc = createRpc({ rpcUrls: both, fetch }, manualClock())
    expect(await failureOf(rpc.ask('eip155:1', block))).toMatchObject({
      code: 'rpc/failed',
      context: { code: -32_603 },
    })
  })

  test('fails when no endpoint answers, with neither path nor query of an address in it [R8.3.12]', async () => {
    const address = 'https://rpc.example/v1/secret?key=hidden'
    const { fetch } = endpoints({ [address]: () => new Response('', { status: 401 }) })
    const error = await failureOf(
      createRpc({ rpcUrls: { 'eip155:1': address }, fetch }, manualClock()).ask('eip155:1', block),
    )
    expect(error).toMatchObject({
      code: 'rpc/unreachable',
      context: { network: 'eip155:1' },
      cause: { message: 'HTTP status code: 401' },
    })
    expect(JSON.stringify([error, String(error), String((error as Error).cause)])).not.toMatch(/secret|hidden/)
  })

  test('of a chain without an endpoint fails before anything is sent [R8.1.3]', async () => {
    const { fetch, asked } = endpoints({})
    const rpc = createRpc({ rpcUrls: both, fetch }, manualClock())
    expect(await failureOf(rpc.ask('eip155:5', block))).toMatchObject({ code: 'network/not-found' })
    expect(asked).toEqual([])
  })
})

test.each(['rpc.example', 'ftp://rpc.example', 'https://user:secret@rpc.example'])(
  'refuses %s as an endpoint, and does not repeat it',
  (url) => {
    const make = (): unknown => createRpc({ rpcUrls: { 'eip155:1': url } }, manualClock())
    expect(make).toThrow(expect.objectContaining({ code: 'config/invalid' }))
    expect(make).not.toThrow(/secret|rpc\.example/)
  },
)
