import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { rankedTransport } from './rankedTransport.ts'

type NodeResponse = { result: unknown } | { error: { code: number; message: string } } | 'broken' | 'never'

/** An endpoint with configured responses that counts its requests. */
type Endpoint = { url: string; methods: string[]; response: NodeResponse; close(): Promise<void> }

const endpoints: Endpoint[] = []
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()))
})

async function startEndpoint(response: NodeResponse = { result: '0x1' }): Promise<Endpoint> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string }
      endpoint.methods.push(method)
      if (endpoint.response === 'never') return
      if (endpoint.response === 'broken') return void response.writeHead(502).end('<html>Bad gateway</html>')
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...endpoint.response }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const endpoint: Endpoint = { url: urlOf(server), methods: [], response, close: () => close(server) }
  endpoints.push(endpoint)
  return endpoint
}

function urlOf(server: Server): string {
  // Listening on TCP, so the address is not a pipe's name.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** A clock on which every response takes no time, unless a test advances it. */
function createManualClock(): { time: number; now(): number } {
  return {
    time: 0,
    now() {
      return this.time
    },
  }
}

type Reader = (method?: string) => Promise<unknown>

function read(urls: readonly string[], clock: { now(): number }): Reader {
  const { request } = rankedTransport(urls, 'Testnet', { now: () => clock.now() })({ retryCount: 0 })
  return (method = 'eth_blockNumber') => request({ method })
}

describe('the endpoints of a network', () => {
  test('are tried in order until one responds [R7.3.1]', async () => {
    const [broken, well] = [await startEndpoint('broken'), await startEndpoint({ result: '0x2a' })]
    const sendRequest = read([broken.url, well.url], createManualClock())
    expect(await sendRequest()).toBe('0x2a')
    expect(broken.methods).toEqual(['eth_blockNumber'])
  })

  test('are re-ranked after a failure, and the one that responded comes first [R9.5.6]', async () => {
    const [broken, well] = [await startEndpoint('broken'), await startEndpoint()]
    const sendRequest = read([broken.url, well.url], createManualClock())
    await sendRequest()
    await sendRequest()
    await sendRequest()
    expect(broken.methods).toHaveLength(1)
    expect(well.methods.filter((method) => method === 'eth_blockNumber')).toHaveLength(3)
  })

  test('keep the given order without measurements', async () => {
    const [first, second] = [await startEndpoint(), await startEndpoint('never')]
    const sendRequest = read([first.url, second.url], createManualClock())
    await sendRequest()
    await sendRequest()
    expect(first.methods).toEqual(['eth_blockNumber', 'eth_blockNumber'])
    // A sample request to this endpoint has no response, and no code waits for it.
    await expect.poll(() => second.methods).toEqual(['eth_chainId'])
  })

  test('are ranked by their last ten responses only [R9.5.6]', async () => {
    const clock = createManualClock()
    const [flaky, steady] = [await startEndpoint('broken'), await startEndpoint()]
    const sendRequest = read([flaky.url, steady.url], clock)
    await sendRequest()
    flaky.response = { result: '0x1' }
    const failedRequests = flaky.methods.length
    // The other endpoints are sampled along with real requests, at most every ten seconds.
    for (let round = 1; round <= 10; round += 1) {
      clock.time = round * 10_000
      await sendRequest()
      await expect.poll(() => flaky.methods.length).toBe(failedRequests + round)
    }
    // A response that arrives after the clock moved counts as slow, so that more rounds may be needed.
    const sendAfterInterval = async (): Promise<string | undefined> => {
      clock.time += 10_000
      await sendRequest()
      return flaky.methods.at(-1)
    }
    await expect.poll(sendAfterInterval).toBe('eth_blockNumber')
  })

  test('receive no samples without requests', async () => {
    const [first, second] = [await startEndpoint(), await startEndpoint()]
    read([first.url, second.url], createManualClock())
    await new Promise((resolve) => setImmediate(resolve))
    expect([...first.methods, ...second.methods]).toEqual([])
  })

  test('are sampled at most every ten seconds, along with requests', async () => {
    const clock = createManualClock()
    const [first, second] = [await startEndpoint(), await startEndpoint()]
    const sendRequest = read([first.url, second.url], clock)
    await sendRequest()
    await expect.poll(() => second.methods).toEqual(['eth_chainId'])
    clock.time = 9_999
    await sendRequest()
    expect(second.methods).toHaveLength(1)
    clock.time = 10_000
    await sendRequest()
    await expect.poll(() => second.methods).toHaveLength(2)
  })

  test.each([
    ['a revert', { code: 3, message: 'execution reverted' }],
    ['a revert as an internal error', { code: -32603, message: 'VM Exception: reverted with reason' }],
    ['an invalid-parameters error', { code: -32602, message: 'invalid params' }],
    ['a transaction error', { code: -32000, message: 'nonce too low' }],
  ])('receive no retry after another endpoint returned %s [R7.3.1]', async (_, error) => {
    const [first, second] = [await startEndpoint({ error }), await startEndpoint()]
    const sendRequest = read([first.url, second.url], createManualClock())
    await expect(sendRequest()).rejects.toMatchObject({ details: error.message })
    expect(second.methods).not.toContain('eth_blockNumber')
  })

  test.each([
    ['exceeds its limit', { code: -32005, message: 'limit exceeded' }],
    ['returns an internal error', { code: -32603, message: 'internal error' }],
  ])('are tried in order if one %s', async (_, error) => {
    const [first, second] = [await startEndpoint({ error }), await startEndpoint({ result: '0x7' })]
    expect(await read([first.url, second.url], createManualClock())()).toBe('0x7')
  })

  test('are all named in the error if none responds', async () => {
    const [first, second] = [await startEndpoint('broken'), await startEndpoint('broken')]
    const reading = read([first.url, second.url], createManualClock())()
    // The client around the transport keeps the transport's error as its cause.
    await expect(reading).rejects.toMatchObject({ cause: { code: 'rpc/unreachable', context: { network: 'Testnet' } } })
    expect([first.methods, second.methods].map((methods) => methods.includes('eth_blockNumber'))).toEqual([true, true])
  })

  test('reject as unreachable if the list is empty', async () => {
    await expect(read([], createManualClock())()).rejects.toMatchObject({ cause: { code: 'rpc/unreachable' } })
  })
})
