import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Locator, type Page } from '@playwright/test'
import { allowProviderLogin } from '@latchkey/testkit/playwright'
import { screenOf, someAddress } from './embeddedLogin.ts'
import { openModal } from './fixtures.ts'

/** The providers that open a window, by their names in the modal. */
export const providers = ['Google', 'Apple', 'Facebook', 'GitHub', 'X', 'Discord'] as const

export type Provider = (typeof providers)[number]

/** A user that no provider knows. */
export type Person = { readonly name: string; readonly email: string }

export function createPerson(): Person {
  return { name: 'Cleo Park', email: someAddress('cleo') }
}

/** Opens the modal and clicks a login. */
export async function chooseSocial(page: Page, provider: Provider | 'Farcaster'): Promise<Locator> {
  const dialog = await openModal(page)
  const login = dialog.getByRole('button', { name: `Continue with ${provider}`, exact: true })
  const more = dialog.getByRole('button', { name: 'More logins' })
  await expect(more).toBeVisible()
  if (!(await login.isVisible())) await more.click()
  await login.click()
  return dialog
}

/** Opens the modal, clicks a login, and waits for the provider's page in its window. */
export async function beginSocial(page: Page, provider: Provider): Promise<{ dialog: Locator; window: Page }> {
  const opened = page.waitForEvent('popup')
  const dialog = await chooseSocial(page, provider)
  const window = await opened
  await expectProviderPage(window, provider)
  return { dialog, window }
}

/**
 * Waits for the frame. Under Playwright, a page loses messages of other documents while it opens a window, because the
 * debugger holds every new window. Without a debugger, no message is lost.
 */
export async function frameLoaded(page: Page): Promise<void> {
  const frame = () => page.frames().find((each) => each.url().includes('/sdk?'))
  await expect.poll(frame).toBeDefined()
  await frame()?.waitForLoadState()
}

/** Waits for the provider's page. */
export async function expectProviderPage(window: Page, provider: Provider): Promise<void> {
  await expect(window.getByRole('heading', { name: `${provider} of the local world` })).toBeVisible({ timeout: 60_000 })
}

/**
 * Enters an identity on the provider's page, and a second time if the share store doesn't know the device. The window then closes
 * itself.
 */
export async function allow(window: Page, who: Person): Promise<void> {
  const closed = window.waitForEvent('close').then(() => false)
  // The window may close before the click returns.
  const callback = window.waitForURL('**/auth/v1/social/*/callback*', { waitUntil: 'commit' }).catch(() => undefined)
  await identify(window, who)
  await callback
  const loginAgain = window
    .getByLabel('Name')
    .waitFor()
    .then(() => true)
    .catch(() => false)
  if (await Promise.race([closed, loginAgain])) await identify(window, who)
  await closed
}

/** Enters an identity on the provider's page, in a window that can't reach the frame. Its last page asks for digits. */
export function identify(window: Page, person: Person): Promise<void> {
  return allowProviderLogin(window, person)
}

/** Enters the confirmation digits that the modal shows, or others, on the last page of a login. */
export async function confirmLogin(window: Page, digits: string): Promise<void> {
  await expect(window.getByRole('heading', { name: 'Did you start this login?' })).toBeVisible()
  await window.getByLabel('The two digits that the other window shows').fill(digits)
  await window.getByRole('button', { name: 'Yes, I started it' }).click()
}

/** Returns the confirmation digits that the modal shows during a login at a provider. */
export async function windowDigitsOf(dialog: Locator): Promise<string> {
  const hint = dialog.getByText('If its last page asks for two digits:', { exact: false })
  return (await hint.innerText()).replaceAll(/\D/g, '')
}

/** Completes a login at a provider. */
export async function logInBy(page: Page, provider: Provider, who: Person): Promise<void> {
  const { window } = await beginSocial(page, provider)
  await allow(window, who)
}

/** Enters the code of the share store's login on the frame's screen, if its window can't reach the frame. */
export async function enterCode(page: Page, window: Page): Promise<void> {
  const code = (await window.locator('[data-code]').getAttribute('data-code')) ?? ''
  const screen = screenOf(page)
  const title = screen.getByRole('heading', { name: 'Approve this browser' })
  await expect(title).toBeVisible()
  // The modal moves the focus into the frame when it opens, and text typed at that moment is lost. A click while the frame moves
  // misses. The user tries again.
  await expect(async () => {
    if (await title.isVisible()) {
      await screen.getByLabel('Code').fill(code, { timeout: 3_000 })
      await expect(screen.getByLabel('Code')).toHaveValue(code, { timeout: 1_000 })
      await screen.getByRole('button', { name: 'Continue' }).click({ timeout: 3_000 })
    }
    await expect(title).toBeHidden({ timeout: 3_000 })
  }).toPass()
}

/** The same site at another origin with its own headers. */
export async function startMirror(
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
  // A listening TCP server always has an address object.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    close: () => {
      // Browsers keep their connections open.
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
