import { generateKeyPairSync } from 'node:crypto'
import { localAccount } from '@latchkey/devnet'
import {
  installSimulatedExtension,
  installSimulatedSolanaWallet,
  type InstalledExtension,
} from '@latchkey/testkit/playwright'
import { base58 } from '@scure/base'
import type { Locator, Page } from '@playwright/test'
import { bytesToHex, createTestClient, erc20Abi, http, parseEther, publicActions, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { axeViolations } from '../support/axeViolations.ts'
import {
  connectExtension,
  expect,
  openModal,
  openSettings,
  test,
  type Urls,
  testExtensionOf,
} from '../support/fixtures.ts'
import { approve, connectByLink } from '../support/phoneWallet.ts'

/** An account that holds tokens from the start and that no other test uses. */
const holder = localAccount(6)
/** The third account of the recovery phrase on Solana. It holds tokens from the start. */
const solanaHolderKey = '8eabe4c79ac3a146c1bc447a64233ea70694669b997b0565039471b2939e8c5e'

function createChainClient(url: string) {
  return createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 50 }).extend(publicActions)
}

/** A separate account, so that no other test changes its nonce. */
async function createPageSession(page: Page, urls: Urls, key: Hex = generatePrivateKey()): Promise<PageSession> {
  const address = privateKeyToAddress(key)
  await createChainClient(urls.evm).setBalance({ address, value: parseEther('10') })
  const extension = await installSimulatedExtension(page, testExtensionOf(urls, key))
  return { address, extension }
}

type PageSession = { address: Address; extension: InstalledExtension }

/** Connects and opens the send view. */
async function openSendView(page: Page, urls: Urls): Promise<Locator> {
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  return openSend(page)
}

async function openSend(page: Page): Promise<Locator> {
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toBeFocused()
  return dialog
}

async function fill(dialog: Locator, amount: string, receiver: string): Promise<void> {
  await dialog.getByRole('textbox', { name: /^Amount/ }).fill(amount)
  await dialog.getByRole('textbox', { name: 'To' }).fill(receiver)
}

async function reviewSend(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Preview send' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expect(dialog.locator('[data-view=WalletSend]')).toHaveCount(0)
}

/** Sends the reviewed payment and waits until it is mined. A notice keeps its text after it fades out. */
async function send(dialog: Locator, notice: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Account settings' })).toBeVisible()
  await expect(dialog.getByText(notice)).toBeAttached()
}

function createStrangerAddress(): Address {
  return privateKeyToAddress(generatePrivateKey())
}

/** A new Solana key pair. The private key is hexadecimal, as the test wallets expect. */
function solanaStranger(): { address: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = (bytes: Buffer): Buffer => bytes.subarray(-32)
  return {
    address: base58.encode(raw(publicKey.export({ type: 'spki', format: 'der' }))),
    key: raw(privateKey.export({ type: 'pkcs8', format: 'der' })).toString('hex'),
  }
}

type RequestRpc = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** Connects a funded Solana wallet and opens the send view. */
async function openSendViewOnSolana(
  page: Page,
  urls: Urls,
  key?: string,
): Promise<{ dialog: Locator; solana: RequestRpc }> {
  const url = urls.solana ?? ''
  const solana: RequestRpc = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    // The local chain responds in this shape.
    return ((await (await fetch(url, { method: 'POST', body })).json()) as { result: unknown }).result
  }
  const own = solanaStranger()
  if (key === undefined) await solana('requestAirdrop', own.address, 10_000_000_000)
  const privateKeys = [key ?? own.key] as const
  const info = { name: 'Test Sun' }
  await installSimulatedSolanaWallet(page, { privateKeys, rpcUrls: { 'solana:localnet': url }, info })
  await page.goto(`${urls.web}/account`)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /Test Sun/ }).click()
  await expect(page.getByRole('heading', { name: 'Test Sun', level: 2 })).toBeVisible()
  return { dialog: await openSend(page), solana }
}

/** The address of a token of the local world, from the page's configuration. */
function tokenAddress(page: Page, symbol: string, namespace = 'eip155'): Promise<Address> {
  return page.evaluate(
    ([wanted, family]) => {
      const text = document.querySelector('#latchkey-config')?.textContent ?? '{}'
      const { tokens } = JSON.parse(text) as { tokens: { caipNetworkId: string; address: Address; symbol: string }[] }
      const found = tokens.find((each) => each.symbol === wanted && each.caipNetworkId.startsWith(family))
      return found?.address ?? '0x'
    },
    [symbol, `${namespace}:`] as const,
  )
}

