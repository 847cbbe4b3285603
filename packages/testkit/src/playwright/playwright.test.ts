import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { isHex, verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumArguments, requireHeadlessChromium } from '../../../../scripts/lib/chromium.mjs'
import { startAnvil, type Anvil } from '../evm/anvil.ts'
import { waitForReceipt } from '../evm/requestChain.ts'
import { installSimulatedExtension, type InstallOptions } from './installSimulatedExtension.ts'

/** The strictest policy: only the page's own script, no connections, and Trusted Types without policies. */
const policy = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

/** The page's own script. It collects announced wallets and the events of each. */
const script = `
  globalThis.wallets = []
  globalThis.received = []
  globalThis.violations = []
  addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    if (wallets.some(({ provider }) => provider === detail.provider)) return
    wallets.push(detail)
    for (const name of ['accountsChanged', 'chainChanged', 'disconnect']) {
      detail.provider.on(name, (value) => received.push([name, value]))
    }
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
`

let chain: Anvil
let site: Server
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  site = createServer(({ url }, response) => {
    response.setHeader('content-security-policy', policy)
    if (url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/page.js"></script>')
  })
  const listening = new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()))
  const launching = chromium.launch({ executablePath: requireHeadlessChromium(), args: chromiumArguments })
  ;[chain, browser] = await Promise.all([startAnvil(), launching, listening])
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await Promise.all([browser.close(), chain.stop()])
})
beforeEach(async () => {
  context = await browser.newContext()
  page = await context.newPage()
})
afterEach(() => context.close())

function createOptions(): InstallOptions {
  return {
    privateKeys: ['0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'],
    rpcUrls: { 31_337: chain.url },
    chainId: 31_337,
    info: { name: 'Test Extension', rdns: 'test.latchkey.extension' },
  }
}

function open(target: Page): Promise<unknown> {
  // The server listens on TCP, so the address is not a pipe name.
  return target.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
}

/** Evaluates an expression in the page, where the script declares the globals. */
function read(target: Page, expression: string): Promise<unknown> {
  return target.evaluate(expression)
}

function request(target: Page, args: { method: string; params?: unknown }): Promise<unknown> {
  const call = `wallets[0].provider.request(${JSON.stringify(args)})`
  return read(target, `${call}.catch(({ code, message }) => ({ code, message }))`)
}

/** Requests a signature and sets `answered` once it settles. */
async function startSignature(target: Page): Promise<void> {
  const signing = `wallets[0].provider.request({ method: 'personal_sign', params: ['0x01', '${address}'] })`
  await read(target, `globalThis.answered = false; void ${signing}.finally(() => (answered = true))`)
}

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('simulated extension in a browser page with a strict CSP', () => {
  test('announces itself, signs and sends transactions without a CSP violation', async () => {
    await installSimulatedExtension(page, createOptions())
    await open(page)
    expect(await read(page, 'wallets.map(({ info }) => info.rdns)')).toEqual(['test.latchkey.extension'])
    expect(await request(page, { method: 'eth_requestAccounts' })).toEqual([address])
    const signature = await request(page, { method: 'personal_sign', params: ['0x48656c6c6f', address] })
    if (!isHex(signature)) expect.unreachable('The wallet gave no signature.')
    expect(await verifyMessage({ address, message: 'Hello', signature })).toBe(true)
    const transaction = { from: address, to: address, value: '0x1' }
    const hash = await request(page, { method: 'eth_sendTransaction', params: [transaction] })
    expect(await waitForReceipt(chain.url, String(hash))).toMatchObject({ status: '0x1' })
    expect(await read(page, 'violations')).toEqual([])
  })

  test('passes rejections to the page with their code', async () => {
    const extension = await installSimulatedExtension(page, createOptions())
    await open(page)
    extension.rejectNext()
    const result = await request(page, { method: 'eth_requestAccounts' })
    expect(result).toEqual({ code: 4001, message: 'User rejected the request.' })
    expect(extension.requests.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  })

  test('leaves one request pending and handles later requests', async () => {
    const extension = await installSimulatedExtension(page, { ...createOptions(), permitted: true })
    await open(page)
    extension.neverRespondNext()
    await startSignature(page)
    expect(await request(page, { method: 'eth_accounts' })).toEqual([address])
    expect(await read(page, 'answered')).toBe(false)
  })

  test('vanishNext leaves the request and later requests pending and emits disconnect', async () => {
    const extension = await installSimulatedExtension(page, { ...createOptions(), permitted: true })
    await open(page)
    extension.vanishNext()
    await startSignature(page)
    await expect.poll(() => read(page, 'received')).toMatchObject([['disconnect', { code: 1013 }]])
    const reading = `wallets[0].provider.request({ method: 'eth_accounts' })`
    const later = `new Promise((resolve) => setTimeout(resolve, 50, 'nothing'))`
    expect(await read(page, `Promise.race([${reading}, ${later}])`)).toBe('nothing')
    expect(await read(page, 'answered')).toBe(false)
  })

  test('emits provider events in the page', async () => {
    const extension = await installSimulatedExtension(page, { ...createOptions(), permitted: true })
    await open(page)
    extension.setChain(1)
    extension.revoke()
    await expect
      .poll(() => read(page, 'received'))
      .toEqual([
        ['chainChanged', '0x1'],
        ['accountsChanged', []],
      ])
    extension.uninstall()
    await expect.poll(() => read(page, 'received.at(-1)')).toMatchObject(['disconnect', { code: 1013 }])
  })

  test('keeps the permission of the page after a reload', async () => {
    await installSimulatedExtension(page, createOptions())
    await open(page)
    await request(page, { method: 'eth_requestAccounts' })
    await page.reload()
    expect(await request(page, { method: 'eth_accounts' })).toEqual([address])
  })

  test('announces itself after announceAfter', async () => {
    await page.clock.install()
    await installSimulatedExtension(page, { ...createOptions(), announceAfter: 60_000 })
    await open(page)
    expect(await read(page, 'wallets.length')).toBe(0)
    await page.clock.fastForward(60_000)
    await expect.poll(() => read(page, 'wallets.length')).toBe(1)
  })

  test('works as one wallet in two tabs and as two wallets in one tab', async () => {
    const extension = await installSimulatedExtension(context, createOptions())
    await installSimulatedExtension(page, createOptions())
    const tab = await context.newPage()
    await Promise.all([open(page), open(tab)])
    expect(await read(page, 'wallets.length')).toBe(2)
    expect(await read(tab, 'wallets.length')).toBe(1)
    await request(tab, { method: 'eth_requestAccounts' })
    extension.setChain(1)
    for (const each of [page, tab])
      await expect.poll(() => read(each, 'received')).toContainEqual(['chainChanged', '0x1'])
  })
})
