import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startTestServer } from '@latchkey/server/testing'
import { startAnvil } from '@latchkey/testkit/node'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { runCommand } from '../runCommand.ts'
import { diagnose } from './diagnose.ts'

/** Writes files into a new folder. */
function writeFolder(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const createManifest = (version: string): object => ({ version })

/** Serves one response. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

const servePage = (policy: string, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
  serve((_, response) =>
    response.writeHead(200, { 'content-security-policy': policy, ...headers }).end('<!doctype html>'),
  )

const textsOf = async (target: string, options?: Parameters<typeof diagnose>[1]): Promise<readonly string[]> =>
  (await diagnose(target, options)).filter(({ severity }) => severity !== 'ok').map(({ text }) => text)

/** Runs a command line and returns what it wrote. */
async function run(...args: readonly string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const code = await runCommand(args, { write: (line) => void lines.push(line), isLive: false })
  return { code, text: lines.join('\n') }
}

test('doctor finds packages that are installed twice, and packages of Latchkey with different versions', async () => {
  const folder = writeFolder({
    'node_modules/@latchkey/core/package.json': createManifest('0.1.0'),
    'node_modules/@latchkey/evm/package.json': createManifest('0.2.0'),
    'node_modules/react/package.json': createManifest('19.0.0'),
    'node_modules/some-library/node_modules/react/package.json': createManifest('18.2.0'),
    'node_modules/viem/package.json': createManifest('2.57.1'),
    'node_modules/@scope/tool/node_modules/viem/package.json': createManifest('2.40.0'),
  })
  expect(await textsOf(folder)).toEqual([
    'The packages of Latchkey have different versions: @latchkey/core 0.1.0, @latchkey/evm 0.2.0.',
    'react is installed 2 times: 19.0.0 in node_modules/react, 18.2.0 in node_modules/some-library/node_modules/react.',
    'viem is installed 2 times: 2.40.0 in node_modules/@scope/tool/node_modules/viem, 2.57.1 in node_modules/viem.',
  ])
})

test('doctor finds a missing project, a missing relay, and empty variables', async () => {
  const folder = writeFolder({
    'node_modules/@latchkey/core/package.json': createManifest('0.1.0'),
    '.env': 'VITE_LATCHKEY_RELAY_URL=\nOTHER=\n',
    'src/a.ts': "import { walletConnect } from '@latchkey/walletconnect'\nwalletConnect({ relayUrl, metadata })",
    'src/b.ts': "import { walletConnect } from '@latchkey/walletconnect'\nwalletConnect({ ...options })",
    'dist/c.js': "'@latchkey/walletconnect'; walletConnect({})",
  })
  expect(await textsOf(folder)).toEqual([
    'src/a.ts: walletConnect() has no projectId.',
    '.env: VITE_LATCHKEY_RELAY_URL is empty.',
  ])
})

test('doctor without a problem exits with 0, with a problem with 1, with a wrong command line with 2', async () => {
  const healthy = writeFolder({ 'node_modules/@latchkey/core/package.json': createManifest('0.1.0') })
  expect(await run('doctor', healthy)).toMatchObject({ code: 0, text: expect.stringMatching(/No problems found\.$/) })
  const empty = await run('doctor', writeFolder({}))
  expect(empty).toMatchObject({ code: 1, text: expect.stringMatching(/1 problem found\.$/) })
  expect(empty.text).toMatch(/Run npm install/)
  expect((await run('doctor', '/does/not/exist')).code).toBe(2)
  expect((await run('doctor', healthy, '--rpc', 'nonsense')).code).toBe(2)
  expect((await run('unknown')).code).toBe(2)
  expect((await run('--help')).code).toBe(0)
})

test.each([
  ["default-src 'self'", 4],
  ["default-src 'self'; connect-src https: wss: http://127.0.0.1:*; frame-src https://wallet.example.org", 0],
  ["connect-src wss://*.example.org https://api.example.org/v1/ http://127.0.0.1:*; frame-src 'none'", 2],
  ["connect-src 'self'; connect-src *", 3],
  ['frame-ancestors *', 0],
])('doctor finds what the policy "%s" blocks', async (policy, count) => {
  const rpc = await serve((_, response) =>
    response.setHeader('access-control-allow-origin', '*').end('{"result":"0x1"}'),
  )
  const url = await servePage(policy)
  const findings = await diagnose(url, {
    server: 'https://api.example.org/v1/',
    frame: 'https://wallet.example.org/',
    rpc,
  })
  const relay = await diagnose(url, { relay: 'wss://relay.example.org:1/relay' })
  const blocked = [...findings, ...relay].filter(({ text }) => text.startsWith('The content security policy blocks'))
  expect(blocked).toHaveLength(count)
  for (const { advice } of blocked) expect(advice).toMatch(/^Add \S+ to (connect|frame)-src\.$/)
})

test('doctor reports a page that does not respond, and a clock that differs', async () => {
  expect(await textsOf('http://127.0.0.1:9/')).toEqual(['http://127.0.0.1:9/ does not respond.'])
  const missing = await serve((_, response) => response.writeHead(404).end())
  expect(await textsOf(missing)).toEqual([`${missing} responds with 404.`])
  const late = await servePage("default-src 'self'", { date: new Date(Date.now() - 600_000).toUTCString() })
  expect(await textsOf(late)).toEqual([expect.stringMatching(/^The clock of this machine is (599|60\d) s ahead of /)])
})

test('doctor reads the policy of a meta element', async () => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="connect-src 'self'">`
  const url = await serve((_, response) => response.end(meta))
  expect(await textsOf(url, { server: 'https://api.example.org' })).toContain(
    'The content security policy blocks the data service https://api.example.org.',
  )
})

test('doctor asks nodes for their chain', async () => {
  const chain = await startAnvil()
  onTestFinished(() => chain.stop())
  const folder = writeFolder({ 'node_modules/@latchkey/core/package.json': createManifest('0.1.0') })
  expect((await diagnose(folder, { rpc: chain.url })).map(({ text }) => text)).toContain(
    `The node ${chain.url} serves chain 31337.`,
  )
  const closed = await serve((_, response) => response.end('{"result":"0x1"}'))
  expect(await textsOf(folder, { rpc: closed })).toEqual([expect.stringMatching(/^Browsers may not read/)])
  expect(await textsOf(folder, { rpc: 'http://127.0.0.1:9' })).toEqual([expect.stringMatching(/can't be read/)])
})

const projectId = 'ab'.repeat(16)
const pageOrigin = 'https://app.example.org'

test('doctor names a project that the services do not know, and an origin that they do not allow', async () => {
  const folder = writeFolder({ 'node_modules/@latchkey/core/package.json': createManifest('0.1.0') })
  const projects = [{ id: projectId, allowedOrigins: [pageOrigin] }]
  const { url, close } = await startTestServer({ services: ['relay', 'api'], projects })
  onTestFinished(close)
  const relay = `${url.replace('http', 'ws')}/relay`
  const services = [`The relay ${relay}`, `The data service ${url}`]
  const check = (options: object) => textsOf(folder, { relay, server: url, ...options })
  expect(await check({ project: projectId, origin: `${pageOrigin}/path` })).toEqual([])
  expect(await check({ project: projectId, origin: 'https://other.example' })).toEqual(
    services.map(
      (service) => `${service} does not allow the origin https://other.example for the project ${projectId}.`,
    ),
  )
  const unknown = 'cd'.repeat(16)
  expect(await check({ project: unknown, origin: pageOrigin })).toEqual(
    services.map((service) => `${service} does not know the project ${unknown}.`),
  )
  expect(await check({ origin: pageOrigin })).toEqual(services.map((service) => `${service} requires a project id.`))
  expect((await run('doctor', folder, '--relay', relay, '--project', unknown)).code).toBe(1)
  const accepted = await diagnose(folder, { relay, server: url, project: projectId, origin: pageOrigin })
  const texts = accepted.map(({ text }) => text)
  expect(texts).toContain(`The relay ${relay} accepts the project ${projectId} and the origin ${pageOrigin}.`)
  expect(texts).toContainEqual(expect.stringMatching(/^The data service \S+ lists [1-9]\d* wallets\.$/))
})

