import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { isInStep } from '../lib/install.mjs'
import { complainAboutNode } from '../lib/nodeVersion.mjs'
import { root } from '../lib/root.mjs'

/** Inside the repository, so that the bundle finds the packages. */
let folder: string
/** Data and addresses of one test. */
let home: string
let started: ChildProcess[]

const page = '<script type="application/json" id="latchkey-config">{}</script>'

const server = `
  import { createServer } from 'node:http'
  if (process.env.FAIL === 'at once') throw new Error('The database is on fire.')
  const server = createServer((request, response) => {
    if (request.url === '/fail') throw new Error('The database is on fire.')
    response.end('here')
  })
  server.listen(Number(process.env.PORT), '127.0.0.1', () => {
    const url = 'http://127.0.0.1:' + server.address().port
    process.send({ ready: true, url, frameUrl: url })
  })`

/** Runs npm start without the installation and the build, and with a server that starts quickly. */
const createProgram = (): string => `
  import { runWorld } from ${JSON.stringify(join(root, 'scripts/lib/runWorld.mjs'))}
  import { startWorld } from './dist/evm/devnet.mjs'
  await runWorld({
    prepare: async () => {},
    openWorld: (request) => startWorld({ ...request, root: ${JSON.stringify(folder)} }),
  })`

