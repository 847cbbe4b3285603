import { connect, getAccount } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeNetwork, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { modalOf } from '@latchkey/modal'
import { expect, onTestFinished, test } from 'vitest'
import { AccountButton, ConnectButton, NetworkButton, WalletButton } from '../index.ts'
import { renderApp } from '../testing/renderModal.tsx'
import { fakeServer } from '../testing/fakeServer.ts'

function createTwoNamespaceWorld(): FakeWorld {
  const solana = [fakeNetwork({ namespace: 'solana', id: 1, name: 'Solana' })] as const
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana', networks: solana })]
  const connectors = [
    fakeConnector({ rdns: 'io.fake' }),
    fakeConnector({ id: 'ray', name: 'Ray', namespaces: ['solana'] }),
    fakeConnector({ id: 'both', name: 'Both', namespaces: ['eip155', 'solana'] }),
  ]
  return fakeWorld({ adapters, connectors })
}

test('the account button appears with an account and opens it', { tags: 'browsers' }, async () => {
  const { latchkey } = createTwoNamespaceWorld()
  const screen = await renderApp(latchkey, { children: <AccountButton /> })
  expect(screen.getByRole('button').query()).toBeNull()
  await connect(latchkey, 'fake')
  await screen.getByRole('button', { name: '0xaa…aafa4e' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Account' })).toBeVisible()
})

test('a button with a namespace shows only that namespace and activates it', { tags: 'browsers' }, async () => {
  const { latchkey } = createTwoNamespaceWorld()
  const children = [
    <ConnectButton key="a" namespace="eip155" />,
    <ConnectButton key="b" namespace="solana" label="Connect Solana" />,
  ]
  const screen = await renderApp(latchkey, { children })
  await connect(latchkey, 'fake')
  await expect.element(screen.getByRole('button', { name: '0xaa…aafa4e' })).toBeVisible()
  await screen.getByRole('button', { name: 'Connect Solana' }).click()
  await expect.element(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  expect(getAccount(latchkey).network?.name).toBe('Solana')
})

test('the network button opens the networks and warns about an unsupported one', async () => {
  const connector = fakeConnector()
  const { latchkey } = fakeWorld({ connectors: [connector], unsupportedNetworks: 'inform' })
  const screen = await renderApp(latchkey, { children: <NetworkButton /> })
  await expect.element(screen.getByRole('button')).toHaveTextContent(/Network 1$/)
  await connect(latchkey, 'fake')
  connector.emitChain('eip155:999')
  // The warning in the modal has a link of the same name.
  const button = screen.getByRole('button', { name: 'Switch network', exact: true }).first()
  await button.click()
  await expect.element(screen.getByRole('dialog', { name: 'Select network' })).toBeVisible()
})

/** Collects the addresses of all images that appear in the page. They are requested even if they don't load. */
function watchImages(): string[] {
  const sources: string[] = []
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLImageElement) sources.push(node.src)
      else if (node instanceof Element) sources.push(...[...node.querySelectorAll('img')].map(({ src }) => src))
    }
  })
  observer.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return sources
}

const servedIcon = /^https:\/\/server\.invalid\/public\/getAssetImage\/eip155%3A1\?/

test('the network button shows the served icon once a wallet is connected, and requests none before', async () => {
  const { url, projectId } = fakeServer()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()], server: url, projectId })
  const images = watchImages()
  const screen = await renderApp(latchkey, { children: <NetworkButton /> })
  await expect.element(screen.getByRole('button')).toHaveTextContent(/^NNetwork 1$/)
  expect(images).toEqual([])
  await connect(latchkey, 'fake')
  await expect.poll(() => images).toEqual([expect.stringMatching(servedIcon)])
  // The server of this test has no pictures, so the letter returns.
  await expect.element(screen.getByRole('button')).toHaveTextContent(/^NNetwork 1$/)
})

test('the network button shows the served icon once the modal was opened', async () => {
  const { url, projectId } = fakeServer()
  const { latchkey } = fakeWorld({ server: url, projectId })
  const images = watchImages()
  const screen = await renderApp(latchkey, { children: <NetworkButton /> })
  await screen.getByRole('button').click()
  await expect.poll(() => images).toContainEqual(expect.stringMatching(servedIcon))
})

