import { generateKeyPairSync } from 'node:crypto'
import { base58 } from '@scure/base'
import { verifySignIn } from '@latchkey/verify'
import type { Locator, Page, Response } from '@playwright/test'
import {
  createTestClient,
  erc20Abi,
  getAddress,
  http,
  isAddress,
  isErc6492Signature,
  isHex,
  parseEther,
  publicActions,
  recoverMessageAddress,
  toCoinType,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import {
  addressesOf,
  respond,
  expectConnected,
  logInAsNewUser,
  screenOf,
  siteOf,
  someAddress,
} from '../support/embeddedLogin.ts'
import { connectButton, expect, openModal, openSettings, test, type Urls } from '../support/fixtures.ts'

function createChainClient(url: string) {
  return createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 50 }).extend(publicActions)
}

const createStrangerAddress = (): Address => privateKeyToAddress(generatePrivateKey())

/** An unused Solana address. */
function solanaStranger(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  return base58.encode(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
}

/** Logs in a new user with a funded smart account, on the page that shows the hooks' values. */
async function createPageSession(page: Page, urls: Urls, ether = '1'): Promise<Address> {
  await page.goto(`${siteOf(urls)}/account`)
  await logInAsNewUser(page, urls, someAddress())
  await expectConnected(page)
  const address = await evmOf(page)
  await createChainClient(urls.evm).setBalance({ address, value: parseEther(ether) })
  return address
}

async function evmOf(page: Page): Promise<Address> {
  const { evm } = await addressesOf(page)
  if (!isAddress(evm)) throw new Error(`${evm} is not an address of an EVM chain.`)
  return evm
}

const codeOf = (urls: Urls, address: Address): Promise<Hex | undefined> =>
  createChainClient(urls.evm).getCode({ address })

async function openAccountSettings(page: Page): Promise<Locator> {
  const dialog = await openModal(page)
  await openSettings(dialog)
  return dialog
}

/** The time an operation takes through the bundler, as the frame measures it. */
function watchOperation(page: Page): { readonly took: () => string } {
  const at: { sent?: number; found?: number } = {}
  const record = async (response: Response): Promise<void> => {
    const body = response.request().postData() ?? ''
    if (body.includes('"eth_sendUserOperation"')) at.sent ??= Date.now()
    if (!body.includes('"eth_getUserOperationReceipt"')) return
    const text = await response.text().catch(() => '')
    if (text.includes('"transactionHash"')) at.found ??= Date.now()
  }
  page.on('response', (response) => void record(response))
  return { took: () => `${(at.found ?? Number.NaN) - (at.sent ?? Number.NaN)} ms` }
}

test(
  'undeployed smart account sends the exact ether amount without a fee [R1.5] [R5.4.4] [R6.1]',
  { tag: '@extended' },
  async ({ page, urls }) => {
    const own = await createPageSession(page, urls)
    expect(await codeOf(urls, own)).toBeUndefined()
    const receiver = createStrangerAddress()
    await page.getByRole('textbox', { name: 'To' }).fill(receiver)
    await page.getByRole('textbox', { name: 'Amount' }).fill('0.25')
    const operation = watchOperation(page)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(screenOf(page).getByText('0.25 ETH').first()).toBeVisible()
    const approved = await respond(page, 'Approve')
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible({ timeout: 60_000 })
    const mined = Date.now()
    expect(await createChainClient(urls.evm).getBalance({ address: receiver })).toBe(parseEther('0.25'))
    // The paymaster paid the fee: the balance dropped only by the sent amount.
    expect(await createChainClient(urls.evm).getBalance({ address: own })).toBe(parseEther('0.75'))
    expect(await codeOf(urls, own)).toMatch(/^0x\w+/)
    console.log(
      `operation: submitted → included ${operation.took()}, approved → mined on the page ${mined - approved} ms`,
    )

    // Sends another one in the modal, now that the account is deployed.
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'To' }).fill(receiver)
    await dialog.getByRole('textbox', { name: /^Amount/ }).fill('0.5')
    await dialog.getByRole('button', { name: 'Preview send' }).click()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    const second = watchOperation(page)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await respond(page, 'Approve')
    await expect(dialog.getByText('0.5 ETH sent')).toBeAttached({ timeout: 60_000 })
    expect(await createChainClient(urls.evm).getBalance({ address: receiver })).toBe(parseEther('0.75'))
    expect(await createChainClient(urls.evm).getBalance({ address: own })).toBe(parseEther('0.25'))
    console.log(`second operation: submitted → included ${second.took()}`)
  },
)

