import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectRelayClient, freePort, startTestServer } from '@latchkey/server/testing'
import { root } from '../lib/root.mjs'
import { requireDeployTool } from './deployTools.mjs'

const connectionsPerAddress = 2
let folder = ''
let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-proxies-'))
  // Workers of nginx run as another user.
  await chmod(folder, 0o755)
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const subject = ['-subj', '/CN=relay.example.org', '-days', '1', '-nodes', '-newkey', 'rsa:2048']
  await promisify(execFile)('openssl', ['req', '-x509', ...subject, ...files])
  const [key, certificate] = await Promise.all([readText('privkey.pem'), readText('fullchain.pem')])
  await writeFile(join(folder, 'haproxy.pem'), certificate + key)
  server = await startTestServer({
    services: ['relay'],
    trustedProxies: 1,
    relayLimits: { connectionsPerAddress },
  })
  // The certificate is of this test.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
})

afterAll(async () => {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function readText(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8')
}

/** Places an example of deploy/ in the folder of the test, with the ports and files of the test. */
async function placeExample(name: string, port: number): Promise<string> {
  const text = await readFile(join(root, 'deploy/proxies', name), 'utf8')
  const upstream = new URL(server.url).host
  const file = join(folder, name)
  const placed = text
    .replaceAll('/etc/ssl/latchkey', folder)
    .replaceAll('/var/log/nginx', folder)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/ *listen \[::\]:443.*\n/, '')
    .replace('bind :443 ssl', `bind 127.0.0.1:${port} ssl`)
    .replace(/ *bind :80\n/, '')
    // The test process may have a lower limit of file descriptors.
    .replace('maxconn 60000', 'maxconn 1000')
    .replace('127.0.0.1:4602', upstream)
    .replace(/ *server (?:second )?127\.0\.0\.1:4603.*\n/, '')
  await writeFile(file, placed)
  return file
}

async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('The proxy ended at once.')
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
}

const proxies = [
  {
    name: 'nginx' as const,
    file: 'nginx.conf',
    options: (file: string) => ['-c', file, '-e', join(folder, 'error.log'), '-g', `daemon off; pid ${folder}/pid;`],
  },
  { name: 'haproxy' as const, file: 'haproxy.cfg', options: (file: string) => ['-f', file, '-db'] },
]

describe.each(proxies)('a relay behind $name', ({ name, file, options }) => {
  let proxy: ChildProcess
  let url = ''

  beforeAll(async () => {
    const port = await freePort()
    proxy = spawn(requireDeployTool(name), options(await placeExample(file, port)), { stdio: 'ignore' })
    await waitUntilListening(port, proxy)
    url = `https://127.0.0.1:${port}`
    // HAProxy serves nothing until it has checked the server.
    while ((await fetch(`${url}/health`)).status !== 200) await sleep(50)
  })

  afterAll(async () => {
    proxy.kill('SIGTERM')
    if (proxy.exitCode === null) await once(proxy, 'exit')
  })

  test('serves websockets over TLS', async () => {
    const client = await connectRelayClient(url.replace('https', 'wss'))
    const message = { topic: 'ab'.repeat(32), message: `over ${name}`, ttl: 300, tag: 0 }
    expect(await client.request('irn_publish', message)).toMatchObject({ result: true })
    await client.close()
  })

  test('hides the state of the process and the metrics', async () => {
    const paths = ['ready', 'live', 'metrics']
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(`${url}/${path}`)).status))
    expect(statuses).toEqual([404, 404, 404])
  })

  test('an attacker cannot pretend to be several addresses', async () => {
    const pretend = (address: string) =>
      connectRelayClient(url.replace('https', 'wss'), { headers: { 'x-forwarded-for': address } })
    const accepted = await Promise.all(['198.51.100.1', '198.51.100.2'].map(pretend))
    await expect(pretend('198.51.100.3')).rejects.toThrow('429')
    await Promise.all(accepted.map((client) => client.close()))
  })

  test('logs no query, which has tokens', async () => {
    await fetch(`${url}/health?auth=canary`)
    const log = name === 'nginx' ? await readText('latchkey.log') : ''
    expect(log).not.toContain('canary')
    expect(log).not.toContain('auth=')
  })
})
