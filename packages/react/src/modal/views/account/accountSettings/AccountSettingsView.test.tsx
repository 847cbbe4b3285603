import { connect, getAccount } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeNetwork, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import type { AccountId } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { renderModal } from '../../../../testing/renderModal.tsx'

const entry = { view: 'AccountSettings', params: {} } as const
const chainId = 'bip122:000000000019d6689c085ae165831e93'
const accounts = [0, 1, 2].map((index): AccountId => fakeAccount(chainId, index))

/** A wallet with a payment account, and two for ordinals of which one has a name. */
async function bitcoinWorld(): Promise<FakeWorld> {
  const network = fakeNetwork({ namespace: 'bip122', id: '000000000019d6689c085ae165831e93', name: 'Bitcoin' })
  const details = (account: AccountId): { type: 'payment' | 'ordinals'; label?: string } =>
    account === accounts[0]
      ? { type: 'payment' }
      : { type: 'ordinals', label: account === accounts[2] ? 'Rare' : undefined }
  const connector = fakeConnector({ namespaces: ['bip122'], accounts, details })
  const adapter = fakeAdapter({ namespace: 'bip122', networks: [network] })
  const world = fakeWorld({ adapters: [adapter], connectors: [connector] })
  await connect(world.latchkey, 'fake')
  return world
}

function getActiveAccount({ latchkey }: FakeWorld): AccountId | undefined {
  const account = getAccount(latchkey)
  return account.status === 'connected' ? account.account : undefined
}

test('the account type is selected first, then an account of that type [R6.1] [R3.3]', async () => {
  const world = await bitcoinWorld()
  const screen = await renderModal(world.latchkey, entry)
  expect(getActiveAccount(world)).toBe(accounts[0])
  await expect.element(screen.getByRole('tab', { name: 'Payment' })).toHaveAttribute('aria-selected', 'true')
  await screen.getByRole('tab', { name: 'Ordinals' }).click()
  expect(getActiveAccount(world)).toBe(accounts[1])
  await expect.element(screen.getByText('Account switched')).toBeVisible()
  const rows = screen.getByRole('region', { name: 'Accounts in Fake Wallet' }).getByRole('button')
  await expect.poll(() => rows.elements().map((row) => row.getAttribute('aria-current'))).toEqual(['true', 'false'])
  await rows.last().click()
  expect(getActiveAccount(world)).toBe(accounts[2])
  await expect.element(rows.last()).toHaveTextContent(/^Rarebip1…1{5}2Current$/)
})

test('a wallet with one account shows no account list', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByRole('button', { name: 'Copy address' })).toBeVisible()
  expect(screen.getByRole('region').query()).toBeNull()
  expect(screen.getByRole('tab').query()).toBeNull()
  await screen.getByRole('button', { name: 'Network 1 Network' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Select network' })).toBeVisible()
})

test('the account opens the settings, and back returns', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey)
  await screen.getByRole('button', { name: 'Account settings' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Account settings' })).toBeVisible()
  await screen.getByRole('button', { name: 'Back' }).click()
  await expect.element(screen.getByRole('button', { name: 'Account settings' })).toBeVisible()
})

test('disconnecting in the settings closes the modal', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
})

test('the view is translated to German', async () => {
  const screen = await renderModal((await bitcoinWorld()).latchkey, entry, { locale: 'de-CH' })
  await expect.element(screen.getByRole('tab', { name: 'Zahlungen' })).toBeVisible()
})
