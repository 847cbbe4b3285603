import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startWorld, type World, type WorldOptions } from './world.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const pollTimeout = { timeout: 60_000 }

/** A stub server: it listens, returns its environment, and reports that it is ready. */
const stubServer = `
  import { createServer } from 'node:http'
  const server = createServer((request, response) => response.end(JSON.stringify({ pid: process.pid, env: process.env })))
  server.listen(Number(process.env.PORT), '127.0.0.1', () => {
    process.send({ ready: true, url: 'http://127.0.0.1:' + server.address().port })
  })`

const page = '<script type="application/json" id="latchkey-config">{}</script>'

/** A repository with built apps and a stub server. */
async function makeRoot(server: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-world-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const folder of ['server/dist', 'apps/web/dist', 'apps/wallet/dist']) {
    await mkdir(join(root, folder), { recursive: true })
  }
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  await writeFile(join(root, 'server/dist/main.js'), server)
  for (const app of ['web', 'wallet']) await writeFile(join(root, `apps/${app}/dist/index.html`), page)
  return root
}

async function start(server: string, options: Partial<WorldOptions> = {}): Promise<World> {
  const root = await makeRoot(server)
  const world = await startWorld({ root, dataDir: join(root, 'data'), ...options })
  onTestFinished(world.close)
  return world
}

async function readConfig(url: string): Promise<unknown> {
  const text = await (await fetch(url)).text()
  return JSON.parse(/latchkey-config">(.*)<\/script>/.exec(text)?.[1] ?? '')
}

async function requestServer({ urls }: World): Promise<{ pid: number; env: Record<string, string> }> {
  // Written by the stub server above.
  return (await (await fetch(urls.server)).json()) as { pid: number; env: Record<string, string> }
}

test('both apps get the same configuration', { tags: 'faults' }, async () => {
  const { urls } = await start(stubServer)
  const config = await readConfig(urls.web)
  expect(await readConfig(urls.wallet)).toEqual(config)
  const { server, relay, web, wallet } = urls
  expect(config).toMatchObject({
    projectId: expect.stringMatching(/^[0-9a-f]{32}$/),
    server,
    relay,
    web,
    wallet,
    networks: [
      { id: 31337, caipNetworkId: 'eip155:31337', rpcUrls: { default: { http: [urls.evm] } } },
      { id: 31338, caipNetworkId: 'eip155:31338', rpcUrls: { default: { http: [urls.evm2] } } },
      { chainNamespace: 'solana', name: 'Solana Local', rpcUrls: { default: { http: [urls.solana] } } },
      { chainNamespace: 'bip122', name: 'Bitcoin Local', rpcUrls: { default: { http: [urls.bitcoin] } } },
      { chainNamespace: 'polkadot', name: 'Polkadot Local', rpcUrls: { default: { http: [urls.polkadot] } } },
    ],
    tokens: [
      { caipNetworkId: 'eip155:31337', symbol: 'LUSD', decimals: 6 },
      { caipNetworkId: 'eip155:31337', symbol: 'KEY', decimals: 18 },
      { caipNetworkId: 'eip155:31338', symbol: 'LUSD' },
      { caipNetworkId: 'eip155:31338', symbol: 'KEY' },
      { symbol: 'LUSD', decimals: 6 },
    ],
  })
  expect(relay).toBe(`${server.replace('http', 'ws')}/relay`)
})

test('the server gets its chains, limits and the developer wallet', async () => {
  const world = await start(stubServer)
  const { env } = await requestServer(world)
  expect(env).toMatchObject({
    HOST: '127.0.0.1',
    PROJECTS: 'any',
    LIMITS: 'local',
    SERVICES: 'relay,api,auth,shares,frame',
    DEVELOPER_WALLET_URL: world.urls.wallet,
  })
  expect(JSON.parse(await readFile(env['CHAINS_FILE'] ?? '', 'utf8'))).toMatchObject([
    { caipNetworkId: 'eip155:31337', rpcUrls: [world.urls.evm], tokens: [{ symbol: 'LUSD' }, { symbol: 'KEY' }] },
    { caipNetworkId: 'eip155:31338', rpcUrls: [world.urls.evm2] },
    { caipNetworkId: expect.stringMatching(/^solana:/), rpcUrls: [world.urls.solana], tokens: [{ symbol: 'LUSD' }] },
  ])
})

test('the environment of the caller reaches the server', { tags: 'faults' }, async () => {
  const { env } = await requestServer(await start(stubServer, { env: { MAIL_PAUSE_SECONDS: '1', LIMITS: 'public' } }))
  expect(env).toMatchObject({ MAIL_PAUSE_SECONDS: '1', LIMITS: 'public' })
})

test('restartServer keeps the address', { tags: 'faults' }, async () => {
  const world = await start(stubServer)
  const { pid } = await requestServer(world)
  await world.restartServer()
  expect((await requestServer(world)).pid).not.toBe(pid)
})

test(
  'a server that fails to start rejects with its last lines, and no process remains',
  { tags: 'faults' },
  async () => {
    const pids: number[] = []
    const onProcess = (pid: number): void => void pids.push(pid)
    const starting = start(`console.error('PORT must be a port'); process.exit(1)`, { onProcess })
    await expect(starting).rejects.toThrow('The server ended at once (exit code 1). PORT must be a port')
    expect(pids).toHaveLength(3)
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  },
)

test('onExit names the part that exited', { tags: 'faults' }, async () => {
  const exits: string[] = []
  const world = await start(stubServer, { onExit: (name) => void exits.push(name) })
  process.kill((await requestServer(world)).pid, 'SIGKILL')
  await expect.poll(() => exits, pollTimeout).toEqual(['The server'])
})
