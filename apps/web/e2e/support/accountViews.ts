import { readFileSync } from 'node:fs'
import { installSimulatedExtension } from '@latchkey/testkit/playwright'
import type { Locator, Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, isHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, otherAddress, userAddress } from './fixtures.ts'
import type { ShownView, Stage } from './shownView.ts'

/** The texts by which the steps find elements that have no structure of their own. */
type Texts = {
  account: { settings: string }
  accountSettings: { approvals: string }
  approvals: { revoke: string }
  holdings: { manageTokens: string }
  modal: { back: string }
  money: Record<'registerName' | 'buyToken' | 'buyCurrency' | 'send' | 'receive' | 'swap' | 'buy', string>
  names: { free: string }
  send: { scan: { openLabel: string; image: string } }
  swap: { next: { ready: string } }
}

/** Reads the texts of the modal in a language. */
function readTexts(language: string): Texts {
  const file = new URL(`../../../../packages/modal/messages/${language}.json`, import.meta.url)
  // The check of the messages guarantees the keys.
  return JSON.parse(readFileSync(file, 'utf8')) as Texts
}

const paneOf = (page: Page, view: string): Locator => page.locator(`latchkey-modal [data-view=${view}]`)

/** Opens the action of an account with this name. */
async function chooseAction(page: Page, name: string): Promise<void> {
  await paneOf(page, 'Account').getByRole('button', { name, exact: true }).first().click()
}

async function openApprovals(page: Page, texts: Texts): Promise<void> {
  await paneOf(page, 'Account').getByRole('button', { name: texts.account.settings }).click()
  await paneOf(page, 'AccountSettings')
    .getByRole('button', { name: new RegExp(`^${texts.accountSettings.approvals}`) })
    .click()
}

/** Gives an approval in the wallet, so that the list is not empty. */
async function approveDollars({ page, urls, extension }: Stage): Promise<void> {
  const html = await (await page.request.get(`${urls.web}/account`)).text()
  const { tokens } = JSON.parse(/id="latchkey-config">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}') as {
    tokens: { symbol: string; address: string }[]
  }
  const to = tokens.find(({ symbol }) => symbol === 'LUSD')?.address
  if (!isHex(to)) throw new Error('There are no dollars here.')
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [otherAddress, 250_000_000n] })
  await extension.request({ method: 'eth_sendTransaction', params: [{ from: userAddress, to, data }] })
}

/** Replaces the wallet by one with a new account: a name stays with its account. */
async function installNewAccount({ page, urls }: Stage): Promise<string> {
  const key = generatePrivateKey()
  await installSimulatedExtension(page, {
    privateKeys: [key],
    rpcUrls: { 31337: urls.evm, 31338: urls.evm2 },
    chainId: 31337,
    info: { name: 'New Account', rdns: 'test.latchkey.new' },
  })
  return `sailor-${privateKeyToAddress(key).slice(2, 14).toLowerCase()}`
}

/** Registers a name for a new account. */
async function registerName(page: Page, texts: Texts, label: string): Promise<void> {
  await paneOf(page, 'Account').getByRole('button', { name: texts.account.settings }).click()
  await paneOf(page, 'AccountSettings')
    .getByRole('button', { name: new RegExp(`^${texts.money.registerName}`) })
    .click()
  await paneOf(page, 'ChooseAccountName').locator('.button[data-primary]').click()
  const pane = paneOf(page, 'RegisterAccountName')
  await pane.getByRole('textbox').fill(label)
  await expect(pane.getByText(texts.names.free)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(paneOf(page, 'RegisterAccountNameSuccess').locator('.button[data-primary]')).toBeVisible()
}

/** Answers quotes with a high price impact, which no pool of the local world has at amounts that the account holds. */
async function raisePriceImpact(page: Page): Promise<void> {
  await page.route(/\/v1\/convert\/quotes/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { quotes?: readonly object[] }
    const quotes = body.quotes?.map((quote) => ({ ...quote, priceImpact: 23.4 }))
    await route.fulfill({ response, json: { ...body, quotes } })
  })
}

async function openSwapReview(page: Page, texts: Texts): Promise<void> {
  await chooseAction(page, texts.money.swap)
  const pane = paneOf(page, 'Swap')
  await pane.locator('.token-button').last().click()
  await page
    .getByRole('button', { name: /Latch Dollar/ })
    .last()
    .click()
  await pane.getByRole('textbox').first().fill('1.25')
  await pane.getByRole('button', { name: texts.swap.next.ready }).click()
}

/** Opens the account of a wallet, in the language of the pictures. */
export type OpenAccount = (stage: Stage, wallet?: string) => Promise<void>

/**
 * Lists the views that an account leads to: its transactions, approvals, tokens, names and purchases. The steps work in
 * every language.
 */
