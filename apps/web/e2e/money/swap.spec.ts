import { addresses, waitUntilMined } from '@latchkey/devnet'
import type { ConvertTransactionResponse } from '@latchkey/protocol'
import { installSimulatedExtension, type InstalledExtension } from '@latchkey/testkit/playwright'
import type { Locator, Page } from '@playwright/test'
import {
  createTestClient,
  erc20Abi,
  http,
  isHex,
  parseAbi,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { axeViolations } from '../support/axeViolations.ts'
import { connectExtension, expect, openModal, test, type Urls, testExtensionOf } from '../support/fixtures.ts'
import { approve, connectByLink } from '../support/phoneWallet.ts'

const native = `0x${'e'.repeat(40)}`
const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])

type PageSession = { address: Address; extension: InstalledExtension; dollar: Address }
type PageSessionOptions = { dollars?: string; batches?: 'atomic'; chainId?: 31337 | 31338 }

function nodeOf(url: string) {
  return createTestClient({ mode: 'anvil', account: addresses[4], transport: http(url), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)
}

const urlOf = (urls: Urls, chainId: number): string => (chainId === 31337 ? urls.evm : urls.evm2)

/** A separate account with ten ether, so that no other test changes its balance. */
async function createPageSession(page: Page, urls: Urls, options: PageSessionOptions = {}): Promise<PageSession> {
  const { dollars = '0', chainId = 31337, batches } = options
  const key = generatePrivateKey()
  const address = privateKeyToAddress(key)
  const node = nodeOf(urlOf(urls, chainId))
  await node.setBalance({ address, value: parseEther('10') })
  const { dollar } = await configOf(page, urls)
  if (dollars !== '0') {
    const args = [address, parseUnits(dollars, 6)] as const
    const hash = await node.writeContract({ chain: null, address: dollar, abi: mintAbi, functionName: 'mint', args })
    await waitUntilMined(node, hash)
  }
  const extension = await installSimulatedExtension(page, { ...testExtensionOf(urls, key), chainId, batches })
  return { address, extension, dollar }
}

/** The configuration that the host wrote into the page. */
async function configOf(page: Page, urls: Urls): Promise<{ projectId: string; dollar: Address }> {
  const html = await (await page.request.get(`${urls.web}/account`)).text()
  const json = /id="latchkey-config">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}'
  type Known = { projectId: string; tokens: { symbol: string; address: string }[] }
  const { projectId, tokens } = JSON.parse(json) as Known
  const address = tokens.find(({ symbol }) => symbol === 'LUSD')?.address
  if (!isHex(address)) throw new Error('There are no dollars here.')
  return { projectId, dollar: address }
}

function dollarsOf(urls: Urls, { dollar, address }: PageSession): Promise<bigint> {
  return nodeOf(urls.evm).readContract({ address: dollar, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
}

/** Connects and opens the swap view. */
async function openSwapView(page: Page, urls: Urls): Promise<Locator> {
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  return openSwap(page)
}

async function openSwap(page: Page): Promise<Locator> {
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Amount in ETH' })).toBeFocused()
  return dialog
}

async function selectToToken(dialog: Locator, name: RegExp): Promise<void> {
  await dialog.getByRole('button', { name: 'Select token' }).first().click()
  await dialog.getByRole('region', { name: 'All tokens' }).getByRole('button', { name }).click()
  await expect(dialog.getByRole('textbox', { name: /^Expected/ })).toBeVisible()
}

/** Swaps dollars for ether instead. */
async function reverseTokens(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Reverse the tokens' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Amount in LUSD' })).toBeVisible()
}

async function reviewSwap(dialog: Locator, amount: string): Promise<void> {
  await dialog.getByRole('textbox', { name: /^Amount/ }).fill(amount)
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
}

async function swap(dialog: Locator, notice: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Account settings' })).toBeVisible()
  await expect(dialog.getByText(notice)).toBeVisible()
}