test('buttons can be small or disabled', async () => {
  const { latchkey } = createTwoNamespaceWorld()
  const children = [
    <ConnectButton key="a" size="sm" disabled />,
    <NetworkButton key="b" size="sm" disabled />,
    <WalletButton key="c" wallet="ray" size="sm" disabled />,
  ]
  const screen = await renderApp(latchkey, { children })
  const buttons = screen.getByRole('button').elements()
  expect(buttons.map((button) => [button.getBoundingClientRect().height, button.matches(':disabled')])).toEqual(
    Array.from({ length: 3 }, () => [36, true]),
  )
})

test.each(['fake', 'io.fake', 'FAKE WALLET'])('one wallet, named %s, is connected without a list', async (wallet) => {
  const { latchkey } = createTwoNamespaceWorld()
  const screen = await renderApp(latchkey, { children: <WalletButton wallet={wallet} /> })
  await screen.getByRole('button', { name: 'Fake Wallet' }).click()
  await expect.element(screen.getByRole('button')).toHaveAttribute('data-wallet', 'connected')
  expect(modalOf(latchkey).state.getState().open).toBe(false)
  await screen.getByRole('button').click()
  await expect.element(screen.getByRole('dialog', { name: 'Account' })).toBeVisible()
})

test('the wallet button shows a pending connection, and after a rejection that it can be retried', async () => {
  const connector = fakeConnector({ neverResponds: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderApp(latchkey, { children: <WalletButton wallet="fake" label="Go" /> })
  await screen.getByRole('button', { name: 'Go' }).click()
  await expect.element(screen.getByRole('button', { name: 'Connecting…' })).toHaveAttribute('aria-busy', 'true')
  await expect.poll(() => connector.connectRequests).toHaveLength(1)
  connector.reject()
  await screen.getByRole('button', { name: 'Fake Wallet: Try again' }).click()
  await expect.poll(() => connector.connectRequests).toHaveLength(2)
  connector.approve()
  await expect.element(screen.getByRole('button', { name: 'Go' })).toHaveAttribute('data-wallet', 'connected')
})

test('a wallet of several namespaces asks for one, unless the button names it', async () => {
  const { latchkey } = createTwoNamespaceWorld()
  const children = [<WalletButton key="a" wallet="both" />, <WalletButton key="b" wallet="both" namespace="solana" />]
  const screen = await renderApp(latchkey, { children })
  await screen.getByRole('button', { name: 'Both' }).last().click()
  await expect.poll(() => getAccount(latchkey, 'solana').status).toBe('connected')
  expect(getAccount(latchkey, 'eip155').status).toBe('disconnected')
  const { latchkey: other } = createTwoNamespaceWorld()
  const again = await renderApp(other, { children: <WalletButton wallet="both" label="Which" /> })
  await again.getByRole('button', { name: 'Which' }).click()
  await expect
    .poll(() => modalOf(other).state.getState())
    .toMatchObject({ history: [{ view: 'ConnectingMultiChain' }] })
})

test.each(['Pocket', 'app.pocket'])(
  '%s outside of the page is found in the list and connected on a phone',
  async (name) => {
    const pocket = { id: 'p', name: 'Pocket', image_id: '', rdns: 'app.pocket', chains: [], mobile_link: 'pocket:' }
    const { url, projectId, requests } = fakeServer({ wallets: [pocket] })
    const connectors = [fakeConnector({ id: 'walletConnect', type: 'walletConnect', neverResponds: true })]
    const { latchkey } = fakeWorld({ connectors, server: url, projectId })
    const screen = await renderApp(latchkey, { children: <WalletButton wallet={name} /> })
    expect(requests).toEqual([])
    await screen.getByRole('button', { name }).click()
    await expect.element(screen.getByRole('dialog', { name: 'Pocket' })).toBeVisible()
  },
)

test('the buttons use the provider’s language', async () => {
  const { latchkey } = fakeWorld({ adapters: [fakeAdapter({ networks: [fakeNetwork({ name: '' })] })] })
  const children = [<ConnectButton key="a" />, <NetworkButton key="b" />]
  const screen = await renderApp(latchkey, { children, locale: 'de-AT' })
  await expect.element(screen.getByRole('button', { name: 'Verbinden' })).toHaveAttribute('lang', 'de')
  await expect.element(screen.getByRole('button', { name: /Unbekanntes Netzwerk/ })).toBeVisible()
})
