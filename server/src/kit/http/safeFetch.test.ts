import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AddressNotAllowedError, createSafeFetch, type SafeFetch, type SafeFetchOptions } from './safeFetch.ts'

let inside: Server
let port: number
let connections: number
let paths: string[]
const opened: SafeFetch[] = []

const behaviour: Record<string, (response: ServerResponse) => void> = {
  '/ok': (response) => response.setHeader('content-type', 'text/plain').end('fine'),
  '/redirect': (response) => response.writeHead(302, { location: '/secret' }).end(),
  '/bomb': (response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(10_000_000), { level: 9 })),
  '/endless': (response) => {
    response.write('x')
    const more = setInterval(() => response.write('x'.repeat(10_000)), 1)
    response.on('close', () => clearInterval(more))
  },
  '/large': (response) => response.end('x'.repeat(1_000_000)),
  '/silent': () => undefined,
}

beforeAll(async () => {
  inside = createServer((request, response) => {
    paths.push(request.url ?? '')
    const behave = behaviour[request.url ?? '']
    if (behave === undefined) response.writeHead(404).end()
    else behave(response)
  })
  inside.on('connection', () => (connections += 1))
  // All of 127.0.0.0/8 is this machine: several addresses without a network.
  await new Promise<void>((resolve) => inside.listen(0, '0.0.0.0', resolve))
  // A server that listens on a port has an address of this form.
  port = (inside.address() as AddressInfo).port
})
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  inside.closeAllConnections()
  await new Promise((resolve) => inside.close(resolve))
})
beforeEach(() => {
  connections = 0
  paths = []
})

function open(options: SafeFetchOptions = {}): SafeFetch {
  const made = createSafeFetch(options)
  opened.push(made)
  return made
}

const createUrl = (path: string, host = '127.0.0.1'): string => `http://${host}:${port}${path}`

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'ipfs://bafy/',
  'not an address',
  'https://',
  'https://user@example.com/',
  'https://user:word@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com:8443/',
  'https://example.com:22/',
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://127%2e0%2e0%2e1/',
  'https://127。0。0。1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://10.0.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
])('safeFetch rejects the URL %s [P-06]', async (url) => {
  const refuse = async (): Promise<never> => {
    throw new Error('No name may be asked for.')
  }
  await expect(open({ resolve: refuse }).fetch(url, { maxBytes: 100 })).rejects.toBeInstanceOf(AddressNotAllowedError)
})

test.each([
  ['localhost', ['127.0.0.1', '::1']],
  ['localhost.', ['127.0.0.1']],
  ['alias-of-a-private-name.example', ['10.0.0.1']],
  ['metadata.example', ['169.254.169.254']],
  ['one-of-several.example', ['8.8.8.8', '127.0.0.1']],
  ['mapped.example', ['::ffff:127.0.0.1']],
])('safeFetch rejects the host %s that resolves to %j [P-06]', async (name, addresses) => {
  const requests: string[] = []
  const resolve = async (hostname: string): Promise<Array<{ address: string; family: number }>> => {
    requests.push(hostname)
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  const going = open({ resolve }).fetch(`https://${name}/`, { maxBytes: 100 })
  await expect(going).rejects.toBeInstanceOf(AddressNotAllowedError)
  expect(requests).toEqual([name])
})

test('safeFetch connects to the checked address when the DNS record changes afterwards [P-06]', async () => {
  const [outside, secret] = ['127.0.0.1', '127.0.0.2']
  const resolved = [outside, secret, outside, secret]
  const resolve = async (): Promise<Array<{ address: string; family: number }>> => [
    { address: resolved.shift() ?? secret, family: 4 },
  ]
  const options: SafeFetchOptions = { allowPrivate: true, isAllowed: (address) => address === outside, resolve }
  const reached: Array<string | undefined> = []
  inside.on('connection', (socket) => reached.push(socket.localAddress))
  expect((await open(options).fetch(createUrl('/ok', 'rebinding.example'), { maxBytes: 100 })).status).toBe(200)
  const again = open(options).fetch(createUrl('/ok', 'rebinding.example'), { maxBytes: 100 })
  await expect(again).rejects.toBeInstanceOf(AddressNotAllowedError)
  expect(reached).toEqual([outside])
})

test('safeFetch follows no redirect [P-06]', async () => {
  const { status } = await open({ allowPrivate: true }).fetch(createUrl('/redirect'), { maxBytes: 100 })
  expect(status).toBe(302)
  expect(paths).toEqual(['/redirect'])
})

test('safeFetch connects to no private address unless configured', async () => {
  await expect(open().fetch(createUrl('/ok').replace('http', 'https'), { maxBytes: 100 })).rejects.toThrow(
    AddressNotAllowedError,
  )
  expect(connections).toBe(0)
  const { status, contentType, body } = await open({ allowPrivate: true }).fetch(createUrl('/ok'), { maxBytes: 4 })
  expect({ status, contentType, text: Buffer.from(body).toString() }).toEqual({
    status: 200,
    contentType: 'text/plain',
    text: 'fine',
  })
})

test('safeFetch limits the size of a response and does not decompress it [P-06]', async () => {
  const { fetch } = open({ allowPrivate: true })
  await expect(fetch(createUrl('/ok'), { maxBytes: 3 })).rejects.toThrow('longer than 3 bytes')
  await expect(fetch(createUrl('/endless'), { maxBytes: 100_000 })).rejects.toThrow('longer than 100000 bytes')
  expect((await fetch(createUrl('/bomb'), { maxBytes: 100_000 })).body.length).toBeLessThan(100_000)
  expect((await fetch(createUrl('/endless'), { maxBytes: 0 })).body.length).toBe(0)
  expect((await fetch(createUrl('/large'), { maxBytes: 0 })).body.length).toBe(0)
})

test('safeFetch rejects after its timeout', async () => {
  const { fetch } = open({ allowPrivate: true, timeoutMs: 50 })
  await expect(fetch(createUrl('/silent'), { maxBytes: 100 })).rejects.toThrow('timeout')
  await expect(fetch(createUrl('/endless'), { maxBytes: 1_000_000_000 })).rejects.toThrow('timeout')
})