const listSendRequests = ({ extension }: PageSession): readonly unknown[] =>
  extension.requests.filter(({ method }) => method === 'eth_sendTransaction')

for (const [name, viewport] of [
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  const tag = name === 'desk' ? '@variant' : []
  test(`swap of ether for a token returns at least the promised minimum, ${name}`, { tag }, async ({ page, urls }) => {
    await page.setViewportSize(viewport)
    const user = await createPageSession(page, urls)
    const dialog = await openSwapView(page, urls)
    await selectToToken(dialog, /Latch Dollar/)
    await reviewSwap(dialog, '0.5')
    expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
    const least = await dialog
      .getByText(/^[\d.,]+ LUSD$/)
      .last()
      .innerText()
    await dialog.getByRole('button', { name: 'Swap', exact: true }).evaluate((button: HTMLElement) => {
      for (let press = 0; press < 50; press += 1) button.click()
    })
    await expect(dialog.getByText('Swapped 0.500 ETH to LUSD')).toBeVisible()
    const got = await dollarsOf(urls, user)
    expect(got).toBeGreaterThanOrEqual(parseUnits(least.replaceAll(/[ ,A-Z]/g, ''), 6))
    expect(got).toBeGreaterThan(0n)
    expect(listSendRequests(user)).toHaveLength(1)
  })
}

test(
  'swap of a token for ether retries after a rejection and approves the exact amount',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const user = await createPageSession(page, urls, { dollars: '1000' })
    const before = await nodeOf(urls.evm).getBalance({ address: user.address })
    const dialog = await openSwapView(page, urls)
    await selectToToken(dialog, /Latch Dollar/)
    await reverseTokens(dialog)
    await reviewSwap(dialog, '250.5')
    user.extension.rejectNext()
    await dialog.getByRole('button', { name: 'Approve 250.5 LUSD' }).click()
    await expect(dialog.getByText('You rejected this in your wallet. Nothing was sent.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Approve 250.5 LUSD' }).click()
    await swap(dialog, 'Swapped 250.500 LUSD to ETH')
    expect(await dollarsOf(urls, user)).toBe(parseUnits('749.5', 6))
    expect(await nodeOf(urls.evm).getBalance({ address: user.address })).toBeGreaterThan(before)
    const logs = await nodeOf(urls.evm).getContractEvents({
      address: user.dollar,
      abi: erc20Abi,
      eventName: 'Approval',
      args: { owner: user.address },
      fromBlock: 0n,
    })
    expect(logs[0]?.args.value).toBe(parseUnits('250.5', 6))
  },
)

