import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { connectClickHouse, isClickHouseUnavailable } from './connectClickHouse.ts'

const secret = 'p4ss-w0rd'
let servers: Server[] = []
let now = 0

afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  servers = []
})

/** Starts an HTTP server in place of ClickHouse. Returns a URL with a password. */
async function listen(respond: RequestListener): Promise<string> {
  const server = createServer(respond)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo
  return `clickhouse://latchkey:${secret}@127.0.0.1:${port}/histories`
}

const connect = (url: string) => connectClickHouse({ url, clock: { now: () => now } })
const respondOne: RequestListener = (_request, response) => void response.end('{"one":1}\n')

test('the error of an unreachable server names its host and database, and not the password', async () => {
  const url = await listen(respondOne)
  await new Promise((resolve) => servers[0]?.close(resolve))
  servers = []
  const error: unknown = await connect(url).catch((reason: unknown) => reason)
  expect(String(error)).toMatch(/The ClickHouse at 127\.0\.0\.1:\d+\/histories cannot be used: .*ECONNREFUSED/)
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret)
})

test('the error of a refused password contains the sentence of the server', async () => {
  const url = await listen((_request, response) => {
    response.writeHead(403).end('Code: 516. DB::Exception: latchkey: Authentication failed. (AUTHENTICATION_FAILED)')
  })
  await expect(connect(url)).rejects.toThrow('cannot be used: latchkey: Authentication failed.')
})

test('parameters are separate from the statement, and credentials are not part of the URL', async () => {
  const urls: string[] = []
  const bodies: string[] = []
  const url = await listen((request, response) => {
    urls.push(request.url ?? '')
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      bodies.push(body)
      response.end('{"one":1}\n')
    })
  })
  const clickHouse = await connect(url)
  await clickHouse.select('select {name:String} as one', { name: "x'; drop table index_history --" })
  expect(bodies.at(-1)).toBe('select {name:String} as one \nFORMAT JSONEachRow')
  const { searchParams } = new URL(urls.at(-1) ?? '', 'http://localhost')
  expect(searchParams.get('param_name')).toBe(String.raw`x\'; drop table index_history --`)
  expect(urls.join()).not.toContain(secret)
  await clickHouse.close()
})

test('a server that fails repeatedly is not asked for five seconds, then asked again', async () => {
  let [requests, isBroken] = [0, false]
  const url = await listen((request, response) => {
    requests += 1
    if (isBroken) request.socket.destroy()
    else respondOne(request, response)
  })
  const clickHouse = await connect(url)
  isBroken = true
  for (let each = 0; each < 40; each += 1) {
    const error: unknown = await clickHouse.select('select 1 as one', {}).catch((reason: unknown) => reason)
    expect(isClickHouseUnavailable(error)).toBe(true)
  }
  expect(requests).toBeLessThan(30)
  expect(clickHouse.isResponding()).toBe(false)
  isBroken = false
  await expect(clickHouse.select('select 1 as one', {})).rejects.toThrow('did not respond before')
  now += 5_000
  expect(await clickHouse.select('select 1 as one', {})).toEqual([{ one: 1 }])
  expect(clickHouse.isResponding()).toBe(true)
  await clickHouse.close()
})

test('an error of a statement is not an outage', async () => {
  let isWrong = false
  const url = await listen((request, response) => {
    if (!isWrong) return respondOne(request, response)
    response.writeHead(404).end('Code: 60. DB::Exception: Unknown table. (UNKNOWN_TABLE)')
  })
  const clickHouse = await connect(url)
  isWrong = true
  for (let each = 0; each < 30; each += 1) {
    await expect(clickHouse.execute('drop table missing')).rejects.toThrow('Unknown table')
  }
  expect(clickHouse.isResponding()).toBe(true)
  await clickHouse.close()
})

test('rows are inserted in statements of at most about 8 MiB', { tags: 'faults' }, async () => {
  const sizes: number[] = []
  let rows = 0
  const url = await listen((request, response) => {
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      rows += chunk.filter((byte) => byte === 0x0a).length
    })
    request.on('end', () => {
      if (request.url?.includes('insert+into') === true) sizes.push(size)
      response.end('{"one":1}\n')
    })
  })
  const clickHouse = await connect(url)
  rows = 0
  const values = Array.from({ length: 20 }, (_, index) => [index, 'x'.repeat(1024 * 1024)])
  await clickHouse.insert('histories', ['number', 'text'], values)
  expect(sizes).toHaveLength(3)
  expect(Math.max(...sizes)).toBeLessThan(9.1 * 1024 * 1024)
  expect(rows).toBe(20)
  await clickHouse.close()
})