test(
  'smart account signature verifies before and after deployment and is not a plain key signature [R1.3]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const own = await createPageSession(page, urls)
    const message = 'I keep the keys to this door.'
    const sign = async (): Promise<Hex> => {
      await page.getByRole('button', { name: 'Sign', exact: true }).click()
      const approved = await respond(page, 'Approve')
      await expect(page.getByText('The signature verifies.')).toBeVisible()
      console.log(`message: approved → verified on the page ${Date.now() - approved} ms`)
      const signature = await page.locator('form', { hasText: 'Sign a message' }).locator('.hash').innerText()
      if (!isHex(signature)) throw new Error('That is not a signature.')
      return signature
    }
    const node = createChainClient(urls.evm)
    const before = await sign()
    expect(isErc6492Signature(before)).toBe(true)
    expect(await node.verifyMessage({ address: own, message, signature: before })).toBe(true)
    expect(await node.verifyMessage({ address: own, message: 'Another door.', signature: before })).toBe(false)
    expect(await node.verifyMessage({ address: createStrangerAddress(), message, signature: before })).toBe(false)

    await page.getByRole('textbox', { name: 'To' }).fill(createStrangerAddress())
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await respond(page, 'Approve')
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible({ timeout: 60_000 })
    const after = await sign()
    expect(isErc6492Signature(after)).toBe(false)
    expect(await node.verifyMessage({ address: own, message, signature: after })).toBe(true)
  },
)

test('smart account swaps ether for a token with a sponsored fee [R1.6]', { tag: '@long' }, async ({ page, urls }) => {
  const own = await createPageSession(page, urls)
  // The page caches balances for half a minute, and it read them while the account was empty.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('@latchkey/cache/')) localStorage.removeItem(key)
  })
  await page.reload()
  await expect(connectButton(page)).toContainText('0x')
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await dialog.getByRole('button', { name: 'Select token' }).first().click()
  await dialog
    .getByRole('region', { name: 'All tokens' })
    .getByRole('button', { name: /Latch Dollar/ })
    .click()
  await dialog.getByRole('textbox', { name: /^Amount/ }).fill('0.5')
  await dialog.getByRole('button', { name: 'Review swap' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await respond(page, 'Approve')
  await expect(dialog.getByText('Swapped 0.500 ETH to LUSD')).toBeAttached({ timeout: 60_000 })
  const node = createChainClient(urls.evm)
  const address = await dollarOf(page)
  const dollars = await node.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [own] })
  expect(dollars).toBeGreaterThan(0n)
  expect(await node.getBalance({ address: own })).toBe(parseEther('0.5'))
})

test(
  'smart account registers a name with only a signature [R1.6] [R7.1.16]',
  { tag: '@long' },
  async ({ page, urls }) => {
    const own = await createPageSession(page, urls)
    const label = `keeper-${own.slice(2, 14).toLowerCase()}`
    const dialog = await openAccountSettings(page)
    await dialog.getByRole('button', { name: 'Choose a name .latchkey.test' }).click()
    await dialog.getByRole('button', { name: 'Choose a name', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(label)
    await expect(dialog.getByText('This name is available.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Register' }).click()
    await respond(page, 'Approve')
    await expect(dialog.getByRole('button', { name: 'Go to account' })).toBeVisible({ timeout: 60_000 })
    const node = createChainClient(urls.evm)
    const at = { universalResolverAddress: await resolverOf(page), strict: true }
    // A contract proves its ownership on its own chain only, so the name has the coin type of this chain (ENSIP-11).
    const coinType = toCoinType(await node.getChainId())
    const address = await node.getEnsAddress({ ...at, coinType, name: `${label}.latchkey.test` })
    expect(getAddress(address ?? '0x')).toBe(own)
    expect(await node.getEnsAddress({ ...at, name: `${label}.latchkey.test` })).toBeNull()
    expect(await node.getEnsName({ ...at, coinType, address: own })).toBe(`${label}.latchkey.test`)
  },
)

test(
  'account type switches in both directions only after confirmation in modal and wallet [R6.1]',
  { tag: '@long' },
  async ({ page, urls }) => {
    const smart = await createPageSession(page, urls)
    const dialog = await openAccountSettings(page)
    await dialog.getByRole('button', { name: 'Smart account Switch to your standard account' }).click()
    await expect(dialog.getByText('It has a different address.', { exact: false })).toBeVisible()
    expect(await evmOf(page)).toBe(smart)
    await dialog.getByRole('button', { name: 'Switch', exact: true }).click()
    await expect(screenOf(page).getByText('Use your standard account?')).toBeVisible()
    expect(await evmOf(page)).toBe(smart)
    await respond(page, 'Switch')
    await expect(dialog.getByText('Account switched')).toBeAttached()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const eoa = await evmOf(page)
    expect(eoa).not.toBe(smart)

    // The key now signs and pays for itself.
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await respond(page, 'Approve')
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    const signature = await page.locator('form', { hasText: 'Sign a message' }).locator('.hash').innerText()
    if (!isHex(signature)) throw new Error('That is not a signature.')
    expect(await recoverMessageAddress({ message: 'I keep the keys to this door.', signature })).toBe(eoa)

    await openAccountSettings(page)
    await dialog.getByRole('button', { name: 'Standard account Switch to your smart account' }).click()
    await expect(dialog.getByText('This application might not support Smart Accounts')).toBeVisible()
    await dialog.getByRole('button', { name: 'Switch', exact: true }).click()
    await expect(screenOf(page).getByText('Use your smart account?')).toBeVisible()
    await screenOf(page).getByRole('button', { name: 'Don’t switch' }).click()
    await expect(dialog.getByRole('button', { name: /^Standard account/ })).toBeVisible()
    expect(await evmOf(page)).toBe(eoa)
    await dialog.getByRole('button', { name: /^Standard account/ }).click()
    await dialog.getByRole('button', { name: 'Switch', exact: true }).click()
    await respond(page, 'Switch')
    await expect.poll(() => evmOf(page)).toBe(smart)

    await page.reload()
    await expect.poll(() => evmOf(page)).toBe(smart)
  },
)

test(
  'Solana account of the embedded wallet pays and signs with its key [R1.3] [R1.5]',
  { tag: '@long' },
  async ({ page, urls }) => {
    await createPageSession(page, urls)
    const { solana } = await addressesOf(page)
    await solanaAsk(urls, 'requestAirdrop', solana, 5_000_000_000)
    await page.getByRole('button', { name: 'Use Solana' }).click()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await respond(page, 'Approve')
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    const receiver = solanaStranger()
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'To' }).fill(receiver)
    await dialog.getByRole('textbox', { name: /^Amount/ }).fill('1.5')
    await dialog.getByRole('button', { name: 'Preview send' }).click()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await respond(page, 'Approve')
    await expect(dialog.getByText('1.5 SOL sent')).toBeAttached({ timeout: 60_000 })
    expect(await solanaAsk(urls, 'getBalance', receiver)).toMatchObject({ value: 1_500_000_000 })
  },
)

