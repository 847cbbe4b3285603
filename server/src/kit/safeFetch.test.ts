import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AddressRefused, createSafeFetch, type SafeFetch, type SafeFetchOptions } from './safeFetch.ts'

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

const at = (path: string, host = '127.0.0.1'): string => `http://${host}:${port}${path}`

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
])('never goes to %s [P-06]', async (url) => {
  const refuse = async (): Promise<never> => {
    throw new Error('No name may be asked for.')
  }
  await expect(open({ resolve: refuse }).fetch(url, { bytes: 100 })).rejects.toBeInstanceOf(AddressRefused)
})

test.each([
  ['localhost', ['127.0.0.1', '::1']],
  ['localhost.', ['127.0.0.1']],
  ['alias-of-a-private-name.example', ['10.0.0.1']],
  ['metadata.example', ['169.254.169.254']],
  ['one-of-several.example', ['8.8.8.8', '127.0.0.1']],
  ['mapped.example', ['::ffff:127.0.0.1']],
])('never goes to %s, a name that leads to %j [P-06]', async (name, addresses) => {
  const asked: string[] = []
  const resolve = async (hostname: string): Promise<Array<{ address: string; family: number }>> => {
    asked.push(hostname)
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  const going = open({ resolve }).fetch(`https://${name}/`, { bytes: 100 })
  await expect(going).rejects.toBeInstanceOf(AddressRefused)
  expect(asked).toEqual([name])
})

test('goes to the address that was looked at, though the name leads elsewhere a moment later [P-06]', async () => {
  const [outside, secret] = ['127.0.0.1', '127.0.0.2']
  const answers = [outside, secret, outside, secret]
  const resolve = async (): Promise<Array<{ address: string; family: number }>> => [
    { address: answers.shift() ?? secret, family: 4 },
  ]
  const options: SafeFetchOptions = { allowPrivate: true, isAllowed: (address) => address === outside, resolve }
  const reached: Array<string | undefined> = []
  inside.on('connection', (socket) => reached.push(socket.localAddress))
  expect((await open(options).fetch(at('/ok', 'rebinding.example'), { bytes: 100 })).status).toBe(200)
  const again = open(options).fetch(at('/ok', 'rebinding.example'), { bytes: 100 })
  await expect(again).rejects.toBeInstanceOf(AddressRefused)
  expect(reached).toEqual([outside])
})

test('follows no redirect [P-06]', async () => {
  const { status } = await open({ allowPrivate: true }).fetch(at('/redirect'), { bytes: 100 })
  expect(status).toBe(302)
  expect(paths).toEqual(['/redirect'])
})

test('connects to nothing of its own network unless it is told to', async () => {
  await expect(open().fetch(at('/ok').replace('http', 'https'), { bytes: 100 })).rejects.toThrow(AddressRefused)
  expect(connections).toBe(0)
  const { status, contentType, body } = await open({ allowPrivate: true }).fetch(at('/ok'), { bytes: 4 })
  expect({ status, contentType, text: Buffer.from(body).toString() }).toEqual({
    status: 200,
    contentType: 'text/plain',
    text: 'fine',
  })
})

test('takes no more of an answer than it wants, and blows none up [P-06]', async () => {
  const { fetch } = open({ allowPrivate: true })
  await expect(fetch(at('/ok'), { bytes: 3 })).rejects.toThrow('longer than 3 bytes')
  await expect(fetch(at('/endless'), { bytes: 100_000 })).rejects.toThrow('longer than 100000 bytes')
  expect((await fetch(at('/bomb'), { bytes: 100_000 })).body.length).toBeLessThan(100_000)
  expect((await fetch(at('/endless'), { bytes: 0 })).body.length).toBe(0)
  expect((await fetch(at('/large'), { bytes: 0 })).body.length).toBe(0)
})

test('waits no longer than it was told', async () => {
  const { fetch } = open({ allowPrivate: true, patience: 50 })
  await expect(fetch(at('/silent'), { bytes: 100 })).rejects.toThrow('timeout')
  await expect(fetch(at('/endless'), { bytes: 1_000_000_000 })).rejects.toThrow('timeout')
})
