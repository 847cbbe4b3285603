import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { postJsonRpc } from './postJsonRpc.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers) server.closeAllConnections()
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

async function post(listener: RequestListener, maxBytes?: number): Promise<unknown> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = { id: 7, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] }
  return postJsonRpc(url, request, AbortSignal.timeout(10_000), maxBytes === undefined ? {} : { maxBytes })
}

const result = { id: 7, jsonrpc: '2.0', result: '0x1' }

test('a compressed response is read', async () => {
  const response = await post((request, reply) => {
    expect(request.headers['accept-encoding']).toBe('gzip')
    reply.setHeader('content-encoding', 'gzip').end(gzipSync(JSON.stringify(result)))
  })
  expect(response).toEqual(result)
})

test('a small response that decompresses to a large one is refused', async () => {
  const bomb = gzipSync(JSON.stringify({ ...result, result: '0'.repeat(5_000_000) }))
  const posted = post((_request, reply) => reply.setHeader('content-encoding', 'gzip').end(bomb), 1_000_000)
  await expect(posted).rejects.toThrow('larger than 1000000 bytes')
  expect(bomb.length).toBeLessThan(20_000)
})

test('a response that is cut off while it is decompressed is refused', async () => {
  const whole = gzipSync(JSON.stringify(result))
  const posted = post((_request, reply) => reply.setHeader('content-encoding', 'gzip').end(whole.subarray(0, 20)))
  await expect(posted).rejects.toThrow('unexpected end of file')
})

test('a redirect is not followed', async () => {
  let requests = 0
  const posted = post((_request, reply) => {
    requests += 1
    reply.writeHead(307, { location: '/other' }).end()
  })
  await expect(posted).rejects.toThrow('status 307')
  expect(requests).toBe(1)
})
