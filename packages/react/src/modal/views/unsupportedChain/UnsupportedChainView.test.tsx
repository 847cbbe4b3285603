import { connect } from '@latchkey/core'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { drawn } from '../../../testing/drawn.tsx'

test('a wallet on another network is told which the app uses, and goes there [R2.2.2]', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ accounts: ['eip155:999:0xaa'] })] })
  const screen = await drawn(latchkey)
  await connect(latchkey, 'fake')
  await expect
    .element(screen.getByText(/Fake Wallet is on Unknown eip155:999, which this app does not use/))
    .toBeVisible()
  await screen.getByRole('button', { name: 'Network 2' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button')).toHaveTextContent('Network 2')
})

test('disconnecting is the other way out', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ accounts: ['eip155:999:0xaa'] })] })
  const screen = await drawn(latchkey)
  await connect(latchkey, 'fake')
  await screen.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button')).toHaveTextContent(/^Connect$/)
})