export function listAccountViews(language: string, openAccount: OpenAccount): readonly ShownView[] {
  const texts = readTexts(language)
  const view = (name: string, show: (stage: Stage) => Promise<void>): ShownView => ({
    name: language === 'en' ? name : `${name}, ${language}`,
    async show(stage) {
      await openAccount(stage)
      await show(stage)
    },
  })
  return [
    view('Transaction', async ({ page }) => {
      const pane = paneOf(page, 'Account')
      await pane.getByRole('tab').last().click()
      await pane.locator('button.holding').first().click()
      await expect(paneOf(page, 'Transaction').locator('dl')).toBeVisible()
    }),
    view('Approvals', async (stage) => {
      await approveDollars(stage)
      await openApprovals(stage.page, texts)
      await expect(paneOf(stage.page, 'Approvals').getByText('Latch Dollar').first()).toBeVisible()
    }),
    view('ManageTokens', async ({ page }) => {
      await paneOf(page, 'Account').getByRole('button', { name: texts.holdings.manageTokens }).click()
      await expect(paneOf(page, 'ManageTokens').getByText('Latch Dollar')).toBeVisible()
    }),
    view('ScanCode', async ({ page }) => {
      await chooseAction(page, texts.money.send)
      await paneOf(page, 'WalletSend').getByRole('button', { name: texts.send.scan.openLabel }).click()
      await expect(paneOf(page, 'ScanCode').getByText(texts.send.scan.image).first()).toBeVisible()
    }),
    view('WalletCompatibleNetworks', async ({ page }) => {
      await chooseAction(page, texts.money.receive)
      await paneOf(page, 'WalletReceive').locator('.rows button').first().click()
      await expect(paneOf(page, 'WalletCompatibleNetworks').getByText('Latchkey Second')).toBeVisible()
    }),
    ...listPurchaseViews(texts, view),
    view('SwapPreview, high price impact', async ({ page }) => {
      await raisePriceImpact(page)
      await openSwapReview(page, texts)
      await expect(paneOf(page, 'SwapPreview').locator('.swap-confirm')).toBeVisible()
    }),
    ...listNameViews(language, texts, openAccount),
  ]
}

/** The views of a purchase. */
function listPurchaseViews(
  texts: Texts,
  view: (name: string, show: (stage: Stage) => Promise<void>) => ShownView,
): readonly ShownView[] {
  return [
    view('OnRampTokenSelect', async ({ page }) => {
      await chooseAction(page, texts.money.buy)
      await page.getByRole('button', { name: new RegExp(`^${texts.money.buyToken}: `) }).click()
      await expect(paneOf(page, 'OnRampTokenSelect').getByRole('listitem').first()).toBeVisible()
    }),
    view('OnRampFiatSelect', async ({ page }) => {
      await chooseAction(page, texts.money.buy)
      await page.getByRole('button', { name: new RegExp(`^${texts.money.buyCurrency}: `) }).click()
      await expect(paneOf(page, 'OnRampFiatSelect').getByRole('listitem').first()).toBeVisible()
    }),
    view('BuyInProgress', async ({ page }) => {
      await startPurchase(page, texts)
      await expect(paneOf(page, 'BuyInProgress').locator('.status-panel').first()).toBeVisible()
    }),
    view('OnRampActivity', async ({ page }) => {
      await startPurchase(page, texts)
      await page.getByRole('dialog').getByRole('button', { name: texts.modal.back, exact: true }).click()
      await paneOf(page, 'OnRampProviders').locator('.button[data-quiet]').last().click()
      await expect(paneOf(page, 'OnRampActivity').getByRole('listitem').first()).toBeVisible()
    }),
  ]
}

/** Starts a purchase, and leaves the window of its provider open. */
async function startPurchase(page: Page, texts: Texts): Promise<void> {
  await chooseAction(page, texts.money.buy)
  const pane = paneOf(page, 'OnRampProviders')
  await pane.locator('.share-buttons button').first().click()
  await expect(pane.locator('.facts')).toBeVisible()
  const opening = page.waitForEvent('popup')
  await pane.locator('.button[data-primary]').click()
  await opening
  await page.bringToFront()
}

/** The views of an account that just registered a name. */
function listNameViews(language: string, texts: Texts, openAccount: OpenAccount): readonly ShownView[] {
  const open = async (stage: Stage): Promise<void> => {
    const label = await installNewAccount(stage)
    await openAccount(stage, 'New Account')
    await registerName(stage.page, texts, label)
  }
  const suffix = language === 'en' ? '' : `, ${language}`
  return [
    { name: `RegisterAccountNameSuccess${suffix}`, show: open },
    {
      name: `ManageAccountName${suffix}`,
      async show(stage) {
        await open(stage)
        const { page } = stage
        await paneOf(page, 'RegisterAccountNameSuccess').locator('.button[data-primary]').click()
        await paneOf(page, 'Account').getByRole('button', { name: texts.account.settings }).click()
        await paneOf(page, 'AccountSettings')
          .getByRole('button', { name: /sailor-/ })
          .click()
        await expect(paneOf(page, 'ManageAccountName').getByRole('button').first()).toBeVisible()
      },
    },
  ]
}
