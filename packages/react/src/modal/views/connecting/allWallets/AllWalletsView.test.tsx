import { fakeConnector, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { enterGarbage } from '../../../../testing/enterGarbage.ts'
import { fakeServer, walletList, type FakeServer } from '../../../../testing/fakeServer.ts'

const entry = { view: 'AllWallets', params: {} } as const

function createWorld(server: FakeServer, ...installed: string[]): FakeWorld {
  const phone = fakeConnector({
    id: 'walletConnect',
    name: 'WalletConnect',
    type: 'walletConnect',
    neverResponds: true,
  })
  const extensions = installed.map((rdns) => fakeConnector({ id: rdns, rdns, name: rdns, neverResponds: true }))
  return fakeWorld({ connectors: [phone, ...extensions], server: server.url, projectId: server.projectId })
}

function countCells(screen: RenderResult): number {
  return screen
    .getByRole('dialog')
    .getByRole('button', { name: /^Wallet / })
    .elements().length
}

test('no search breaks the list of wallets', { tags: 'browsers' }, async () => {
  const server = fakeServer({ wallets: walletList(5) })
  const { latchkey, clock } = createWorld(server)
  const screen = await renderModal(latchkey, entry)
  expect(await enterGarbage(latchkey, screen.getByRole('searchbox'), async () => clock.advance(300))).toEqual([])
})

test('all wallets shows pages of 40, and loads the next near the end [R9.2.2]', async () => {
  const server = fakeServer({ wallets: walletList(90) })
  const screen = await renderModal(createWorld(server).latchkey, entry)
  await expect.poll(() => countCells(screen)).toBe(40)
  expect(server.requests.map(({ searchParams }) => searchParams.get('entries'))).toEqual(['40'])
  for (const count of [80, 90]) {
    const scroller = modalRoot().querySelector('.all-scroll')
    scroller?.scrollTo(0, scroller.scrollHeight)
    await expect.poll(() => countCells(screen)).toBe(count)
  }
  expect(server.requests).toHaveLength(3)
})

test('a search starts 300 ms after the last key, and requests 100 wallets [R9.1.6] [R9.2.2]', async () => {
  const server = fakeServer({ wallets: walletList(60) })
  const { latchkey, clock } = createWorld(server)
  const screen = await renderModal(latchkey, entry)
  await expect.poll(() => countCells(screen)).toBe(40)
  await screen.getByRole('searchbox', { name: 'Search wallets' }).fill('wallet 5')
  clock.advance(299)
  await expect.element(screen.getByText('Loading wallets')).toBeInTheDocument()
  expect(server.requests).toHaveLength(1)
  clock.advance(1)
  await expect.poll(() => countCells(screen)).toBe(11)
  expect(server.requests[1]?.searchParams.get('entries')).toBe('100')
  await expect.element(screen.getByText('11 wallets')).toBeInTheDocument()
})

test('a search without results offers a QR code for any wallet', async () => {
  const server = fakeServer({ wallets: walletList(5) })
  const { latchkey, clock } = createWorld(server)
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('searchbox').fill('zzz')
  await expect.element(screen.getByRole('button', { name: 'Clear the search' })).toBeVisible()
  clock.advance(300)
  await expect.element(screen.getByText(/No wallet named “zzz”/)).toBeVisible()
  await screen.getByRole('button', { name: 'Show QR code' }).click()
  await expect.element(screen.getByRole('heading', { name: 'WalletConnect' })).toBeVisible()
})

test('an installed wallet connects here, any other one on a phone', async () => {
  const [first, second] = walletList(2)
  if (first === undefined || second === undefined) throw new Error('The list is too short.')
  const server = fakeServer({ wallets: [{ ...first, rdns: 'org.first' }, second] })
  const screen = await renderModal(createWorld(server, 'org.first').latchkey, entry)
  await screen.getByRole('button', { name: 'Wallet 1' }).click()
  await expect.element(screen.getByText('Approve in org.first')).toBeVisible()
  await screen.getByRole('button', { name: 'Back' }).click()
  await screen.getByRole('button', { name: 'Wallet 2' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Wallet 2' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Copy link' })).toBeVisible()
})

test('the grid is one tab stop, and the arrow keys move inside it', async () => {
  const server = fakeServer({ wallets: walletList(12) })
  const screen = await renderModal(createWorld(server).latchkey, entry)
  await expect.poll(() => countCells(screen)).toBe(12)
  await screen.getByRole('searchbox').click()
  const focused = (): string | null | undefined => modalRoot().activeElement?.getAttribute('title')
  await userEvent.keyboard('{Tab}')
  expect(focused()).toBe('Wallet 1')
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  expect(focused()).toBe('Wallet 6')
  await userEvent.keyboard('{End}{ArrowUp}')
  expect(focused()).toBe('Wallet 8')
})

test('an image that does not load within two seconds leaves the letter [R9.1.6]', async () => {
  const server = fakeServer({ wallets: walletList(1) })
  const { latchkey, clock } = createWorld(server)
  const screen = await renderModal(latchkey, entry)
  await expect.poll(() => countCells(screen)).toBe(1)
  clock.advance(2_000)
  await expect.poll(() => modalRoot().querySelector('.cell img')).toBeNull()
  expect(modalRoot().querySelector('.cell .mark')).toHaveTextContent('W')
})

test('an unreachable list can be requested again', async () => {
  const server = fakeServer({ wallets: walletList(3) })
  server.down = true
  const screen = await renderModal(createWorld(server).latchkey, entry)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('The wallet list can’t be reached.')
  server.down = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => countCells(screen)).toBe(3)
})
