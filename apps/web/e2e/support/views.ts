import { installSimulatedSolanaWallet } from '@latchkey/testkit/playwright'
import type { Locator } from '@playwright/test'
import { listAccountViews } from './accountViews.ts'
import { connectExtension, expect, openModal, otherAddress } from './fixtures.ts'
import { installFundedBitcoinWallet, newBitcoinAddress } from './fundedBitcoinWallet.ts'
import type { ShownView, Stage } from './shownView.ts'

/** The first account of the recovery phrase that all development chains share. */
export const solanaKey = 'a01c67efb5cb8f62f15907a9fcf124c73d2695c8a9a31f21c05742a31ca1dc72'

async function openConnect({ page, urls }: Stage): Promise<void> {
  await page.goto(`${urls.web}/account`)
  await openModal(page)
}

/** Connects on a page that requires a sign-in. */
async function openSignIn({ page, urls }: Stage): Promise<Locator> {
  await page.goto(`${urls.web}/account?sign-in=required`)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /Test Extension/ }).click()
  await expect(dialog.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
  return dialog
}

async function openAccount({ page, urls }: Stage, wallet?: string): Promise<void> {
  await page.goto(`${urls.web}/account`)
  const connected = page.locator('.site-header').getByRole('button', { name: /…/ })
  if (!(await connected.isVisible().catch(() => false))) await connectExtension(page, wallet).catch(() => undefined)
  await openModal(page)
}

/** Connects a Bitcoin wallet that holds small outputs, too, and fills in a payment. */
async function openBitcoinSend({ page, urls }: Stage): Promise<Locator> {
  await installFundedBitcoinWallet(page, urls, { face: 'standard', amounts: [546, 10_000, 2_000_000] })
  await page.goto(`${urls.web}/account`)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /Test Coin/ }).click()
  await expect(page.getByRole('heading', { name: 'Test Coin', level: 2 })).toBeVisible()
  await openModal(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Amount in BTC' }).fill('0.0125')
  await dialog.getByRole('textbox', { name: 'To' }).fill(newBitcoinAddress())
  await expect(dialog.getByText(/sat\/vB$/)).toBeVisible()
  return dialog
}

/** All views, in the order of a first visit. */
export const views: readonly ShownView[] = [
  { name: 'Connect', show: openConnect },
  {
    name: 'AllWallets',
    async show(stage) {
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /All wallets/i }).click()
      await expect(dialog.getByRole('searchbox')).toBeVisible()
    },
  },
  {
    name: 'ConnectingWalletConnect',
    async show(stage) {
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /WalletConnect/ }).click()
      await expect(dialog.getByRole('img', { name: /QR code/i })).toBeVisible()
    },
  },
  {
    name: 'ConnectingExternal, waiting',
    async show(stage) {
      const countRequests = (): number =>
        stage.extension.requests.filter(({ method }) => method === 'eth_requestAccounts').length
      const before = countRequests()
      stage.extension.neverRespondNext()
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Test Extension/ }).click()
      await expect(dialog.getByText(/Approve in Test Extension/)).toBeVisible()
      // Otherwise the next view would get no response.
      await expect.poll(countRequests).toBeGreaterThan(before)
    },
  },
  {
    name: 'ConnectingExternal, declined',
    async show(stage) {
      stage.extension.rejectNext()
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Test Extension/ }).click()
      await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
    },
  },
  {
    name: 'Account',
    async show(stage) {
      await openAccount(stage)
      await expect(stage.page.getByRole('dialog').getByText('LUSD').first()).toBeVisible()
    },
  },
  {
    name: 'Networks',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Latchkey (Local|Second)/ }).click()
      await expect(dialog.getByRole('button', { name: /Latchkey Second/ })).toBeVisible()
    },
  },
  {
    name: 'UnsupportedChain',
    async show(stage) {
      await openAccount(stage)
      await stage.extension.setChain(5)
      await expect(stage.page.getByRole('heading', { level: 1, name: 'Switch network' })).toBeVisible()
    },
  },
]

