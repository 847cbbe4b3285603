import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject } from '../../../packages/cli/src/create/createProject.ts'
import { serveArchives } from '../../bench/serveArchives.mjs'
import { packPackage } from '../../lib/packPackage.mjs'
import { root } from '../../lib/root.mjs'
import { createNpmEnvironment } from '../../release/createNpmEnvironment.mjs'
import { findFreePort, openPage, signInAndOut, startServer } from '../templatePages.ts'

const run = promisify(execFile)
const packages = ['protocol', 'core', 'modal', 'adapter-kit', 'evm', 'react', 'verify', 'walletconnect']
const folder = mkdtempSync(join(tmpdir(), 'latchkey-next-'))
const next = ['node_modules/next/dist/bin/next']
let chain: Anvil
let app: string
let env: NodeJS.ProcessEnv

/** Next.js has its own compiler, so the app is installed as a user of the packages does. */
beforeAll(async () => {
  chain = await startAnvil()
  const archives: string[] = []
  for (const name of packages) archives.push((await packPackage(join(root, 'packages', name), folder)).archive)
  const registry = await serveArchives(archives)
  try {
    env = { ...(await createNpmEnvironment(folder, registry.url)), NEXT_TELEMETRY_DISABLED: '1' }
    app = await createProject({ folder: join(folder, 'app-next'), template: 'next' })
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: app, env })
  } finally {
    registry.close()
  }
})
afterAll(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the template next compiles, builds, and signs a user in and out', { tags: 'browsers' }, async () => {
  await run(process.execPath, [...next, 'build'], { cwd: app, env })
  const port = await findFreePort()
  startServer(app, [...next, 'start'], port)
  expect(await signInAndOut(`http://localhost:${port}`, 'app-next', chain)).toEqual([])
})

test('the template next signs a user in and out during development', { tags: 'browsers' }, async () => {
  const port = await findFreePort()
  startServer(app, [...next, 'dev'], port)
  expect(await signInAndOut(`http://localhost:${port}`, 'app-next', chain)).toEqual([])
})

test('the template next renders the remembered account on the server', { tags: 'browsers' }, async () => {
  const port = await findFreePort()
  startServer(app, [...next, 'start'], port)
  const url = `http://localhost:${port}`
  const { page } = await openPage(url, chain)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Dev Wallet' }).click()
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByText(/^Signed in as 0xf39F/).waitFor()
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const html = await (await fetch(url, { headers: { cookie } })).text()
  expect(html).toContain('0xf3…b92266')
  // The session is hidden from scripts, so the page must not contain it.
  const session = (await page.context().cookies()).find(({ name }) => name.endsWith('session'))
  expect(html).not.toContain(session?.value ?? expect.fail('there is no session'))
})

test('the template next refuses invalid requests and unknown paths', { tags: 'browsers' }, async () => {
  const port = await findFreePort()
  startServer(app, [...next, 'start'], port)
  const url = `http://localhost:${port}`
  await expect.poll(() => fetch(url).then(getStatus, () => 0)).toBe(200)
  const request = async (method: string, path: string, body: string | null = null): Promise<number> =>
    getStatus(await fetch(url + path, { method, body }))
  expect(await request('POST', '/api/sign-in/verify', 'not JSON')).toBe(401)
  expect(await request('POST', '/api/sign-in/verify', 'x'.repeat(64_001))).toBe(413)
  expect(await request('POST', '/api/sign-in/nonce', '{}')).toBe(404)
  expect(await request('GET', '/api/greeting')).toBe(401)
  expect(await request('GET', '/api/unknown')).toBe(404)
  expect(await request('DELETE', '/api/greeting')).toBe(404)
})

const getStatus = ({ status }: Response): number => status