test(
  'sign-in with a smart account is verified by the server [R1.3] [R2.2.8] [R4.3.1]',
  { tag: '@long' },
  async ({ page, urls }) => {
    await page.goto(`${siteOf(urls)}/account?sign-in=required`)
    await logInAsNewUser(page, urls, someAddress())
    const domain = new URL(siteOf(urls)).host
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(`${domain} asks you to sign in`)).toBeVisible({ timeout: 60_000 })
    await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
    await respond(page, 'Approve')
    await expect(dialog).toBeHidden()
    const own = await evmOf(page)
    const [session] = await page.evaluate(
      () => JSON.parse(localStorage.getItem('@latchkey/siwx') ?? '[]') as StoredSession[],
    )
    if (session === undefined) throw new Error('No session was kept.')
    const { message, signature, data } = session
    const expected = { nonce: data.nonce, domain, now: Date.now() }
    const proof = await verifySignIn({ message, signature }, { ...expected, chainSource: urls.evm })
    expect(proof).toMatchObject({ valid: true, account: `eip155:31337:${own}` })
    // A server must not trust the signature alone if it can't query the chain.
    expect(await verifySignIn({ message, signature }, expected)).toMatchObject({ valid: false })
  },
)

type StoredSession = { readonly data: { readonly nonce: string }; readonly message: string; readonly signature: string }

async function solanaAsk({ solana = '' }: Urls, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  // The local chain responds in this shape.
  return ((await (await fetch(solana, { method: 'POST', headers, body })).json()) as { result: unknown }).result
}

type HookValues = {
  readonly tokens: readonly { readonly symbol: string; readonly address: string }[]
  readonly networks: readonly {
    readonly id: number
    readonly contracts?: { readonly ensUniversalResolver?: { readonly address: string } }
  }[]
}

/** The configuration that the host wrote into the page. */
function readHooks(page: Page): Promise<HookValues> {
  return page.evaluate(() => JSON.parse(document.querySelector('#latchkey-config')?.textContent ?? '{}') as HookValues)
}

async function dollarOf(page: Page): Promise<Address> {
  const address = (await readHooks(page)).tokens.find(({ symbol }) => symbol === 'LUSD')?.address
  if (address === undefined || !isAddress(address)) throw new Error('There are no dollars here.')
  return address
}

async function resolverOf(page: Page): Promise<Address> {
  const found = (await readHooks(page)).networks.find(({ id }) => id === 31_337)
  const address = found?.contracts?.ensUniversalResolver?.address
  if (address === undefined || !isAddress(address)) throw new Error('There are no names here.')
  return address
}