beforeAll(async () => {
  await mkdir(join(root, '.latchkey'), { recursive: true })
  folder = await mkdtemp(join(root, '.latchkey/test-start-'))
  for (const part of ['server/dist', 'apps/web/dist', 'apps/wallet/dist', 'dist']) {
    await mkdir(join(folder, part), { recursive: true })
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'server/dist/main.js'), server)
  for (const app of ['web', 'wallet']) await writeFile(join(folder, `apps/${app}/dist/index.html`), page)
  // devnet/src/evm/deploy.ts reads the contracts by a path relative to its own, so the bundle has the same depth.
  await symlink(join(root, 'devnet/src'), join(folder, 'src'))
  await build({
    entryPoints: [join(root, 'devnet/src/index.ts')],
    outfile: join(folder, 'dist/evm/devnet.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['viem', 'viem/*', 'sirv', 'ws', 'litesvm', '@solana/kit', 'smtp-server', 'postal-mime', 'oidc-provider'],
  })
  await writeFile(join(folder, 'start.mjs'), createProgram())
  return () => rm(folder, { recursive: true })
})

beforeEach(async () => {
  home = await mkdtemp(join(folder, 'home-'))
  started = []
})

afterEach(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
})

type StartedProgram = {
  child: ChildProcess
  /** The output so far. */
  output(): string
  /** The exit code, or `undefined` while it runs. */
  ended: Promise<number | null>
}

/** Starts the program, through a shell if npm is its parent. */
function start(environment: Record<string, string> = {}): StartedProgram {
  const ports = [
    'WEB',
    'WALLET',
    'SERVER',
    'EVM',
    'EVM2',
    'SOLANA',
    'BITCOIN',
    'POLKADOT',
    'FRAME',
    'MAILBOX',
    'IDENTITY',
    'DOCS',
  ].map((name) => [`LATCHKEY_${name}_PORT`, '0'])
  const program = join(folder, 'start.mjs')
  // A shell would replace itself by its only command.
  const shell = ['sh', '-c', `"${process.execPath}" "${program}"; exit`] as const
  const [command, ...args] = environment['npm_lifecycle_event'] === undefined ? [process.execPath, program] : shell
  const child = spawn(command, args, {
    env: {
      ...process.env,
      ...Object.fromEntries(ports),
      npm_lifecycle_event: undefined,
      LATCHKEY_DATA_DIR: join(home, 'data'),
      LATCHKEY_URLS: join(home, 'urls.json'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  return { child, output: () => output, ended: new Promise((resolve) => child.once('close', resolve)) }
}

type Urls = Record<
  'web' | 'wallet' | 'server' | 'relay' | 'evm' | 'evm2' | 'solana' | 'bitcoin' | 'polkadot' | 'docs',
  string
>

/** The addresses, once the file exists. */
async function waitUntilReady(start: StartedProgram): Promise<Urls> {
  await expect.poll(() => existsSync(join(home, 'urls.json')) || start.child.exitCode).toBe(true)
  // The program under test writes this file.
  return JSON.parse(await readFile(join(home, 'urls.json'), 'utf8')) as Urls
}

/** Lists the addresses of a world that still respond. */
async function listRespondingUrls({ web, wallet, server: api, evm, evm2 }: Urls): Promise<string[]> {
  const responses = [web, wallet, api, evm, evm2].map(async (url) => {
    const responds = await fetch(url).then(
      () => true,
      () => false,
    )
    return responds ? [url] : []
  })
  return (await Promise.all(responses)).flat()
}

test('start prints and writes the addresses, and stops everything on SIGTERM', async () => {
  const first = start()
  const urls = await waitUntilReady(first)
  expect(Object.keys(urls)).toEqual([
    'web',
    'wallet',
    'server',
    'relay',
    'evm',
    'evm2',
    'frame',
    'mailbox',
    'identity',
    'solana',
    'bitcoin',
    'polkadot',
    'docs',
  ])
  // The file is written before the addresses are printed.
  for (const url of Object.values(urls)) await expect.poll(first.output).toContain(url)
  expect(await listRespondingUrls(urls)).toHaveLength(5)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(await listRespondingUrls(urls)).toEqual([])
  expect(existsSync(join(home, 'urls.json'))).toBe(false)
  expect(existsSync(join(home, 'data/processes.json'))).toBe(false)
})

test('start stops everything if npm is killed, which started it', { tags: 'faults' }, async () => {
  const first = start({ npm_lifecycle_event: 'start' })
  const urls = await waitUntilReady(first)
  first.child.kill('SIGKILL')
  // The output ends with the last process that holds it.
  await first.ended
  expect(first.output()).toContain('Stopping')
  expect(await listRespondingUrls(urls)).toEqual([])
})

test("start counts the terminal's Ctrl-C and npm's repetition as one signal", { tags: 'faults' }, async () => {
  const first = start()
  await waitUntilReady(first)
  first.child.kill('SIGINT')
  await expect.poll(first.output, { interval: 5 }).toContain('Stopping')
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
})

test('start stops everything if a signal arrives during the start', async () => {
  const first = start()
  await expect.poll(() => existsSync(join(home, 'data/processes.json'))).toBe(true)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(first.output()).toBe('Starting the local world …\n\nStopping …\n')
})

test('start lists the ports that are taken and how to choose others', { tags: 'faults' }, async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const first = start({ LATCHKEY_WEB_PORT: String(port), LATCHKEY_EVM_PORT: String(port) })
  expect(await first.ended).toBe(1)
  other.close()
  expect(first.output()).toBe(
    `Port ${port} is taken (web). Free it or set LATCHKEY_WEB_PORT.\n` +
      `Port ${port} is taken (evm). Free it or set LATCHKEY_EVM_PORT.\n`,
  )
})

test('start rejects an invalid port', async () => {
  const first = start({ LATCHKEY_WEB_PORT: 'eighty' })
  expect(await first.ended).toBe(1)
  expect(first.output()).toBe(
    'LATCHKEY_WEB_PORT is "eighty", which is not a port. Use a number up to 65535, or 0 for any free port.\n',
  )
})

test('start prints the last output of a server that fails to start', { tags: 'faults' }, async () => {
  const first = start({ FAIL: 'at once' })
  expect(await first.ended).toBe(1)
  expect(first.output()).toMatch(
    /^Starting the local world …\nThe server ended at once \(exit code 1\)\. [^]*The database is on fire\./,
  )
  expect(existsSync(join(home, 'urls.json'))).toBe(false)
  expect(existsSync(join(home, 'data/processes.json'))).toBe(false)
})

test('start stops everything if a process ends unexpectedly', { tags: 'faults' }, async () => {
  const first = start()
  const urls = await waitUntilReady(first)
  await fetch(`${urls.server}/fail`).catch(() => undefined)
  expect(await first.ended).toBe(1)
  expect(first.output()).toMatch(
    /The server ended unexpectedly, so everything is stopped\.[^]*The database is on fire\./,
  )
  expect(await listRespondingUrls(urls)).toEqual([])
})

test('start stops the processes of a killed start and keeps its data', { tags: 'faults' }, async () => {
  const first = start()
  const left = await waitUntilReady(first)
  await requestChain(left.evm, 'anvil_setBalance', [someone, '0x7'])
  first.child.kill('SIGKILL')
  await first.ended
  expect(await listRespondingUrls(left)).toEqual(expect.arrayContaining([left.evm, left.evm2]))
  await rm(join(home, 'urls.json'))
  const urls = await waitUntilReady(start())
  const here = new Set(Object.values(urls))
  expect((await listRespondingUrls(left)).filter((url) => !here.has(url))).toEqual([])
  expect(await requestChain(urls.evm, 'eth_getBalance', [someone, 'latest'])).toMatchObject({ result: '0x7' })
})

const someone = `0x${'11'.repeat(20)}`

async function requestChain(url: string, method: string, params: readonly string[]): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await fetch(url, { method: 'POST', headers, body })).json()
}

test('start fails if another running start uses the same data', { tags: 'faults' }, async () => {
  const first = start()
  const urls = await waitUntilReady(first)
  const second = start()
  expect(await second.ended).toBe(1)
  expect(second.output()).toBe(
    `Another process uses this data folder (process ${first.child.pid}). Stop it first, or set LATCHKEY_DATA_DIR to another folder.\n`,
  )
  expect(await listRespondingUrls(urls)).toHaveLength(5)
})

test('an old Node.js version is rejected with one sentence', () => {
  expect(complainAboutNode('v20.18.3')).toBe(
    'Latchkey needs Node.js 20.19 or newer; this is v20.18.3. Install a newer one and run the command again.',
  )
  expect(['v20.19.0', 'v22.0.0', 'v24.1.0'].map(complainAboutNode)).toEqual([undefined, undefined, undefined])
})

test('installs if a locked package is missing or has another version, except packages of other systems', () => {
  const wanted = { '': {}, a: { version: '1.0.0' }, b: { version: '1.0.0', optional: true } }
  expect(isInStep(wanted, { a: { version: '1.0.0' } })).toBe(true)
  expect(isInStep(wanted, { a: { version: '1.0.1' } })).toBe(false)
  expect(isInStep(wanted, { b: { version: '1.0.0' } })).toBe(false)
})
