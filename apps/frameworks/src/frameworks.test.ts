import { mkdtemp, readFile, rm, writeFile, cp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installSimulatedExtension } from '@latchkey/testkit/playwright'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { chromium, type Browser } from 'playwright'
import sirv from 'sirv'
import { compile, compileModule } from 'svelte/compiler'
import { generatePrivateKey } from 'viem/accounts'
import { build, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chromiumArguments, findHeadlessChromium } from '../../../scripts/lib/chromium.mjs'
import { bundleScript } from '../../../scripts/lib/bundlePackage.mjs'

const folder = fileURLToPath(new URL('..', import.meta.url))
const pages = ['react', 'mount', 'elements', 'vue', 'svelte'] as const

/** Nothing inline, nothing from another origin except the node. */
const createPolicy = (rpc: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${rpc}; base-uri 'none'`

let chain: Anvil
let browser: Browser
let site: { url: string; close(): Promise<void> }
beforeAll(async () => {
  chain = await startAnvil()
  site = await serveSite(await buildSite(), createPolicy(chain.url))
  browser = await chromium.launch({ executablePath: findHeadlessChromium(), args: chromiumArguments })
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await chain.stop()
})

/** Compiles components of Svelte. */
const svelte: Plugin = {
  name: 'svelte',
  transform(code, id) {
    if (id.endsWith('.svelte')) return compile(code, { generate: 'client', filename: id, css: 'external' }).js
    if (/\.svelte\.[jt]s$/.test(id)) return compileModule(code, { generate: 'client', filename: id }).js
    return undefined
  },
}

/** Builds the examples and the file for script tags. */
async function buildSite(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'latchkey-frameworks-'))
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    plugins: [svelte],
    resolve: { conditions: ['source', 'module', 'browser'], dedupe: ['react', 'react-dom'] },
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: pages.map((name) => join(folder, `${name}.html`)) },
    },
  })
  const script = join(folder, 'src/script')
  const integrity = await bundleScript(join(folder, '../../packages/script'), outDir)
  const html = await readFile(join(script, 'script.html'), 'utf8')
  await writeFile(join(outDir, 'script.html'), html.replace('%INTEGRITY%', integrity))
  await writeFile(join(outDir, 'changed.html'), html.replace('%INTEGRITY%', `sha384-${'A'.repeat(64)}`))
  await cp(join(script, 'main.js'), join(outDir, 'main.js'))
  return outDir
}

async function serveSite(outDir: string, csp: string): Promise<typeof site> {
  const files = sirv(outDir, { setHeaders: (response) => response.setHeader('content-security-policy', csp) })
  const server = createServer((request, response) => files(request, response, () => void response.writeHead(404).end()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(outDir, { recursive: true })
    },
  }
}

async function openPage(name: string) {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await installSimulatedExtension(page, {
    privateKeys: [generatePrivateKey()],
    rpcUrls: { 31_337: chain.url, 31_338: chain.url },
    chainId: 31_337,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
  await page.goto(`${site.url}/${name}.html?rpc=${encodeURIComponent(chain.url)}`)
  return { page, problems }
}

test.each([...pages, 'script'])(
  '%s: connect, sign, switch and disconnect work with a strict policy',
  { tags: 'browsers' },
  async (name) => {
    const { page, problems } = await openPage(name)
    const status = page.locator('output')
    const press = (button: string): Promise<void> => page.getByRole('button', { name: button, exact: true }).click()
    await expect.poll(async () => [await status.textContent(), ...problems]).toEqual(['disconnected Local 31337'])
    await press('Connect')
    await page.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
    await expect.poll(() => status.textContent()).toBe('connected Local 31337')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: /0x/ }).count()).toBe(1)
    await press('Sign')
    await expect.poll(() => page.locator('p').first().textContent()).toMatch(/^0x[0-9a-f]{130}$/)
    await press('Switch')
    await expect.poll(() => status.textContent()).toBe('connected Local 31338')
    await press('Leave')
    await expect.poll(() => status.textContent()).toBe('disconnected Local 31338')
    expect(problems).toEqual([])
  },
)

test('a page refuses a script file with another hash', async () => {
  const { page, problems } = await openPage('changed')
  await expect.poll(() => problems.join(' ')).toMatch(/integrity/)
  expect(await page.getByRole('button', { name: 'Connect' }).count()).toBe(0)
})