test.describe('light theme, large screen', () => {
  test.use({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })

  test('sent ether arrives to the last wei [R1.5]', async ({ page, urls }) => {
    await createPageSession(page, urls)
    const dialog = await openSendView(page, urls)
    const to = createStrangerAddress()
    await fill(dialog, '1.234567890123456789', to)
    await expect(dialog.getByText('This address has never been used on this network.')).toBeVisible()
    expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
    await reviewSend(dialog)
    await expect(dialog.getByText('1.234567890123456789 ETH', { exact: true })).toBeVisible()
    await expect(dialog.getByText(to, { exact: true })).toBeVisible()
    expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
    await send(dialog, '1.234567890123456789 ETH sent')
    expect(await createChainClient(urls.evm).getBalance({ address: to })).toBe(1_234_567_890_123_456_789n)
  })

  test(
    'sending all ether leaves only the unused part of the estimated fee',
    { tag: '@variant' },
    async ({ page, urls }) => {
      const { address } = await createPageSession(page, urls)
      const dialog = await openSendView(page, urls)
      const to = createStrangerAddress()
      await dialog.getByRole('textbox', { name: 'To' }).fill(to)
      await dialog.getByRole('button', { name: 'Send all ETH' }).click()
      await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toHaveValue(/^9\.999/)
      await reviewSend(dialog)
      await send(dialog, 'ETH sent')
      const [left, there] = await Promise.all(
        [address, to].map((each) => createChainClient(urls.evm).getBalance({ address: each })),
      )
      expect(Number(there)).toBeGreaterThan(Number(parseEther('9.999')))
      expect(Number(left)).toBeLessThan(Number(parseEther('0.0001')))
    },
  )

  test('Solana wallet sends SOL [R1.5]', { tag: '@extended' }, async ({ page, urls }) => {
    const { dialog, solana } = await openSendViewOnSolana(page, urls)
    const to = solanaStranger()
    await fill(dialog, '1.5', to.address)
    await reviewSend(dialog)
    await send(dialog, '1.5 SOL sent')
    expect(await solana('getBalance', to.address)).toMatchObject({ value: 1_500_000_000 })
  })
})

test.describe('dark theme, small screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('token found by its symbol is sent [R1.5]', { tag: '@variant' }, async ({ page, urls }) => {
    await createPageSession(page, urls, bytesToHex(holder.getHdKey().privateKey ?? new Uint8Array()))
    const dialog = await openSendView(page, urls)
    await dialog.getByRole('button', { name: /^Token ETH/ }).click()
    await dialog.getByRole('searchbox').fill('lusd')
    await dialog.getByRole('button', { name: /Latch Dollar/ }).click()
    const to = createStrangerAddress()
    await fill(dialog, '12.345678', to)
    await reviewSend(dialog)
    await expect(dialog.getByText('12.345678 LUSD', { exact: true })).toBeVisible()
    expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
    await send(dialog, '12.345678 LUSD sent')
    const address = await tokenAddress(page, 'LUSD')
    const held = await createChainClient(urls.evm).readContract({
      abi: erc20Abi,
      address,
      functionName: 'balanceOf',
      args: [to],
    })
    expect(held).toBe(12_345_678n)
  })

  test(
    'Solana token is sent to a recipient without a token account [R1.5] [R5.4.1]',
    { tag: '@variant' },
    async ({ page, urls }) => {
      const { dialog, solana } = await openSendViewOnSolana(page, urls, solanaHolderKey)
      await dialog.getByRole('button', { name: /^Token SOL/ }).click()
      await dialog.getByRole('button', { name: /LUSD/ }).click()
      const to = solanaStranger()
      await fill(dialog, '3', to.address)
      await expect(dialog.getByText('The receiver has no account for this token yet.')).toBeVisible()
      await reviewSend(dialog)
      await expect(dialog.getByText('Account rent (refundable)')).toBeVisible()
      await send(dialog, '3 LUSD sent')
      const config = { encoding: 'jsonParsed' }
      const held = await solana(
        'getTokenAccountsByOwner',
        to.address,
        { mint: await tokenAddress(page, 'LUSD', 'solana') },
        config,
      )
      expect(JSON.stringify(held)).toContain('"amount":"3000000"')
    },
  )
})

