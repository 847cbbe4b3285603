import { createKeyPairSignerFromBytes } from '@solana/kit'
import { base58 } from '@scure/base'
import type { Page } from '@playwright/test'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { addAuthenticator } from '../support/addAuthenticator.ts'
import { mailTo, someAddress, waitUntilMailedAgain } from '../support/embeddedLogin.ts'
import { expect, test } from '../support/fixtures.ts'
import { logInOnPage } from '../support/ownPageLogin.ts'

const projectId = 'ab'.repeat(16)
const password = 'four calm herons by the river'

const expectTitle = (page: Page, name: string, timeout?: number) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible({ timeout })
const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const addressesOf = (page: Page) => page.locator('.address').allInnerTexts()

test('exported secret gives the same addresses in viem and @solana/kit, and an email reports the export [K-15]', async ({
  page,
  urls,
}) => {
  const address = someAddress()
  await logInOnPage(page, urls, 'account', address)
  await expectTitle(page, 'Your wallet')
  const [evm, solana] = await addressesOf(page)
  await page.getByRole('button', { name: /^Export your wallet/ }).click()
  await pressButton(page, 'Show my keys')
  await expectTitle(page, 'Your keys')
  const read = async (name: string): Promise<string> => {
    const part = page.locator('.held', { hasText: name })
    const hold = part.getByRole('button', { name: 'Press and hold to see' })
    await hold.focus()
    await page.keyboard.down('Space')
    const secret = await part.locator('.secret').innerText()
    await page.keyboard.up('Space')
    await expect(part.locator('.secret')).toHaveText('Hidden')
    return secret
  }
  const phrase = await read('Recovery phrase')
  expect(mnemonicToAccount(phrase).address).toBe(evm)
  expect(privateKeyToAccount((await read('Key for Ethereum')) as `0x${string}`).address).toBe(evm)
  const signer = await createKeyPairSignerFromBytes(base58.decode(await read('Key for Solana')))
  expect(signer.address).toBe(solana)
  await mailTo(urls, address, /(shown|exported)/i)
})

test('account and export pages can not be embedded', async ({ page, urls }) => {
  await page.goto(urls.web)
  for (const path of ['account', 'export']) {
    const response = await page.request.get(`${urls.frame}/${path}/?projectId=${projectId}`)
    expect(response.headers()['content-security-policy']).toContain(`frame-ancestors 'none'`)
  }
})

test(
  'password opens the wallet on a new device, and a wrong password does not [K-09]',
  { tag: '@long' },
  async ({ page, urls, browser }) => {
    const address = someAddress()
    const id = await logInOnPage(page, urls, 'account', address)
    await expectTitle(page, 'Your wallet')
    const before = await addressesOf(page)
    await pressButton(page, 'Recovery')
    await pressButton(page, 'Add a password')
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await pressButton(page, 'Save password')
    await expect(page.getByText('It now opens your wallet.')).toBeVisible()
    await pressButton(page, 'Remove: Automatic')
    await pressButton(page, 'Remove')
    await expect(
      page.getByText('It no longer opens your wallet.').or(page.getByText('Confirm that it is you')),
    ).toBeVisible()
    if (await page.getByText('Confirm that it is you').isVisible()) {
      await page.getByLabel('Recovery password').fill(password)
      await pressButton(page, 'Continue')
    }
    await expect(page.getByText('It no longer opens your wallet.')).toBeVisible()

    await waitUntilMailedAgain(page)
    const context = await browser.newContext()
    const fresh = await context.newPage()
    await logInOnPage(fresh, urls, 'account', address, id)
    await expectTitle(fresh, 'Open your wallet here')
    await fresh.getByLabel('Recovery password').fill('five calm herons by the river')
    await pressButton(fresh, 'Open wallet')
    await expect(fresh.getByText('This password does not open your wallet.')).toBeVisible({ timeout: 60_000 })
    await fresh.getByLabel('Recovery password').fill(password)
    await pressButton(fresh, 'Open wallet')
    // Password stretching is slow by design, and the test machine is busy.
    await expectTitle(fresh, 'Your wallet', 60_000)
    expect(await addressesOf(fresh)).toEqual(before)
    await context.close()
  },
)

test('passkey opens the wallet on a new device [K-16]', { tag: '@long' }, async ({ page, urls }) => {
  const first = await addAuthenticator(page)
  const address = someAddress()
  const id = await logInOnPage(page, urls, 'account', address)
  await expectTitle(page, 'Your wallet')
  const before = await addressesOf(page)
  await pressButton(page, 'Recovery')
  await pressButton(page, 'Add a passkey')
  await pressButton(page, 'Create passkey')
  await expect(page.getByText('It now opens your wallet.')).toBeVisible()
  await pressButton(page, 'Remove: Automatic')
  await pressButton(page, 'Remove')
  await expect(
    page.getByText('It no longer opens your wallet.').or(page.getByText('Confirm that it is you')),
  ).toBeVisible()
  if (await page.getByText('Confirm that it is you').isVisible()) await pressButton(page, 'Use a passkey')
  await expect(page.getByText('It no longer opens your wallet.')).toBeVisible()

  // Clears the device's storage. The passkey is stored elsewhere.
  await first.session.send('Storage.clearDataForOrigin', { origin: urls.frame, storageTypes: 'all' })
  await waitUntilMailedAgain(page)
  await logInOnPage(page, urls, 'account', address, id)
  await expectTitle(page, 'Open your wallet here')
  await pressButton(page, 'Use a passkey')
  await expectTitle(page, 'Your wallet')
  expect(await addressesOf(page)).toEqual(before)
})
