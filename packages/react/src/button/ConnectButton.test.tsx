import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeNetwork, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderApp, modalRoot, renderModal } from '../testing/renderModal.tsx'
import { ConnectButton } from './ConnectButton.tsx'

test('the connect button shows the pending connection, then account and network', async () => {
  const connector = fakeConnector({ neverResponds: true })
  const adapter = fakeAdapter({ networks: [fakeNetwork({ name: 'Ethereum' })] })
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [connector] })
  const screen = await renderApp(latchkey)
  const button = screen.getByRole('button')
  await expect.element(button).toHaveTextContent(/^Connect$/)
  void connect(latchkey, 'fake')
  await expect.element(button).toHaveTextContent('Connecting…')
  connector.approve()
  await expect.element(button).toHaveTextContent('0xaa…aafa4eEthereum')
})

test('the connect button has the same width in all states, even with a long label', async () => {
  const connector = fakeConnector({ neverResponds: true })
  const { latchkey } = fakeWorld({ connectors: [connector] })
  const screen = await renderApp(latchkey, {
    children: <ConnectButton label="Sign in with the wallet you like best" />,
  })
  const width = (): number => screen.getByRole('button').element().getBoundingClientRect().width
  const [first, label] = [width(), screen.getByRole('button')]
  void connect(latchkey, 'fake')
  await expect.element(label).toHaveTextContent('Connecting…')
  expect(width()).toBe(first)
  connector.approve()
  await expect.element(label).toHaveTextContent('0xaa…aafa4e')
  expect(width()).toBe(first)
})

test('a remembered account is shown at once while its connection is restored', async () => {
  const storage = fakeStorage()
  const connector = fakeConnector()
  await connect(fakeWorld({ storage, connectors: [connector] }).latchkey, 'fake')
  const silent = fakeConnector({ restores: 'never responds' })
  const screen = await renderApp(fakeWorld({ storage, connectors: [silent] }).latchkey)
  await expect.element(screen.getByRole('button')).toHaveTextContent('0xaa…aafa4e')
  await expect.element(screen.getByRole('button')).toHaveAttribute('data-account', 'reconnecting')
  await expect.element(screen.getByRole('button')).toHaveTextContent('Reconnecting…')
})

test('the connect button shows the balance on request, cut and never rounded up', async () => {
  const balances = { '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e': 1_999_999_999_999_999_999n }
  const { latchkey } = fakeWorld({ adapters: [fakeAdapter({ balances })], connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderApp(latchkey, { children: <ConnectButton showBalance /> })
  await expect.element(screen.getByRole('button')).toHaveTextContent('1.999 COIN')
})

test('a connection can be made with the keyboard alone', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey)
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
  await userEvent.keyboard('{Tab}{Tab}')
  expect(modalRoot().activeElement).toHaveTextContent('Fake Wallet')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button')).toHaveTextContent('0xaa…aafa4e')
  await expect.element(screen.getByRole('button')).toHaveFocus()
})

test('discovery runs while the provider is mounted, even in strict mode', async () => {
  const { latchkey, adapter } = fakeWorld()
  const screen = await renderModal(latchkey)
  expect(adapter.looking()).toBe(1)
  await screen.unmount()
  expect(adapter.looking()).toBe(0)
})