test('doctor sends the origin of the page', async () => {
  const received: (string | undefined)[] = []
  const service = await serve(({ headers }, response) => {
    received.push(headers.origin)
    response.end()
  })
  const page = await servePage('default-src *')
  await diagnose(`${page}/path`, { relay: service.replace('http', 'ws'), server: service })
  expect(received.slice(0, 2)).toEqual([page, page])
})

test.each([
  [401, 'no access', /^The relay \S+ refuses the app: 401 no access$/],
  [403, 'Forbidden: this address is blocked', /^The relay \S+ refuses this machine: 403 Forbidden/],
  [400, '', /^The relay \S+ refuses the app: 400$/],
])('doctor reports a relay that responds with %i %s', async (status, text, expected) => {
  const folder = writeFolder({ 'node_modules/@latchkey/core/package.json': createManifest('0.1.0') })
  const url = await serve((_, response) => response.writeHead(status).end(text))
  expect(await textsOf(folder, { relay: url.replace('http', 'ws') })).toEqual([expect.stringMatching(expected)])
})

test('doctor reports a data service that is away, is none, lists no wallets, or cannot be read by pages', async () => {
  const folder = writeFolder({ 'node_modules/@latchkey/core/package.json': createManifest('0.1.0') })
  const respond = (body: string) => serve((_, response) => response.end(body))
  expect(await textsOf(folder, { server: 'http://127.0.0.1:9' })).toEqual([expect.stringMatching(/can't be reached/)])
  expect(await textsOf(folder, { server: await respond('<!doctype html>') })).toEqual([
    expect.stringMatching(/has no wallet list: it responds with 200/),
  ])
  const empty = await respond('{"data":[],"count":0}')
  expect(await textsOf(folder, { server: empty, origin: pageOrigin })).toEqual([
    `Pages of ${pageOrigin} may not read responses of the data service ${empty}.`,
    `The data service ${empty} lists no wallets.`,
  ])
})

test('doctor connects to relays', async () => {
  const folder = writeFolder({ 'node_modules/@latchkey/core/package.json': createManifest('0.1.0') })
  const relay = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => relay.close())
  await new Promise((resolve) => relay.once('listening', resolve))
  const { port } = relay.address() as AddressInfo
  expect(await textsOf(folder, { relay: `ws://127.0.0.1:${port}` })).toEqual([])
  const refusing = await serve((_, response) => response.writeHead(404).end())
  const server = new URL(refusing).port
  expect(await textsOf(folder, { relay: `ws://127.0.0.1:${server}/wrong` })).toHaveLength(1)
  expect(await textsOf(folder, { relay: 'ws://127.0.0.1:9' })).toEqual([expect.stringMatching(/can't be reached/)])
  expect(await textsOf(folder, { relay: 'https://relay.example.org' })).toEqual([
    'https://relay.example.org is not a WebSocket address.',
  ])
})
