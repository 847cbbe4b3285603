import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sirv from 'sirv'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createProject, templates } from '../../packages/cli/src/create/createProject.ts'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { packPackage } from '../lib/packPackage.mjs'
import { root } from '../lib/root.mjs'
import {
  connectWallet,
  expectResponsivePage,
  findFreePort,
  openPage,
  signInAndOut,
  startServer,
} from './templatePages.ts'

const packages = [
  'protocol',
  'core',
  'modal',
  'adapter-kit',
  'react',
  'elements',
  'evm',
  'solana',
  'bitcoin',
  'polkadot',
  'verify',
  'vue',
  'wagmi',
  'walletconnect',
]
/** A folder of the package, so that the apps find the installed dependencies. Git ignores it. */
const parent = join(root, 'packages/cli/.latchkey')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'templates-'))
let chain: Anvil

/** The packages as they are published, next to the installed dependencies. */
beforeAll(async () => {
  chain = await startAnvil()
  const projects = packages.map((name) => `packages/${name}`)
  execFileSync(process.execPath, ['node_modules/ts7/bin/tsc', '-b', ...projects], { cwd: root })
  const scope = join(folder, 'node_modules/@latchkey')
  mkdirSync(scope, { recursive: true })
  for (const name of packages) {
    const { archive } = await packPackage(join(root, 'packages', name), folder)
    mkdirSync(join(scope, name))
    execFileSync('tar', ['xzf', archive, '-C', join(scope, name), '--strip-components=1'])
  }
})
afterAll(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

const servers: readonly string[] = ['express', 'fastify', 'hono']
/** Another test installs Next.js. */
const others: readonly string[] = ['next']

test.each(templates.filter((template) => ![...servers, ...others].includes(template)))(
  'the template %s compiles, builds and connects a wallet',
  { tags: 'browsers' },
  async (template) => {
    const name = `app-${template}`
    const path = await createProject({ folder: join(folder, name), template })
    expect(runTool(path, 'tsc', '--noEmit')).toBe('')
    expect(runTool(path, 'vite', 'build', '--logLevel', 'error')).toBe('')
    const { page, errors } = await openPage(await serveFiles(join(path, 'dist')), chain)
    const isSolana = template === 'solana'
    await connectWallet(page, errors, isSolana ? 'Solana Wallet' : 'Dev Wallet')
    await page.getByRole('button', { name: 'Sign a message' }).click()
    const signature = isSolana ? /^[1-9A-HJ-NP-Za-km-z]{86,88}$/ : /^0x[0-9a-f]{130}$/
    await expect.poll(() => page.locator('output').first().textContent()).toMatch(signature)
    await expectResponsivePage(page, name)
  },
)

test('the template multichain connects wallets of two namespaces', { tags: 'browsers' }, async () => {
  const path = await createProject({ folder: join(folder, 'app-two'), template: 'multichain' })
  expect(runTool(path, 'vite', 'build', '--logLevel', 'error')).toBe('')
  const { page, errors } = await openPage(await serveFiles(join(path, 'dist')), chain)
  await connectWallet(page, errors)
  await page.getByRole('button', { name: 'Connect another wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Solana Wallet' }).click()
  await expect
    .poll(() => page.locator('main li').allTextContents())
    .toEqual([
      expect.stringMatching(/^Ethereum: 0xf39F.*\(Dev Wallet\)$/),
      expect.stringMatching(/^Solana: .*\(Solana Wallet\)$/),
    ])
  expect(errors).toEqual([])
})

test.each(servers)(
  'the template %s compiles, builds, and signs a user in and out',
  { tags: 'browsers' },
  async (template) => {
    const name = `app-${template}`
    const path = await createProject({ folder: join(folder, name), template })
    expect(runTool(path, 'tsc', '--noEmit')).toBe('')
    expect(runTool(path, 'vite', 'build', '--logLevel', 'error', '--outDir', 'dist/page')).toBe('')
    const outputs = ['--ssr', 'server/main.ts', '--outDir', 'dist/server']
    expect(runTool(path, 'vite', 'build', '--logLevel', 'error', ...outputs)).toBe('')
    const port = await findFreePort()
    startServer(path, ['dist/server/main.js'], port)
    expect(await signInAndOut(`http://localhost:${port}`, name, chain)).toEqual([])
  },
)

test('the template express signs a user in and out during development', { tags: 'browsers' }, async () => {
  const path = await createProject({ folder: join(folder, 'app-dev'), template: 'express' })
  const port = await findFreePort()
  startServer(path, [join(root, 'node_modules/vite/bin/vite.js')], port)
  expect(await signInAndOut(`http://localhost:${port}`, 'app-dev', chain)).toEqual([])
})

/** Runs a tool of the repository in a project. @returns its output */
function runTool(path: string, tool: 'tsc' | 'vite', ...args: readonly string[]): string {
  const programs = { tsc: 'ts7/bin/tsc', vite: 'vite/bin/vite.js' }
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', programs[tool]), ...args], {
    cwd: path,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  return stdout + stderr
}

/** Serves a folder until the test ends. */
async function serveFiles(dist: string): Promise<string> {
  const files = sirv(dist)
  const server = createServer((request, response) => files(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens always has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
