import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { testKeys } from '@latchkey/testkit'
import type { Anvil } from '@latchkey/testkit/node'
import { installSimulatedSolanaWallet } from '@latchkey/testkit/playwright'
import { chromiumArguments, findHeadlessChromium } from '../lib/chromium.mjs'
import { installDevWallet } from './installDevWallet.mjs'

/** Signs in and out in the page of a sign-in server. @returns the errors of the page */
export async function signInAndOut(url: string, name: string, chain: Anvil): Promise<readonly string[]> {
  const { page, errors } = await openPage(url, chain)
  await connectWallet(page, errors)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click()
  const output = page.getByText(/^Signed in as 0xf39F/)
  await output.waitFor()
  await page.reload()
  await output.waitFor()
  await expectResponsivePage(page, name)
  const getGreetingStatus = (): Promise<number> => page.evaluate(async () => (await fetch('/api/greeting')).status)
  expect(await getGreetingStatus()).toBe(200)
  expect(await page.evaluate(() => document.cookie)).not.toMatch(/nonce|session/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
  await expect.poll(getGreetingStatus).toBe(401)
  return errors
}

/** Connects a wallet by its name. Fails at once if the page has errors. */
export async function connectWallet(page: Page, errors: readonly string[], wallet = 'Dev Wallet'): Promise<void> {
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  await expect.poll(async () => [await connect.count(), ...errors]).toEqual([1])
  await connect.click()
  await page.getByRole('dialog').getByRole('button', { name: wallet }).click()
}

export async function expectResponsivePage(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(255, 255, 255)')
  expect(await page.getByRole('heading', { level: 1 }).first().textContent()).toBe(name)
}

/** Starts a program of a project, and stops it after the test. */
export function startServer(path: string, program: readonly string[], port: number): void {
  const env = {
    ...process.env,
    PORT: String(port),
    NODE_ENV: undefined,
    VITEST: undefined,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const child = spawn(process.execPath, program, { cwd: path, env, stdio: 'inherit' })
  onTestFinished(() => void child.kill())
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function openPage(url: string, chain: Anvil) {
  const browser = await chromium.launch({ executablePath: findHeadlessChromium(), args: chromiumArguments })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  // A development server compiles each route at its first request, which takes long on a busy machine.
  page.setDefaultTimeout(180_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await installDevWallet(page, chain.url)
  await installSimulatedSolanaWallet(page, {
    privateKeys: [testKeys.solana[0]],
    // It signs messages without a node.
    rpcUrls: { 'solana:mainnet': 'http://127.0.0.1' },
    info: { name: 'Solana Wallet' },
  })
  await expect
    .poll(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  await page.goto(url)
  return { page, errors }
}
