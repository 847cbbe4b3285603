import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { approveDevice, screenOf, someAddress } from './embeddedLogin.ts'
import { openModal, type Urls } from './fixtures.ts'

/** The providers whose page opens in a window, as the modal calls them. */
export const providers = ['Google', 'Apple', 'Facebook', 'GitHub', 'X', 'Discord'] as const

export type Provider = (typeof providers)[number]

/** Somebody that no provider met before. */
export type Somebody = { readonly name: string; readonly email: string }

export function somebody(): Somebody {
  return { name: 'Cleo Park', email: someAddress('cleo') }
}

/** Opens the modal and presses a login there. */
export async function chooseSocial(page: Page, provider: Provider | 'Farcaster'): Promise<Locator> {
  const dialog = await openModal(page)
  const login = dialog.getByRole('button', { name: `Continue with ${provider}`, exact: true })
  const more = dialog.getByRole('button', { name: 'More logins' })
  await expect(more).toBeVisible()
  if (!(await login.isVisible())) await more.click()
  await login.click()
  return dialog
}

/** Opens the modal, presses a login, and waits until the provider's page asks in its window. */
export async function beginSocial(page: Page, provider: Provider): Promise<{ dialog: Locator; window: Page }> {
  const opened = page.waitForEvent('popup')
  const dialog = await chooseSocial(page, provider)
  const window = await opened
  await expectAsked(window, provider)
  return { dialog, window }
}

/**
 * The frame is there. Under Playwright a page gets nothing of what other documents say to it while it opens a window, as
 * every new one is held for the debugger; without one, nothing is lost.
 */
export async function frameLoaded(page: Page): Promise<void> {
  const frame = () => page.frames().find((each) => each.url().includes('/sdk?'))
  await expect.poll(frame).toBeDefined()
  await frame()?.waitForLoadState()
}

/** The provider's page is on show. */
export async function expectAsked(window: Page, provider: Provider): Promise<void> {
  await expect(window.getByRole('heading', { name: `${provider} of the local world` })).toBeVisible({ timeout: 20_000 })
}

/** Says on the provider's page who one is; the window closes itself after it. */
export async function allow(window: Page, { name, email }: Somebody): Promise<void> {
  await window.getByLabel('Name').fill(name)
  await window.getByLabel('E-mail').fill(email)
  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: 'Allow' }).click()
  await closed
}

/** All of a login at a provider, up to what the wallet asks of a device that is new. */
export async function logInBy(page: Page, provider: Provider, who: Somebody): Promise<void> {
  const { window } = await beginSocial(page, provider)
  await allow(window, who)
}

/** Approves a new device by the mail's link, with the digits that the wallet's own screen shows. */
export async function approveByMail(page: Page, context: BrowserContext, urls: Urls, address: string): Promise<void> {
  const screen = screenOf(page)
  await expect(screen.getByRole('heading', { name: 'Approve this browser' })).toBeVisible()
  const digits = await screen.locator('.figures').innerText()
  await approveDevice(context, urls, address, digits.replaceAll(/\D/g, ''))
}

/** The same site under another address: another origin, with headers of its own. */
export async function mirrorOf(
  web: string,
  { host = 'localhost', headers: own = {} }: { host?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void fetch(`${web}${request.url ?? '/'}`).then(async (found) => {
      const headers = Object.fromEntries(found.headers)
      delete headers['content-encoding']
      delete headers['content-length']
      response.writeHead(found.status, { ...headers, ...own })
      response.end(Buffer.from(await found.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    close: () => {
      // Browsers keep their lines open.
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
