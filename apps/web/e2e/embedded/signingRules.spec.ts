import type { Page } from '@playwright/test'
import { createTestClient, http, parseEther, publicActions, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import {
  addressesOf,
  expectConnected,
  logInAsNewUser,
  respond,
  screenOf,
  siteOf,
  someAddress,
} from '../support/embeddedLogin.ts'
import { expect, openModal, openSettings, test, type Urls } from '../support/fixtures.ts'
import { logInOnPage } from '../support/ownPageLogin.ts'
import { addAuthenticator } from '../support/addAuthenticator.ts'

const createNodeClient = (urls: Urls) =>
  createTestClient({ mode: 'anvil', transport: http(urls.evm), pollingInterval: 50 }).extend(publicActions)

/** Sets the daily limit in the frame, which the settings of the modal open. */
async function limitRequests(page: Page, ether: string): Promise<void> {
  const dialog = await openModal(page)
  await openSettings(dialog)
  await dialog.getByRole('button', { name: /^Signing rules/ }).click()
  const screen = screenOf(page)
  await expect(screen.getByText('There are no rules yet.', { exact: false })).toBeVisible()
  await respond(page, 'Change rules')
  await screen.getByLabel('Set a daily limit').check()
  await screen
    .getByLabel(/^ETH on /)
    .first()
    .fill(ether)
  await respond(page, 'Save rules')
  await expect(screen.getByText('The rules apply on all your devices.', { exact: false })).toBeVisible()
  await respond(page, 'Done')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test(
  'payment above the daily limit names the rule before Approve, and is stopped until another device approves it [L-01]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await page.goto(`${siteOf(urls)}/account`)
    await logInAsNewUser(page, urls, someAddress())
    await expectConnected(page)
    const { evm } = await addressesOf(page)
    await createNodeClient(urls).setBalance({ address: evm as Address, value: parseEther('1') })
    await limitRequests(page, '0.1')

    const receiver = privateKeyToAddress(generatePrivateKey())
    const send = async (amount: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'To' }).fill(receiver)
      await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(screenOf(page).getByText(`${amount} ETH`).first()).toBeVisible()
    }
    const notice = screenOf(page).getByText('Another device must also approve this')
    await send('0.5')
    await expect(notice).toBeVisible()
    await expect(screenOf(page).getByText('It exceeds your daily limit.')).toBeVisible()
    await expect(screenOf(page).getByText('0.1 ETH')).toBeVisible()
    await respond(page, 'Approve')
    await expect(screenOf(page).getByRole('heading', { name: 'A rule of your wallet applies' })).toBeVisible()
    await respond(page, 'Ask another device')
    await expect(screenOf(page).locator('.match')).toHaveText(/^\d\d$/)
    await respond(page, 'Close')
    await expect(page.getByRole('alert').filter({ hasText: 'rejected' })).toBeVisible()
    expect(await createNodeClient(urls).getBalance({ address: receiver })).toBe(0n)

    await send('0.05')
    await expect(notice).toBeHidden()
    await respond(page, 'Approve')
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible({ timeout: 60_000 })
    expect(await createNodeClient(urls).getBalance({ address: receiver })).toBe(parseEther('0.05'))
    await send('0.08')
    await expect(notice).toBeVisible()
    await respond(page, 'Reject')
  },
)

test(
  'passkey of the wallet applies looser signing rules at once [L-07]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await addAuthenticator(page)
    await logInOnPage(page, urls, 'account', someAddress())
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const shows = (text: string) => expect(page.getByText(text, { exact: false })).toBeVisible()
    await press('Recovery')
    await press('Add a passkey')
    await press('Create passkey')
    await shows('It now opens your wallet.')
    await press('Done')
    await press('Signing rules')
    await press('Change rules')
    await page.getByLabel('Set a limit per request').check()
    await press('Save rules')
    await shows('The rules apply on all your devices.')
    await press('Change rules')
    await page.getByLabel('Set a limit per request').uncheck()
    await press('Save rules')
    await shows('These rules are looser, so they apply from')
    await press('Use a passkey')
    await shows('The rules apply on all your devices.')
    await shows('There are no rules yet.')
  },
)