/** Further views, and further states of views. */
export const moreViews: readonly ShownView[] = [
  ...listAccountViews('en', openAccount),
  {
    name: 'Connect, terms first',
    async show(stage) {
      const { page, urls } = stage
      await page.goto(`${urls.web}/playground`)
      await page.getByText('Terms', { exact: true }).click()
      await page.getByRole('checkbox', { name: 'Terms and privacy policy' }).check()
      await page.getByRole('checkbox', { name: 'Require consent by checkbox' }).check()
      await page.getByRole('link', { name: 'Account' }).click()
      await openModal(page)
    },
  },
  {
    name: 'ConnectingMultiChain',
    async show(stage) {
      await installSimulatedSolanaWallet(stage.page, {
        privateKeys: [solanaKey],
        rpcUrls: { 'solana:localnet': stage.urls.solana ?? '' },
        info: { name: 'Test Extension' },
      })
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Test Extension/ }).click()
      await expect(dialog.getByRole('button', { name: 'Solana' })).toBeVisible()
    },
  },
  {
    name: 'ConnectingWalletConnect, several places',
    async show(stage) {
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Latchkey Developer Wallet' }).click()
      await expect(dialog.getByRole('link', { name: /^Open/ })).toHaveAttribute('href', /wc/)
    },
  },
  {
    name: 'ConnectingWalletConnect, not installed',
    async show(stage) {
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /All wallets/i }).click()
      // This wallet is a browser extension only.
      await dialog.getByRole('searchbox').fill('Taho')
      await dialog.getByRole('button', { name: 'Taho' }).click()
      await expect(dialog.getByText('Taho is not installed')).toBeVisible()
    },
  },
  {
    name: 'Account, NFTs',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('tab', { name: 'NFTs' }).click()
      await expect(dialog.getByRole('region', { name: 'Latchkey Keys' })).toBeVisible()
    },
  },
  {
    name: 'Account, activity',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('tab', { name: 'Activity' }).click()
      await expect(dialog.getByRole('tabpanel', { name: 'Activity' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'AccountSettings',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Account settings' }).click()
      await expect(dialog.getByRole('heading', { level: 1, name: 'Account settings' })).toBeVisible()
    },
  },
  {
    name: 'ProfileWallets',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Test Extension Wallets' }).click()
      await expect(dialog.getByRole('button', { name: 'Add wallet' })).toBeVisible()
    },
  },
  {
    name: 'SIWXSignMessage',
    async show(stage) {
      await openSignIn(stage)
    },
  },
  {
    name: 'SIWXSignMessage, declined',
    async show(stage) {
      const dialog = await openSignIn(stage)
      stage.extension.rejectNext()
      await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
      await expect(dialog.getByText('You are not signed in.')).toBeVisible()
    },
  },
  {
    name: 'SwitchActiveChain',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Latchkey (Local|Second)/ }).click()
      await dialog.getByRole('region', { name: 'Solana' }).getByRole('button').first().click()
      await expect(dialog.getByRole('button', { name: 'Connect a wallet' })).toBeVisible()
    },
  },
  {
    name: 'WhatIsAWallet',
    async show(stage) {
      await openConnect(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'What is a wallet?' }).click()
      await expect(dialog.getByRole('button', { name: 'Get a wallet' })).toBeVisible()
    },
  },
  {
    name: 'GetWallet',
    async show(stage) {
      const dialog = await openGetWallet(stage)
      await expect(dialog.getByRole('button', { name: 'MetaMask' })).toBeVisible()
    },
  },
  {
    name: 'Downloads',
    async show(stage) {
      const dialog = await openGetWallet(stage)
      await dialog.getByRole('button', { name: 'MetaMask' }).click()
      await expect(dialog.getByRole('link', { name: /Website/ })).toBeVisible()
    },
  },
  {
    name: 'WalletSend',
    async show(stage) {
      const dialog = await openSend(stage)
      await expect(dialog.getByText(/\d ETH$/).first()).toBeVisible()
    },
  },
  {
    name: 'WalletSendSelectToken',
    async show(stage) {
      const dialog = await openSend(stage)
      await dialog.getByRole('button', { name: /^Token ETH/ }).click()
      await expect(dialog.getByText('Latch Dollar')).toBeVisible()
    },
  },
  {
    name: 'WalletSendPreview',
    async show(stage) {
      const dialog = await openSend(stage)
      await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('1.25')
      await dialog.getByRole('textbox', { name: 'To' }).fill(otherAddress)
      await dialog.getByRole('button', { name: 'Preview send' }).click()
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    },
  },
  {
    name: 'WalletSend, Bitcoin',
    async show(stage) {
      const dialog = await openBitcoinSend(stage)
      await dialog.getByRole('button', { name: 'Send all BTC' }).click()
      await expect(dialog.getByRole('button', { name: 'Preview send' })).toBeVisible()
    },
  },
  {
    name: 'WalletSend, Bitcoin, other network',
    async show(stage) {
      const dialog = await openBitcoinSend(stage)
      await dialog.getByRole('textbox', { name: 'To' }).fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
      await expect(dialog.getByRole('button', { name: 'Invalid address' })).toBeVisible()
    },
  },
  {
    name: 'WalletSendPreview, Bitcoin',
    async show(stage) {
      const dialog = await openBitcoinSend(stage)
      await dialog.getByRole('button', { name: 'Preview send' }).click()
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    },
  },
  {
    name: 'Swap',
    async show(stage) {
      const dialog = await openSwap(stage)
      await expect(dialog.getByRole('textbox', { name: /^Expected/ })).toHaveValue(/\d/)
    },
  },
  {
    name: 'SwapSelectToken',
    async show(stage) {
      const dialog = await openSwap(stage)
      await dialog.getByRole('button', { name: 'Token LUSD. Choose another one' }).click()
      await expect(dialog.getByRole('heading', { name: 'All tokens' })).toBeVisible()
    },
  },
  {
    name: 'SwapPreview',
    async show(stage) {
      const dialog = await openSwap(stage)
      await dialog.getByRole('button', { name: 'Review swap' }).click()
      await expect(dialog.getByRole('button', { name: 'Swap', exact: true })).toBeVisible()
    },
  },
  {
    name: 'Swap, exact amount to receive',
    async show(stage) {
      const dialog = await openExactSwap(stage)
      await expect(dialog.getByRole('textbox', { name: /^Expected/ })).toHaveValue(/\d/)
    },
  },
  {
    name: 'SwapPreview, exact amount to receive',
    async show(stage) {
      const dialog = await openExactSwap(stage)
      await dialog.getByRole('button', { name: 'Review swap' }).click()
      await expect(dialog.getByRole('button', { name: 'Swap', exact: true })).toBeVisible()
    },
  },
  {
    name: 'OnRampProviders, with prices',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Buy', exact: true }).first().click()
      await dialog.getByRole('button', { name: '$100', exact: true }).click()
      await expect(dialog.getByText(/^1 ETH = /).first()).toBeVisible()
    },
  },
  {
    name: 'WhatIsANetwork',
    async show(stage) {
      await openAccount(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Latchkey (Local|Second)/ }).click()
      await dialog.getByRole('button', { name: /What is a network/i }).click()
      await expect(dialog.getByRole('button', { name: 'Got it' })).toBeVisible()
    },
  },
  {
    name: 'ChooseAccountName',
    show: async (stage) => void (await openNames(stage)),
  },
  {
    name: 'RegisterAccountName',
    async show(stage) {
      const dialog = await openNames(stage)
      await dialog.getByRole('button', { name: 'Choose a name', exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill('sailor')
      await expect(dialog.getByText('This name is available.')).toBeVisible()
    },
  },
]

/** Opens the introduction to names. */
async function openNames(stage: Stage): Promise<Locator> {
  await openAccount(stage)
  const dialog = stage.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Account settings' }).click()
  await dialog.getByRole('button', { name: 'Choose a name .latchkey.test' }).click()
  await expect(dialog.getByText('A name instead of an address')).toBeVisible()
  return dialog
}

/** Opens the send form. */
async function openSend(stage: Stage): Promise<Locator> {
  await openAccount(stage)
  const dialog = stage.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Amount in ETH' })).toBeFocused()
  return dialog
}

/** Opens a swap of ether for dollars up to its review. */
async function openSwap(stage: Stage): Promise<Locator> {
  await openAccount(stage)
  const dialog = stage.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Amount in ETH' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Select token' }).first().click()
  await dialog
    .getByRole('region', { name: 'All tokens' })
    .getByRole('button', { name: /Latch Dollar/ })
    .click()
  await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('1.25')
  return dialog
}

/** Opens a swap of ether for an exact amount of dollars. */
async function openExactSwap(stage: Stage): Promise<Locator> {
  const dialog = await openSwap(stage)
  await dialog.getByRole('group', { name: 'You receive' }).getByRole('textbox').fill('1234.56')
  return dialog
}

/** The first views of a visit. The steps use no text of any language. */
export const wordlessViews: readonly ShownView[] = [
  { name: 'Connect', show: async ({ page }) => void (await openModal(page)) },
  {
    name: 'ConnectingWalletConnect',
    async show({ page }) {
      const dialog = await openModal(page)
      await dialog.locator('[part=row]').first().click()
      await expect(dialog.getByRole('img')).toBeVisible()
    },
  },
  {
    name: 'AllWallets',
    async show({ page }) {
      const dialog = await openModal(page)
      await dialog.locator('[part=row]').last().click()
      await expect(dialog.getByRole('searchbox')).toBeVisible()
    },
  },
]

async function openGetWallet(stage: Stage): Promise<Locator> {
  await openConnect(stage)
  const dialog = stage.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'What is a wallet?' }).click()
  await dialog.getByRole('button', { name: 'Get a wallet' }).click()
  return dialog
}
