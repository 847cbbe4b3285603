import { randomUUID } from 'node:crypto'
import { createMailboxReader } from '@latchkey/testkit/node'
import { expect, type BrowserContext, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { connectButton, openModal, type Urls } from './fixtures.ts'

/**
 * The site on the frame's own host. Playwright's browser denies storage to cross-site frames, so a login there lasts as
 * long as its page. On one site it behaves like a user's browser.
 */
export function siteOf({ web }: Urls): string {
  return web.replace('127.0.0.1', 'localhost')
}

/** A new e-mail address. */
export function someAddress(name = 'visitor'): string {
  return `${name}-${randomUUID().slice(0, 8)}@mail.example`
}

/** Returns the newest mail to an address that contains a text. */
export async function mailTo(
  urls: Urls,
  address: string,
  wanted: RegExp,
  after = 0,
): Promise<{ found: string; id: number }> {
  let result: { found: string; id: number } | undefined
  await expect
    .poll(
      async () => {
        const mails = await createMailboxReader(urls.mailbox).list()
        const mine = mails.filter(({ to, id }) => to.includes(address) && id > after).toSorted((a, b) => b.id - a.id)
        for (const { text, id } of mine) {
          const [, found = ''] = wanted.exec(text) ?? []
          if (found !== '') result ??= { found, id }
        }
        return result !== undefined
      },
      { message: `a mail to ${address} with ${wanted.source}`, intervals: [50, 50, 100] },
    )
    .toBe(true)
  if (result === undefined) throw new Error('There is no such mail.')
  return result
}

const link = /(https?:\/\/\S+\?\S+)/
export const code = /(?:^|\s)(\d{6})(?:\s|\.|$)/m

/** Enters an e-mail address in the modal. */
export async function enterAddress(page: Page, address: string): Promise<Locator> {
  const dialog = await openModal(page)
  const field = dialog.getByRole('textbox', { name: 'Email address' })
  await field.fill(address)
  await field.press('Enter')
  return dialog
}

/** Opens the link of the mail in another context and confirms it with the digits from the modal. */
export async function approveDevice(
  context: BrowserContext,
  urls: Urls,
  address: string,
  digits: string,
  after = 0,
): Promise<void> {
  const { found } = await mailTo(urls, address, link, after)
  const page = await context.newPage()
  await page.goto(found)
  await page.getByLabel('The two digits that the other window shows').fill(digits)
  await page.getByRole('button', { name: /^Yes, / }).click()
  await expect(page.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await page.close()
}

export async function digitsOf(dialog: Locator): Promise<string> {
  const shown = dialog.locator('.match .hidden')
  await expect(shown).toHaveText(/\d \d/)
  return (await shown.innerText()).replaceAll(' ', '')
}

/** Enters a one-time code, which submits itself. */
export async function enterCode(page: Page, typed: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Six-digit code' }).fill(typed)
}

/** Completes a login by e-mail on a new device. */
export async function logInAsNewUser(page: Page, urls: Urls, address: string): Promise<void> {
  const dialog = await enterAddress(page, address)
  await expect(dialog.getByRole('heading', { name: 'Register device' })).toBeVisible()
  await approveDevice(page.context(), urls, address, await digitsOf(dialog))
  await expect(dialog.getByRole('heading', { name: 'Confirm email' })).toBeVisible()
  await enterCode(page, (await mailTo(urls, address, code)).found)
}

/** The embedded wallet's screen above the modal. */
export function screenOf(page: Page): FrameLocator {
  return page.frameLocator('#latchkey-frame')
}

/**
 * Clicks a button of the frame as a person does, until it disappears: a click on a guarded button right after a pointer move
 * doesn't count, and a click while the frame moves misses. If the browser can't prove that the frame is visible, the frame
 * opens a window with the button.
 *
 * @returns the time of the accepted click
 */
export async function respond(page: Page, name: string): Promise<number> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return respondInWindow(page, name)
  return clickGuarded(screenOf(page).getByRole('button', { name, exact: true }))
}

async function respondInWindow(page: Page, name: string): Promise<number> {
  const opened = page.context().waitForEvent('page')
  await screenOf(page).getByRole('button', { name: 'Open the window' }).click()
  const popup = await opened
  return clickGuarded(popup.getByRole('button', { name, exact: true }))
}

async function clickGuarded(button: Locator): Promise<number> {
  let pressed = 0
  // A click while the frame moves or changes doesn't count. The user clicks again.
  await expect(async () => {
    // The window closes after the click that counts.
    if (button.page().isClosed()) return
    await button.hover()
    await expect(button).toBeEnabled()
    await button.click()
    pressed = Date.now()
    if (button.page().isClosed()) return
    await expect(button).toBeHidden({ timeout: 3_000 })
  }).toPass()
  return pressed
}

/** The full addresses of the connected accounts, from the page's hooks. */
export async function addressesOf(page: Page): Promise<{ evm: string; solana: string }> {
  const read = async (namespace: string): Promise<string> => {
    const summary = page.locator('summary', { hasText: `useAccount('${namespace}')` })
    const hookValue = page.getByLabel(`What useAccount('${namespace}') returns`)
    if (!(await hookValue.isVisible())) await summary.click()
    await expect(hookValue).toContainText('"status": "connected"')
    return /"account": "[^"]*:(\w+)"/.exec(await hookValue.innerText())?.[1] ?? ''
  }
  return { evm: await read('eip155'), solana: await read('solana') }
}

/** The test world limits mails to one per second and address. The default is one per 30 seconds. */
export function waitUntilMailedAgain(page: Page): Promise<void> {
  return page.waitForTimeout(1_000)
}

/** Funds an account on the first EVM chain and on Solana. */
export async function fund(urls: Urls, { evm, solana }: { evm: string; solana: string }): Promise<void> {
  await sendRpcRequest(urls.evm, 'anvil_setBalance', [evm, '0x8ac7230489e80000'])
  if (urls.solana !== undefined) await sendRpcRequest(urls.solana, 'requestAirdrop', [solana, 5_000_000_000])
}

async function sendRpcRequest(url: string, method: string, params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response: unknown = await (
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).json()
  expect(response).not.toHaveProperty('error')
}

/** Waits for the end of a login: the connected account appears. Then closes the modal. */
export async function expectConnected(page: Page): Promise<void> {
  await expect(connectButton(page)).toContainText('0x', { timeout: 60_000 })
  const dialog = page.getByRole('dialog')
  // A click misses while the card grows to the height of the account. The user clicks again.
  await expect(async () => {
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Close' }).click({ timeout: 5_000 })
    await expect(dialog).toBeHidden({ timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
}
