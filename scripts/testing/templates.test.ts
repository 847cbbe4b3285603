import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import sirv from 'sirv'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createProject, templates } from '../../packages/cli/src/create/createProject.ts'
import { startAnvil, type Anvil } from '../../packages/testkit/src/evm/anvil.ts'
import { installSimulatedExtension } from '../../packages/testkit/src/playwright/installSimulatedExtension.ts'
import { chromiumArguments, findHeadlessChromium } from '../lib/chromium.mjs'
import { packPackage } from '../lib/packPackage.mjs'
import { root } from '../lib/root.mjs'

const packages = ['protocol', 'core', 'modal', 'react', 'elements', 'evm', 'vue', 'wagmi', 'walletconnect']
/** A key of a development chain. It is funded there only. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const folder = mkdtempSync(join(tmpdir(), 'latchkey-templates-'))
let chain: Anvil

/** The packages as they are published, beside the installed dependencies. */
beforeAll(async () => {
  chain = await startAnvil()
  const projects = packages.map((name) => `packages/${name}`)
  execFileSync(process.execPath, ['node_modules/ts7/bin/tsc', '-b', ...projects], { cwd: root })
  const scope = join(folder, 'node_modules/@latchkey')
  mkdirSync(scope, { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@latchkey') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
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

test.each(templates)(
  'the template %s compiles, builds and connects a wallet',
  { tags: 'browsers' },
  async (template) => {
    const name = `app-${template}`
    const path = await createProject({ folder: join(folder, name), template })
    const tools = { tsc: 'ts7/bin/tsc', vite: 'vite/bin/vite.js' }
    const env = { ...process.env, NODE_ENV: 'production' }
    const runTool = (tool: keyof typeof tools, ...args: readonly string[]): string => {
      const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', tools[tool]), ...args], {
        cwd: path,
        env,
        encoding: 'utf8',
      })
      return stdout + stderr
    }
    expect(runTool('tsc', '--noEmit')).toBe('')
    expect(runTool('vite', 'build', '--logLevel', 'error')).toBe('')
    const { page, errors } = await openBuild(join(path, 'dist'))
    const connect = page.getByRole('button', { name: 'Connect', exact: true })
    await expect.poll(async () => [await connect.count(), ...errors]).toEqual([1])
    await connect.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
    await page.getByRole('button', { name: 'Sign a message' }).click()
    await expect.poll(() => page.locator('output').first().textContent()).toMatch(/^0x[0-9a-f]{130}$/)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(255, 255, 255)')
    expect(await page.getByRole('heading', { level: 1 }).first().textContent()).toBe(name)
  },
)

async function openBuild(dist: string) {
  const files = sirv(dist)
  const server = createServer((request, response) => files(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: findHeadlessChromium(), args: chromiumArguments })
  onTestFinished(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  // The templates name public nodes, which a test must not contact.
  await page.route(/^https:/, (route) => route.abort())
  await installSimulatedExtension(page, {
    privateKeys: [key],
    rpcUrls: { 1: chain.url, 11_155_111: chain.url },
    chainId: 1,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${port}/`)
  return { page, errors }
}
