import {
  createSimulatedExtension,
  createSimulatedSolanaWallet,
  registerSolanaWallet,
  type SimulatedExtension,
  type SimulatedSolanaWallet,
} from '@latchkey/testkit'
import { verifySolana } from '@latchkey/verify/solana'
import { base58, hex } from '@scure/base'
import { verifyMessage, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { announceIn, openApp as openAppOf, type OpenedApp, type Setup } from '../../../scripts/testing/openApp.ts'

// The first key of every development chain, and account 1 of the phrase that they share. Both are funded there only.
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const solanaKey = '3f25626cf245c8dd65a2b91a70e6f4c285182489fda230e2553c3752aa962b61'
const alice = privateKeyToAddress(key)
/** No test reads a chain. */
const nowhere = 'http://127.0.0.1:9/'

function openApp(name: string, setUp: Setup): Promise<OpenedApp> {
  return openAppOf('/packages/appkit/src/testing/apps', name, setUp)
}

function createExtension(chainId = 1): SimulatedExtension {
  return createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: Object.fromEntries([1, 137, 42_161, 11_155_111].map((id) => [id, nowhere])),
    chainId,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
}

function createSolanaWallet(): SimulatedSolanaWallet {
  const rpcUrls = Object.fromEntries(['mainnet', 'devnet', 'testnet'].map((name) => [`solana:${name}`, nowhere]))
  return createSimulatedSolanaWallet({ privateKeys: [solanaKey], rpcUrls, info: { name: 'Dev Solana' } })
}

/** Waits until the app shows a text. */
function expectText(app: OpenedApp, text: string): Promise<void> {
  return expect.poll(app.text).toContain(text)
}

async function click({ screen }: OpenedApp, name: string): Promise<void> {
  await screen.getByRole('button', { name, exact: true }).click()
}

/** Chooses a wallet of the open modal. */
async function choose({ screen }: OpenedApp, name: string): Promise<void> {
  await screen.getByRole('dialog').getByRole('button', { name }).click()
}

async function signatureOf(app: OpenedApp): Promise<string> {
  await expect.poll(app.text).toMatch(/Signature: \w{100}/)
  return /Signature: (\w+)/.exec(app.text())?.[1] ?? ''
}

test('an app with wagmi connects, switches, signs, reconnects and disconnects', async () => {
  const app = await openApp('wagmiApp', announceIn(createExtension()))
  await expectText(app, 'Status: disconnected')
  await click(app, 'Open')
  await choose(app, 'Dev Wallet')
  await expectText(app, `Address: ${alice}`)
  await expectText(app, `Account id: eip155:1:${alice}`)
  await expectText(app, `wagmi: ${alice} on 1`)

  await click(app, 'Switch to Arbitrum')
  await expectText(app, 'Network: Arbitrum One 42161')
  await expectText(app, `wagmi: ${alice} on 42161`)
  await click(app, 'Switch to Ethereum with wagmi')
  await expectText(app, 'Network: Ethereum 1')

  await click(app, 'Sign')
  const signature = (await signatureOf(app)) as Hex
  expect(await verifyMessage({ address: alice, message: 'Hello AppKit', signature })).toBe(true)

  await app.reload()
  await expectText(app, `Address: ${alice}`)
  await expectText(app, `wagmi: ${alice} on 1`)

  await click(app, 'Disconnect')
  await expectText(app, 'Status: disconnected')
  await expectText(app, 'wagmi: none')
  await app.reload()
  await expectText(app, 'Status: disconnected')
})

test(
  'an app with ethers connects by the element, reports events, switches, signs and reconnects',
  { tags: 'browsers' },
  async () => {
    const app = await openApp('ethersApp', announceIn(createExtension(11_155_111)))
    await expectText(app, 'Network: eip155:11155111')
    await click(app, 'Connect me')
    await expectText(app, 'State: open')
    await expectText(app, 'Event: MODAL_OPEN')
    await choose(app, 'Dev Wallet')
    await expectText(app, `Address: ${alice}`)
    await expectText(app, 'Wallet: Dev Wallet')
    await expectText(app, 'State: closed eip155:11155111')
    await click(app, 'Sign')
    const signature = (await signatureOf(app)) as Hex
    expect(await verifyMessage({ address: alice, message: 'Hello AppKit Ethers', signature })).toBe(true)

    await click(app, 'Switch to Ethereum')
    await expectText(app, 'Network: eip155:1\n')
    await expectText(app, 'Event: SWITCH_NETWORK')
    await click(app, 'Dark')
    await expectText(app, 'Theme: dark')

    await app.reload()
    await expectText(app, `Address: ${alice}`)
    await expectText(app, 'Network: eip155:1\n')
    await click(app, 'Disconnect')
    await expectText(app, 'Status: disconnected')
  },
)

test('an app with Solana connects, signs with web3.js, switches and reconnects', { tags: 'browsers' }, async () => {
  const wallet = createSolanaWallet()
  const app = await openApp('solanaApp', (page) => void registerSolanaWallet(wallet, page))
  await expectText(app, 'Connected: false')
  await click(app, 'Connect')
  await choose(app, 'Dev Solana')
  await expectText(app, 'Connected: true')
  const address = /Address: (\w+)/.exec(app.text())?.[1] ?? ''
  expect(base58.decode(address)).toHaveLength(32)
  await expectText(app, `Account id: solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${address}`)

  await click(app, 'Sign')
  const signature = base58.encode(hex.decode(await signatureOf(app)))
  expect(verifySolana(address, 'Hello AppKit Solana', signature)).toBe(true)
  await click(app, 'Sign transaction')
  await expectText(app, 'Transaction: valid')

  await click(app, 'Switch to Devnet')
  await expectText(app, 'Network: Solana Devnet')
  await expectText(app, 'Endpoint: https://api.devnet.solana.com')
  await app.reload()
  await expectText(app, `Address: ${address}`)
  await click(app, 'Disconnect')
  await expectText(app, 'Connected: false')
})

test(
  'an app with server rendering and sign-in hydrates, signs in, and stays signed in after a reload',
  { tags: 'browsers' },
  async () => {
    const extension = createExtension()
    const app = await openApp('signInApp', announceIn(extension))
    await click(app, 'Open')
    await choose(app, 'Dev Wallet')
    await app.screen.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click()
    await expectText(app, `Address: ${alice}`)
    await expect
      .poll(() => app.window.document.querySelector('latchkey-modal')?.shadowRoot?.querySelector('[open]'))
      .toBeFalsy()
    await click(app, 'Read sessions')
    await expectText(app, `Sessions: ${alice}`)

    await app.reload()
    await expectText(app, `Address: ${alice}`)
    await click(app, 'Read sessions')
    await expectText(app, `Sessions: ${alice}`)
    expect(extension.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
    expect(app.window.document.body).not.toHaveAttribute('data-hydration-error')

    await click(app, 'Disconnect')
    await expectText(app, 'Connected: false')
  },
)

test(
  'an app with three namespaces connects each, switches between them, and disconnects one or all',
  { tags: 'browsers' },
  async () => {
    const [extension, wallet] = [createExtension(), createSolanaWallet()]
    const app = await openApp('multiChainApp', (page) => {
      announceIn(extension)(page)
      registerSolanaWallet(wallet, page)
    })
    await click(app, 'Connect with a button')
    await expectText(app, `Ethereum: ${alice}`)
    await expectText(app, `wagmi: ${alice}`)
    await expectText(app, `Button: ${alice}`)
    await click(app, 'Open Solana')
    await choose(app, 'Dev Solana')
    await expect.poll(app.text).not.toContain('Solana: none')
    await expectText(app, 'Network: Solana')

    await click(app, 'Switch to Polygon')
    await expectText(app, 'Network: Polygon')
    await click(app, 'Disconnect Solana')
    await expectText(app, 'Solana: none')
    await expectText(app, `Ethereum: ${alice}`)
    await app.screen.getByRole('button', { name: 'Dev Solana' }).click()
    await expect.poll(app.text).not.toContain('Solana: none')

    await app.reload()
    await expectText(app, `Ethereum: ${alice}`)
    await expect.poll(app.text).not.toContain('Solana: none')
    await click(app, 'Disconnect all')
    await expectText(app, 'Ethereum: none')
    await expectText(app, 'Solana: none')
    await expectText(app, 'wagmi: none')
  },
)
