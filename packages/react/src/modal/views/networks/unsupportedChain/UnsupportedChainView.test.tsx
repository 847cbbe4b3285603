import { connect } from '@latchkey/core'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { goBack, modalOf } from '@latchkey/modal'
import { expect, test } from 'vitest'
import { renderApp, modalRoot } from '../../../../testing/renderModal.tsx'

test('a wallet on an unsupported network can switch to a supported one [R2.2.2]', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ accounts: ['eip155:999:0xaa'] })] })
  const screen = await renderApp(latchkey)
  await connect(latchkey, 'fake')
  await expect
    .element(screen.getByText(/Fake Wallet is on Unknown eip155:999, which this app does not use/))
    .toBeVisible()
  await screen.getByRole('button', { name: 'Network 2' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button')).toHaveTextContent('Network 2')
})

test('the user can disconnect instead', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ accounts: ['eip155:999:0xaa'] })] })
  const screen = await renderApp(latchkey)
  await connect(latchkey, 'fake')
  await screen.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button')).toHaveTextContent(/^Connect$/)
})

test('closing is refused with a shake while the network is required, and going back is possible [R2.2.2] [R9.1.7]', async () => {
  const { latchkey, clock } = fakeWorld({ connectors: [fakeConnector({ accounts: ['eip155:999:0xaa'] })] })
  const screen = await renderApp(latchkey)
  await connect(latchkey, 'fake')
  await screen.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => modalRoot().querySelector('[data-shaking]')).not.toBeNull()
  clock.advance(500)
  await expect.poll(() => modalRoot().querySelector('[data-shaking]')).toBeNull()
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  goBack(latchkey)
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
})

test('an optional warning does not block, and offers the switch', async () => {
  const connector = fakeConnector({ accounts: ['eip155:999:0xaa'] })
  const { latchkey } = fakeWorld({ connectors: [connector], unsupportedNetworks: 'inform' })
  const screen = await renderApp(latchkey)
  await connect(latchkey, 'fake')
  await expect.element(screen.getByText('Network not supported')).toBeVisible()
  expect(screen.getByRole('dialog').query()).toBeNull()
  await screen.getByRole('button', { name: 'Switch network' }).click()
  await screen.getByRole('button', { name: 'Network 2' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByText('Network not supported')).not.toBeInTheDocument()
})

test('an app that ignores unsupported networks shows nothing', async () => {
  const connector = fakeConnector({ accounts: ['eip155:999:0xaa'] })
  const { latchkey } = fakeWorld({ connectors: [connector], unsupportedNetworks: 'ignore' })
  const screen = await renderApp(latchkey)
  await connect(latchkey, 'fake')
  await expect.element(screen.getByRole('button')).toHaveTextContent('Unknown eip155:999')
  expect([modalOf(latchkey).state.getState(), modalOf(latchkey).alerts.getState()]).toEqual([{ open: false }, []])
})
