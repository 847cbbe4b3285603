import { memoryStorage } from '@latchkey/core'
import { modalOf } from '@latchkey/modal'
import { announce, createSimulatedExtension } from '@latchkey/testkit'
import { mainnet } from 'viem/chains'
import { StrictMode, type ReactElement } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EthersAdapter } from '../adapters/ethers/EthersAdapter.ts'
import { connectWalletById } from '../walletButton/connectWalletById.ts'
import {
  AppKitButton,
  AppKitProvider,
  createAppKit,
  useAppKitAccount,
  type AppKit,
  type AppKitOptions,
} from '../react/index.ts'

const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

function optionsWith(options: Partial<AppKitOptions> = {}): AppKitOptions {
  return {
    adapters: [new EthersAdapter()],
    networks: [mainnet],
    projectId: 'ab'.repeat(16),
    latchkey: { server: false, relayUrl: false, storage: memoryStorage() },
    ...options,
  }
}

function create(options?: Partial<AppKitOptions>): AppKit {
  const appKit = createAppKit(optionsWith(options))
  onTestFinished(appKit.destroy)
  return appKit
}

/** Puts markup into the page. */
function appendHtml(html: string): HTMLElement {
  const container = document.createElement('div')
  container.innerHTML = html
  document.body.append(container)
  onTestFinished(() => container.remove())
  return container
}

function announceWallet(): void {
  const extension = createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: { 1: 'http://127.0.0.1:9/' },
    chainId: 1,
    info: { rdns: 'io.metamask', name: 'MetaMask' },
  })
  onTestFinished(announce(extension, window))
}

test('elements that are in the page before createAppKit show their contents after it', async () => {
  appendHtml('<appkit-button label="Sign in"></appkit-button><w3m-network-button></w3m-network-button>')
  expect(page.getByRole('button').elements()).toHaveLength(0)
  create()
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Ethereum' })).toBeVisible()
})

test('attributes of an element can change, and the buttons of removed elements disappear', async () => {
  create()
  const container = appendHtml('<appkit-connect-button label="One" disabled></appkit-connect-button>')
  await expect.element(page.getByRole('button', { name: 'One' })).toBeDisabled()
  const element = container.firstElementChild
  element?.setAttribute('label', 'Two')
  element?.removeAttribute('disabled')
  await expect.element(page.getByRole('button', { name: 'Two' })).toBeEnabled()
  container.replaceChildren()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})

test('a wallet button connects by an id of AppKit', { tags: 'browsers' }, async () => {
  announceWallet()
  const appKit = create()
  appendHtml(
    '<appkit-wallet-button wallet="metamask"></appkit-wallet-button><appkit-account-button></appkit-account-button>',
  )
  await page.getByRole('button', { name: 'MetaMask' }).click()
  await expect.poll(() => appKit.getAccount().isConnected).toBe(true)
  await expect.element(page.getByRole('button', { name: /0xf3/ })).toBeVisible()
})

test('a second createAppKit replaces the modal, and elements follow it', async () => {
  const first = create({ themeMode: 'light' })
  appendHtml('<appkit-button></appkit-button>')
  await expect.element(page.getByRole('button')).toHaveAttribute('data-theme', 'light')
  const second = create({ themeMode: 'dark' })
  await expect.element(page.getByRole('button')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button').click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(page.getByRole('dialog').elements()).toHaveLength(1)
  expect([first.isOpen(), second.isOpen()]).toEqual([false, true])
})

test('an embedded modal is rendered in its element', async () => {
  create({ enableEmbedded: true })
  appendHtml('<main><appkit-modal></appkit-modal></main>')
  await expect.element(page.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
  expect(document.querySelector('appkit-modal')?.shadowRoot?.querySelector('latchkey-modal')).not.toBeNull()
})

test('theme variables with both prefixes set the tokens, and those of the page come first', async () => {
  const appKit = create({ themeVariables: { '--w3m-accent': 'rgb(1, 2, 3)', '--w3m-border-radius-master': '2px' } })
  const container = appendHtml('<p style="block-size:400px"></p><appkit-button></appkit-button>')
  // A hovered button mixes its colour.
  await page.elementLocator(document.documentElement).hover({ position: { x: 1, y: 1 } })
  const styles = (): (string | undefined)[] => {
    const button = container.querySelector('appkit-button')?.shadowRoot?.querySelector('button')
    const { backgroundColor, borderRadius } =
      button === null || button === undefined
        ? { backgroundColor: undefined, borderRadius: undefined }
        : getComputedStyle(button)
    return [backgroundColor, borderRadius]
  }
  await expect.poll(styles).toEqual(['rgb(1, 2, 3)', '7px'])
  appKit.setThemeVariables({ '--apkt-accent': 'rgb(4, 5, 6)' })
  await expect.poll(styles).toEqual(['rgb(4, 5, 6)', '7px'])
  container.style.setProperty('--latchkey-accent', 'rgb(7, 8, 9)')
  await expect.poll(styles).toEqual(['rgb(7, 8, 9)', '7px'])
})

test('a value of a theme variable can not add rules to the page', () => {
  const attack = 'red;}}body{display:none}@layer x{:root{--a:1'
  create({ themeVariables: { '--w3m-accent': attack } })
  expect(getComputedStyle(document.body).display).not.toBe('none')
})

test.each([
  [true, 1],
  [false, 0],
])('with debug %s, a mistake of the app shows %i alerts', async (debug, count) => {
  const { latchkey } = create({ debug })
  const shown: number[] = []
  onTestFinished(modalOf(latchkey).alerts.subscribe((alerts) => void shown.push(alerts.length)))
  latchkey.events.emit({ type: 'problem', code: 'invalid-app-configuration' })
  await expect.poll(() => shown.length).toBeGreaterThan(0)
  expect(modalOf(latchkey).alerts.getState()).toHaveLength(count)
})

test('with manualWCControl, the modal opens with the QR code', async () => {
  const appKit = create({ manualWCControl: true })
  await appKit.open({ uri: 'wc:0@2?relay-protocol=irn&symKey=0' })
  await expect.element(page.getByRole('heading', { name: 'WalletConnect' })).toBeVisible()
})

test('enableEIP6963 false hides wallets that announce themselves', async () => {
  announceWallet()
  const appKit = create()
  await expect.poll(() => appKit.getConnectors()).toHaveLength(1)
  const hidden = create({ enableEIP6963: false })
  // The wallets of a page are found while the start runs.
  expect(hidden.getConnectors()).toEqual([])
})

test('enableReconnect false starts without the connection of the last visit', async () => {
  announceWallet()
  const storage = memoryStorage()
  const latchkey = { server: false, relayUrl: false, storage } as const
  const first = create({ latchkey })
  await connectWalletById(first, 'metamask')
  expect(create({ latchkey }).getAccount().status).toBe('reconnecting')
  expect(create({ latchkey, enableReconnect: false }).getAccount().status).toBe('disconnected')
  expect(create({ latchkey }).getAccount().status).toBe('disconnected')
})

function Account(): ReactElement {
  const { status } = useAppKitAccount()
  return (
    <p>
      Status: {status} <AppKitButton />
    </p>
  )
}

test('AppKitProvider creates one instance in strict mode', async () => {
  const screen = await render(
    <StrictMode>
      <AppKitProvider {...optionsWith()}>
        <Account />
      </AppKitProvider>
    </StrictMode>,
  )
  await expect.element(screen.getByText('Status: disconnected')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Connect' })).toBeVisible()
  expect(document.querySelectorAll('[data-latchkey=appkit]')).toHaveLength(1)
})
