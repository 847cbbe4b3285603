import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '@latchkey/server/testing'
import { root } from '../lib/root.mjs'
import { requireDeployTool } from './deployTools.mjs'

/** Starts a process of a service, which responds with its name. @returns its address */
async function startService(name: string): Promise<string> {
  const server = createServer((_request, response) => response.end(name))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  // A server that listens on a port has an address of this form.
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts HAProxy with the example, in front of one process of each service. @returns its URL */
async function startProxy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-grown-proxy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [relay, api, auth, shares] = await Promise.all(['relay', 'api', 'auth', 'shares'].map(startService))
  const port = await freePort()
  const text = await readFile(join(root, 'deploy/proxies/haproxy-grown.cfg'), 'utf8')
  const placed = text
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/ *bind :80\n/, '')
    .replace(/ *http-request redirect scheme https.*\n/, '')
    .replace('maxconn 60000', 'maxconn 1000')
    .replaceAll(/10\.0\.0\.1[12]:4602/g, relay ?? '')
    .replaceAll(/10\.0\.0\.1[12]:4603/g, api ?? '')
    .replace('10.0.0.21:4602', auth ?? '')
    .replace('10.0.0.22:4602', shares ?? '')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, placed)
  const proxy = spawn(requireDeployTool('haproxy'), ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(async () => {
    const ended = once(proxy, 'exit')
    proxy.kill('SIGTERM')
    await ended
  })
  return `http://127.0.0.1:${port}`
}

test('the proxy of the scaled-out layout sends each path to the service that has it', async () => {
  const url = await startProxy()
  await expect
    .poll(() =>
      fetch(`${url}/v1`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  const project = '0123456789abcdef0123456789abcdef'
  const services = {
    '/': 'relay',
    '/relay?auth=token': 'relay',
    '/rpc': 'relay',
    '/public-key': 'relay',
    '/push/web-key': 'relay',
    '/clients?projectId=x': 'relay',
    [`/${project}/clients`]: 'relay',
    [`/${project}/clients/did%3Akey%3Az6Mk`]: 'relay',
    '/auth/login': 'auth',
    '/shares/devices': 'shares',
    '/v1/account/clients/balance': 'api',
    '/getWallets': 'api',
  }
  for (const [path, service] of Object.entries(services)) {
    const response = await fetch(url + path)
    expect([path, await response.text()]).toEqual([path, service])
  }
})
