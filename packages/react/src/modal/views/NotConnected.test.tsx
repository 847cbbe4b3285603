import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import type { ViewEntry, ViewName } from '@latchkey/modal'
import { expect, test } from 'vitest'
import { modalRoot, renderModal } from '../../testing/renderModal.tsx'

const withButton: readonly ViewName[] = [
  'Account',
  'AccountSettings',
  'Approvals',
  'ChooseAccountName',
  'ManageAccountName',
  'ManageTokens',
  'RegisterAccountName',
  'RegisterAccountNameSuccess',
  'Transactions',
]

test.each(withButton)('the view %s leads to the wallets if none is connected', async (view) => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey, { view, params: {} } as ViewEntry)
  await screen.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(screen.getByRole('button', { name: 'Fake Wallet' })).toBeVisible()
})

test.each([
  ['OnRampActivity', 'Connect a wallet to buy.'],
  ['OnRampFiatSelect', 'Connect a wallet to buy.'],
  ['OnRampTokenSelect', 'Connect a wallet to buy.'],
  ['Swap', 'Connect a wallet to swap.'],
  ['SwapPreview', 'Connect a wallet to swap.'],
  ['SwapSelectToken', 'Connect a wallet to swap.'],
  ['WalletReceive', 'Connect a wallet to see your address.'],
  ['WalletSend', 'Connect a wallet to send.'],
  ['WalletSendPreview', 'Connect a wallet to send.'],
  ['WalletSendSelectToken', 'Connect a wallet to send.'],
] as const)('the view %s says what a wallet is needed for, and leads to the wallets', async (view, text) => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey, { view, params: { side: 'from' } } as ViewEntry)
  await expect.element(screen.getByText(text)).toBeVisible()
  expect(modalRoot().querySelector('.skeleton')).toBeNull()
  await screen.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(screen.getByRole('button', { name: 'Fake Wallet' })).toBeVisible()
})