test('swap of all ether keeps the fee and succeeds', { tag: '@variant' }, async ({ page, urls }) => {
  const user = await createPageSession(page, urls)
  const dialog = await openSwapView(page, urls)
  await selectToToken(dialog, /Latch Dollar/)
  await dialog.getByRole('button', { name: 'Swap all ETH' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Amount in ETH' })).toHaveValue(/^9\.99/)
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await swap(dialog, 'ETH to LUSD')
  await expect(dialog.getByText(/^Swapped 9\.99\d ETH to LUSD$/)).toBeVisible()
  expect(await nodeOf(urls.evm).getBalance({ address: user.address })).toBeLessThan(parseEther('0.01'))
})

test(
  'wallet with batch support gets one request for approval and swap',
  { tag: '@extended' },
  async ({ page, urls }) => {
    const user = await createPageSession(page, urls, { dollars: '1000', batches: 'atomic' })
    const dialog = await openSwapView(page, urls)
    await selectToToken(dialog, /Latch Dollar/)
    await reverseTokens(dialog)
    await reviewSwap(dialog, '100')
    await dialog.getByRole('button', { name: 'Approve and swap' }).click()
    await expect(dialog.getByText('Swapped 100.000 LUSD to ETH')).toBeVisible()
    expect(await dollarsOf(urls, user)).toBe(parseUnits('900', 6))
    expect(user.extension.requests.filter(({ method }) => method === 'wallet_sendCalls')).toHaveLength(1)
    expect(listSendRequests(user)).toHaveLength(0)
  },
)

test(
  'price change beyond the slippage is shown without a wallet request',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const user = await createPageSession(page, urls, { chainId: 31338 })
    const dialog = await openSwapView(page, urls)
    await selectToToken(dialog, /Latch Dollar/)
    await reviewSwap(dialog, '0.5')
    await expect(dialog.getByRole('button', { name: 'Swap', exact: true })).toBeVisible()
    await movePrice(page, urls, user.dollar)
    await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
    await expect(dialog.getByText(/price has changed by more than your slippage/)).toBeVisible()
    expect(listSendRequests(user)).toHaveLength(0)
    // The price is now far below that of the other markets.
    await dialog.getByRole('textbox', { name: /You would lose about/ }).fill('swap')
    await swap(dialog, 'Swapped 0.500 ETH to LUSD')
  },
)

/** Sells ether from another account on the second chain, enough to lower the price in every pool. */
async function movePrice(page: Page, urls: Urls, dollar: Address): Promise<void> {
  const node = nodeOf(urls.evm2)
  const { projectId } = await configOf(page, urls)
  for (let sale = 0; sale < 3; sale += 1) {
    const response = await page.request.post(`${urls.server}/v1/convert/build-transaction?projectId=${projectId}`, {
      data: {
        projectId,
        amount: String(parseEther('60')),
        from: `eip155:31338:${native}`,
        to: `eip155:31338:${dollar}`,
        userAddress: `eip155:31338:${addresses[4]}`,
        eip155: { slippage: 50 },
      },
    })
    const { tx } = (await response.json()) as ConvertTransactionResponse
    const [to, data] = [tx.to.split(':')[2], tx.data] as [Hex, Hex]
    await waitUntilMined(node, await node.sendTransaction({ chain: null, to, data, value: BigInt(tx.amount) }))
  }
}

test('late quote never replaces a newer one', { tag: '@variant' }, async ({ page, urls }) => {
  await createPageSession(page, urls)
  let release = (): void => {}
  const released = new Promise<void>((resolve) => void (release = resolve))
  await page.route(/\/v1\/convert\/quotes/, async (route) => {
    if (
      route
        .request()
        .url()
        .includes(`amount=${parseEther('1')}&`)
    )
      await released
    // An abandoned request gets no response.
    await route.continue().catch(() => {})
  })
  const dialog = await openSwapView(page, urls)
  await selectToToken(dialog, /Latch Dollar/)
  const quoteRequest = page.waitForRequest((request) => request.url().includes(`amount=${parseEther('1')}&`))
  await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('1')
  await quoteRequest
  await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('0.001')
  await expect(dialog.getByRole('textbox', { name: /^Expected/ })).toHaveValue(/^[12]\.\d+$/)
  release()
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await expect(dialog.getByText('0.001 ETH', { exact: true })).toBeVisible()
})

/** Enters the amount to receive, reviews the swap and returns the shown maximum. */
async function reviewReceived(dialog: Locator, amount: string): Promise<string> {
  await dialog.getByRole('group', { name: 'You receive' }).getByRole('textbox').fill(amount)
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
  // The view that leaves has a line of the same name.
  const maximum = dialog.locator('.facts > div', { hasText: 'Maximum paid' }).locator('dd').filter({ hasText: /\d/ })
  await expect(maximum).toHaveCount(1)
  return (await maximum.innerText()).replaceAll(/[ ,A-Z]/g, '')
}

for (const [name, viewport] of [
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(
    `exact amount to receive costs at most the shown maximum of ether, ${name}`,
    { tag: '@variant' },
    async ({ page, urls }) => {
      await page.setViewportSize(viewport)
      const user = await createPageSession(page, urls)
      const dialog = await openSwapView(page, urls)
      await selectToToken(dialog, /Latch Dollar/)
      const most = await reviewReceived(dialog, '1234.56')
      await expect(dialog.getByText('1,234.56 LUSD', { exact: true })).toBeVisible()
      expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
      await swap(dialog, 'Swapped ETH to 1,234.560 LUSD')
      expect(await dollarsOf(urls, user)).toBe(parseUnits('1234.56', 6))
      const node = nodeOf(urls.evm)
      const [sent] = listSendRequests(user) as readonly { params: readonly [{ value: Hex }] }[]
      expect(BigInt(sent?.params[0].value ?? '0x0')).toBeLessThanOrEqual(parseEther(most))
      // The maximum is sent, and the exchange returns the rest.
      const left = await node.getBalance({ address: user.address })
      expect(left).toBeGreaterThan(parseEther('10') - BigInt(sent?.params[0].value ?? '0x0'))
    },
  )
}

test(
  'exact amount of ether to receive takes at most the approved amount of a token',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const user = await createPageSession(page, urls, { dollars: '1000' })
    const dialog = await openSwapView(page, urls)
    await selectToToken(dialog, /Latch Dollar/)
    await reverseTokens(dialog)
    const most = parseUnits(await reviewReceived(dialog, '0.1'), 6)
    await dialog.getByRole('button', { name: /^Approve [\d.,]+ LUSD$/ }).click()
    await swap(dialog, 'Swapped LUSD to 0.100 ETH')
    const sold = parseUnits('1000', 6) - (await dollarsOf(urls, user))
    expect(sold).toBeGreaterThan(0n)
    const logs = await nodeOf(urls.evm).getContractEvents({
      address: user.dollar,
      abi: erc20Abi,
      eventName: 'Approval',
      args: { owner: user.address },
      fromBlock: 0n,
    })
    const approved = logs[0]?.args.value ?? 0n
    expect(approved).toBeLessThanOrEqual(most)
    expect(sold).toBeLessThanOrEqual(approved)
  },
)

test(
  'amount to receive beyond the liquidity or the balance can not be reviewed',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await createPageSession(page, urls)
    const dialog = await openSwapView(page, urls)
    await selectToToken(dialog, /Latch Dollar/)
    const received = dialog.getByRole('group', { name: 'You receive' }).getByRole('textbox')
    await received.fill('100000')
    await expect(dialog.getByText('Your balance is too low. Enter a smaller amount.')).toBeVisible()
    await received.fill('999999999999')
    await expect(dialog.getByText(/There isn’t enough liquidity for this amount/)).toBeVisible()
    await received.fill('9'.repeat(400))
    await expect(dialog.getByRole('button', { name: 'Incorrect amount' })).toBeVisible()
    await received.fill('10')
    await expect(dialog.getByRole('button', { name: 'Review swap' })).toHaveAttribute('aria-disabled', 'false')
  },
)

test('rate counts down and is loaded again without any input', { tag: '@variant' }, async ({ page, urls }) => {
  await createPageSession(page, urls)
  const dialog = await openSwapView(page, urls)
  await selectToToken(dialog, /Latch Dollar/)
  await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('0.5')
  await expect(dialog.getByText('New rate in 9s')).toBeVisible()
  await page.waitForRequest(/\/v1\/convert\/quotes/)
  await expect(dialog.getByText(/New rate in (10|9)s/)).toBeVisible()
})

test('phone wallet swaps the entered amount', { tag: '@variant' }, async ({ page, urls }) => {
  const wallet = await connectByLink(page, urls)
  const dialog = await openSwap(page)
  await selectToToken(dialog, /Latch Dollar/)
  await reviewSwap(dialog, '0.25')
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await expect(wallet.getByRole('dialog')).toContainText('0.25 ETH')
  await approve(wallet)
  await expect(dialog.getByText('Swapped 0.250 ETH to LUSD')).toBeAttached()
})