test(
  'rejected payment keeps its inputs, and fifty clicks send one wallet request [R4.4.4]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const { extension, address } = await createPageSession(page, urls)
    const dialog = await openSendView(page, urls)
    const to = createStrangerAddress()
    await fill(dialog, '2', to)
    await reviewSend(dialog)
    extension.rejectNext()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByText('You rejected the payment. Nothing was sent.')).toBeAttached()
    await expect(dialog.getByRole('button', { name: 'Account settings' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toHaveValue('2')
    await expect(dialog.getByRole('textbox', { name: 'To' })).toHaveValue(to)
    await reviewSend(dialog)
    const countTransactions = (): number =>
      extension.requests.filter(({ method }) => method === 'eth_sendTransaction').length
    const before = countTransactions()
    await dialog.getByRole('button', { name: 'Send', exact: true }).evaluate((button: HTMLElement) => {
      for (let press = 0; press < 50; press += 1) button.click()
    })
    await expect(dialog.getByText('2 ETH sent')).toBeAttached()
    expect(countTransactions()).toBe(before + 1)
    expect(await createChainClient(urls.evm).getTransactionCount({ address })).toBe(1)
  },
)

test('insufficient balance is shown without a wallet request', { tag: '@variant' }, async ({ page, urls }) => {
  const { extension } = await createPageSession(page, urls)
  const dialog = await openSendView(page, urls)
  await fill(dialog, '10.5', createStrangerAddress())
  await expect(dialog.getByRole('button', { name: 'Insufficient funds' })).toBeVisible()
  await fill(dialog, '10', createStrangerAddress())
  await expect(dialog.getByRole('button', { name: 'Insufficient gas funds' })).toBeVisible()
  expect(extension.requests.filter(({ method }) => method === 'eth_sendTransaction')).toEqual([])
})

test('address with a wrong checksum is invalid', { tag: '@variant' }, async ({ page, urls }) => {
  await createPageSession(page, urls)
  const dialog = await openSendView(page, urls)
  await fill(dialog, '1', '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266')
  await expect(dialog.getByRole('button', { name: 'Invalid address' })).toBeVisible()
})

test(
  'registered name resolves to its address and receives a payment [R1.5]',
  { tag: '@extended' },
  async ({ page, urls }) => {
    const { address } = await createPageSession(page, urls)
    const label = `payee-${address.slice(2, 14).toLowerCase()}`
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
    const dialog = await openModal(page)
    await openSettings(dialog)
    await dialog.getByRole('button', { name: /^Choose a name/ }).click()
    await dialog.getByRole('button', { name: 'Choose a name', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(label)
    await expect(dialog.getByText('This name is available.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Register' }).click()
    await dialog.getByRole('button', { name: 'Go to account' }).click()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    // The chain redirects name lookups to the server: two requests for each of two responses.
    const slowTimeout = { timeout: 30_000 }
    await fill(dialog, '0.5', `${label}.latchkey.test`)
    await expect(dialog.getByText(address, { exact: true })).toBeVisible(slowTimeout)
    await expect(dialog.getByText('This is your own address.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'To' }).fill('missing-name.latchkey.test')
    await expect(dialog.getByText('Name not found on Latchkey Local: missing-name.latchkey.test')).toBeVisible(
      slowTimeout,
    )
    await dialog.getByRole('textbox', { name: 'To' }).fill(`${label}.latchkey.test`)
    await expect(dialog.getByText(address, { exact: true })).toBeVisible(slowTimeout)
    await reviewSend(dialog)
    await expect(dialog.getByText(`${label}.latchkey.test`)).toBeVisible()
    await send(dialog, '0.5 ETH sent')
  },
)

test('phone wallet sends the entered amount [R1.5]', { tag: '@extended' }, async ({ page, urls }) => {
  const wallet = await connectByLink(page, urls)
  // The page of a tab in the background has no focus.
  await page.bringToFront()
  const dialog = await openSend(page)
  const to = createStrangerAddress()
  await fill(dialog, '0.25', to)
  await reviewSend(dialog)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(wallet.getByRole('dialog', { name: 'Send' })).toContainText('0.25 ETH')
  await approve(wallet)
  await expect(dialog.getByText('0.25 ETH sent')).toBeAttached()
  expect(await createChainClient(urls.evm).getBalance({ address: to })).toBe(parseEther('0.25'))
})

test('send views have no overflow at 320 pixels right to left', { tag: '@variant' }, async ({ page, urls }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await createPageSession(page, urls)
  const dialog = await openSendView(page, urls)
  await fill(dialog, '1.234567890123456789', createStrangerAddress())
  await page.locator('latchkey-modal').evaluate((host) => host.setAttribute('dir', 'rtl'))
  const tooWide = (): Promise<number> =>
    dialog.evaluate((element) =>
      Math.max(0, ...[...element.querySelectorAll('.pane')].map((pane) => pane.scrollWidth - pane.clientWidth)),
    )
  expect(await tooWide()).toBe(0)
  await reviewSend(dialog)
  expect(await tooWide()).toBe(0)
  await expect(dialog.getByRole('button', { name: 'Send', exact: true })).toBeInViewport()
})
