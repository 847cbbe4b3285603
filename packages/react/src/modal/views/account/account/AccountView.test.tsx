import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld, type FakeWorld, type FakeWorldOptions } from '@latchkey/core/fakes'
import type { TokenBalance } from '@latchkey/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { waitForAnimations, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer } from '../../../../testing/fakeServer.ts'

const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const token: TokenBalance = {
  name: 'Test Dollar',
  symbol: 'TUSD',
  chainId: 'eip155:1',
  address: 'eip155:1:0xdd',
  price: 1,
  value: 12.5,
  quantity: { decimals: '6', numeric: '12.999999' },
  iconUrl: '',
}

async function connectTestWallet(options: FakeWorldOptions = {}): Promise<FakeWorld> {
  const adapters = [fakeAdapter({ balances: { [address]: 1_234_567_890_000_000_000n } })]
  const world = fakeWorld({ adapters, connectors: [fakeConnector()], ...options })
  await connect(world.latchkey, 'fake')
  return world
}

test('the account view shows address, balance and network [R2.1.3] [R3.9]', async () => {
  const { url, projectId } = fakeServer({ balances: [token] })
  const { latchkey } = await connectTestWallet({ server: url, projectId })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByRole('heading', { name: 'Account' })).toBeInTheDocument()
  await expect.element(screen.getByText('0xaa…aafa4e').last()).toBeVisible()
  await expect.element(screen.getByText('1.234 COIN')).toBeVisible()
  await expect.element(screen.getByText('Test Dollar')).toBeVisible()
  await expect.element(screen.getByText('12.999')).toBeVisible()
  await expect.element(screen.getByText('$12.50').last()).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Network Network 1' })).toBeVisible()
  const explorer = screen.getByRole('link', { name: 'Explorer' })
  await expect.element(explorer).toHaveAttribute('href', `https://explorer.invalid/1/address/${address}`)
})

test('name and avatar are shown above the address if the server has them [R3.4]', async () => {
  const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
  const { url, projectId } = fakeServer({ identity: { name: 'visitor.eth', avatar: picture } })
  const { latchkey } = await connectTestWallet({ server: url, projectId })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByText('visitor.eth')).toBeVisible()
  await expect.element(screen.getByText('0xaa…aafa4e').last()).toBeVisible()
  expect(modalRoot().querySelector('.avatar img')).toHaveAttribute('src', picture)
})

test('the address is spelled, expanded on demand, and copied', async () => {
  const { latchkey } = await connectTestWallet()
  const copied: string[] = []
  navigator.clipboard.writeText = async (text) => void copied.push(text)
  const screen = await renderModal(latchkey)
  await screen.getByRole('button', { name: 'Address 0 x a a … a a f a 4 e' }).click()
  await expect.element(screen.getByText(address, { exact: true })).toBeVisible()
  await screen.getByRole('button', { name: 'Copy address' }).click()
  await expect.element(screen.getByText('Address copied')).toBeVisible()
  expect(copied).toEqual([address])
})

test('at least four tokens are visible on a phone without scrolling', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(414, 896))
  const balances = [1, 2, 3, 4, 5, 6].map((id) => ({ ...token, address: `eip155:1:0xd${id}` as const }))
  const { url, projectId } = fakeServer({ balances })
  const { latchkey } = await connectTestWallet({ server: url, projectId })
  await renderModal(latchkey)
  const rows = (): readonly Element[] => [...modalRoot().querySelectorAll('.holding')]
  await expect.poll(() => rows().length).toBe(6)
  await waitForAnimations()
  const end = modalRoot().querySelector('.account-actions')?.getBoundingClientRect().top ?? 0
  expect(rows().filter((row) => row.getBoundingClientRect().bottom <= end).length).toBeGreaterThanOrEqual(4)
})

test('an empty token list says what appears there', async () => {
  const { url, projectId } = fakeServer()
  const { latchkey } = await connectTestWallet({ server: url, projectId })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByText(/No tokens yet/)).toBeVisible()
})

test('failed balances are shown, and not requested again for 30 seconds [R8.2.1] [R9.1.3]', async () => {
  const server = fakeServer({ balances: [token] })
  server.down = true
  const { latchkey, clock } = await connectTestWallet({ server: server.url, projectId: server.projectId })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Token Balance Unavailable')
  const retry = screen.getByRole('button', { name: /Try again/ })
  await expect.element(retry).toHaveTextContent('Try again in 30 s')
  server.down = false
  await waitForAnimations()
  await retry.click({ force: true })
  clock.advance(29_000)
  await expect.element(retry).toHaveAttribute('aria-disabled', 'true')
  expect(server.requests.filter(({ pathname }) => pathname.endsWith('/balance'))).toHaveLength(1)
  for (let second = 0; second < 30; second += 1) clock.advance(1_000)
  await expect.element(retry).toHaveAttribute('aria-disabled', 'false')
  await retry.click()
  await expect.element(screen.getByText('Test Dollar')).toBeVisible()
})

test('an unreachable chain is shown, and the rest of the view stays', async () => {
  const world = await connectTestWallet()
  world.adapter.unreachable = true
  const screen = await renderModal(world.latchkey)
  await expect.element(screen.getByText('Your balance can’t be loaded right now.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
})

test('disconnecting closes the modal and notifies the wallet [R4.1.1]', async () => {
  const connector = fakeConnector()
  const { latchkey } = await connectTestWallet({ connectors: [connector] })
  const screen = await renderModal(latchkey)
  await screen.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button')).toHaveTextContent('Connect')
  expect(connector.calls.disconnect).toBe(1)
})

test('the view is translated to German, including figures', async () => {
  const { url, projectId } = fakeServer({ balances: [token] })
  const { latchkey } = await connectTestWallet({ server: url, projectId })
  const screen = await renderModal(latchkey, undefined, { locale: 'de' })
  await expect.element(screen.getByRole('button', { name: 'Trennen' })).toBeVisible()
  await expect.element(screen.getByText('12,50 $').last()).toBeVisible()
})

test('no word of the buttons is broken in German', async () => {
  // The card is narrower than a phone here.
  await page.viewport(1024, 768)
  onTestFinished(() => page.viewport(414, 896))
  const { url, projectId } = fakeServer({ balances: [token] })
  const adapter = fakeAdapter()
  // With transfers, there are four buttons.
  Object.assign(adapter, { transfers: async () => ({}) })
  const { latchkey } = await connectTestWallet({ adapters: [adapter], server: url, projectId })
  const screen = await renderModal(latchkey, undefined, { locale: 'de' })
  await expect.element(screen.getByRole('button', { name: 'Senden' })).toBeVisible()
  const labels = [...modalRoot().querySelectorAll<HTMLElement>('.action')].map((button) => {
    const range = document.createRange()
    range.selectNodeContents(button.lastChild ?? button)
    return [button.innerText, new Set([...range.getClientRects()].map(({ top }) => top)).size]
  })
  expect(labels).toEqual([
    ['Kaufen', 1],
    ['Tauschen', 1],
    ['Empfangen', 1],
    ['Senden', 1],
  ])
})
