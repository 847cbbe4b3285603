import { connect, getAccount, getConnections } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld, type FakeConnector, type FakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'

const entry = { view: 'ProfileWallets', params: {} } as const

type World = FakeWorld & { fox: FakeConnector; owl: FakeConnector }

/** Two wallets in one namespace, the second one active, and another namespace without a wallet. */
async function createWorld(): Promise<World> {
  const fox = fakeConnector({ id: 'fox', name: 'Fox' })
  const owl = fakeConnector({
    id: 'owl',
    name: 'Owl',
    accounts: ['eip155:1:0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4f'],
  })
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  const connectors = [fox, owl, fakeConnector({ id: 'ray', name: 'Ray', namespaces: ['solana'] })]
  const made = fakeWorld({ adapters, connectors, multiWallet: true })
  await connect(made.latchkey, 'fox')
  await connect(made.latchkey, 'owl')
  return { ...made, fox, owl }
}

function listNames({ latchkey }: FakeWorld): readonly string[] {
  return getConnections(latchkey).map(({ wallet }) => wallet.name)
}

test('another connected wallet is activated without a wallet request', async () => {
  const made = await createWorld()
  const screen = await renderModal(made.latchkey, entry)
  expect(listNames(made)).toEqual(['Owl', 'Fox'])
  await screen.getByRole('button', { name: 'Switch to Fox' }).click()
  await expect.element(screen.getByText('Wallet switched')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Switch to Owl' })).toBeVisible()
  expect(listNames(made)).toEqual(['Fox', 'Owl'])
  expect([made.fox.connectRequests.length, made.owl.connectRequests.length, made.fox.requests.length]).toEqual([
    1, 1, 0,
  ])
})

test('one wallet is disconnected, and the other one stays [R4.1.1]', async () => {
  const made = await createWorld()
  const screen = await renderModal(made.latchkey, entry)
  await screen.getByRole('button', { name: 'Disconnect Owl' }).click()
  await expect.element(screen.getByText('Owl disconnected')).toBeVisible()
  expect(listNames(made)).toEqual(['Fox'])
  expect([made.owl.calls.disconnect, made.fox.calls.disconnect]).toEqual([1, 0])
  await expect.element(screen.getByRole('button', { name: 'Fox settings' })).toBeVisible()
})

test('a disconnected wallet is offered again', async () => {
  const made = await createWorld()
  const screen = await renderModal(made.latchkey, entry)
  await screen.getByRole('button', { name: 'Disconnect Owl' }).click()
  await screen.getByRole('region', { name: 'Recently connected' }).getByRole('button', { name: /Owl/ }).click()
  await expect.poll(() => listNames(made)).toEqual(['Owl', 'Fox'])
})

test('all wallets can be disconnected at once, and the empty list says what to do', async () => {
  const made = await createWorld()
  const screen = await renderModal(made.latchkey, entry)
  await screen.getByRole('button', { name: 'Disconnect all' }).click()
  await expect.element(screen.getByText('No wallet connected')).toBeVisible()
  await expect.element(screen.getByText('Add a wallet to use Fake eip155 in this app.')).toBeVisible()
  expect(listNames(made)).toEqual([])
})

test('each namespace has a tab, and wallets are added to the selected one', async () => {
  const made = await createWorld()
  const screen = await renderModal(made.latchkey, entry)
  await userEvent.click(screen.getByRole('tab', { name: 'Fake eip155' }))
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => modalRoot().activeElement?.textContent).toBe('Fake solana')
  await expect.element(screen.getByRole('tabpanel', { name: 'Fake solana' })).toHaveTextContent('No wallet connected')
  await screen.getByRole('button', { name: 'Add wallet' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
  expect(getAccount(made.latchkey).network?.chainNamespace).toBe('solana')
  expect(listNames(made)).toEqual(['Owl', 'Fox'])
})

test('the account shows the number of other wallets', async () => {
  const { latchkey } = await createWorld()
  const screen = await renderModal(latchkey)
  await screen.getByRole('button', { name: 'Owl Wallets +1' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Wallets' })).toBeVisible()
})

test('the view is translated to German', async () => {
  const { latchkey } = await createWorld()
  const screen = await renderModal(latchkey, entry, { locale: 'de' })
  await expect.element(screen.getByRole('button', { name: 'Zu Fox wechseln' })).toBeVisible()
})
