import { fakeAdapter, fakeConnector, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { closeModal, openModal } from '@latchkey/modal'
import { expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { renderApp, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer, walletList } from '../../../../testing/fakeServer.ts'

const phone = fakeConnector({ id: 'walletConnect', name: 'WalletConnect', type: 'walletConnect', neverResponds: true })

function listRows(screen: RenderResult): string[] {
  return screen
    .getByRole('listitem')
    .elements()
    .map((row) => row.textContent ?? '')
}

test('wallets are ordered by group, with the last used one first and marked [R9.3.2] [R9.2.1] [R9.2.2]', async () => {
  const server = fakeServer({ wallets: walletList(57) })
  const storage = fakeStorage({
    values: {
      '@latchkey/recent_wallets': JSON.stringify([
        { id: 'one', name: 'One' },
        { id: 'wallet-9', name: 'Wallet 9' },
      ]),
    },
  })
  const connectors = [phone, fakeConnector({ id: 'two', name: 'Two' }), fakeConnector({ id: 'one', name: 'One' })]
  const { latchkey } = fakeWorld({ storage, connectors, server: server.url, projectId: server.projectId })
  const screen = await renderModal(latchkey)
  await expect
    .poll(() => listRows(screen))
    .toEqual([
      'WalletConnectQR code',
      'OOneLast used',
      'WWallet 9Recent',
      'TTwoInstalled',
      'WWallet 1',
      'All wallets50+',
    ])
})

test('featured wallets keep the app’s order and reduce the recommended ones [R9.2.2]', async () => {
  const server = fakeServer({ wallets: walletList(9) })
  const featuredWallets = ['wallet-7', 'wallet-2']
  const { latchkey } = fakeWorld({
    connectors: [phone],
    featuredWallets,
    server: server.url,
    projectId: server.projectId,
  })
  const screen = await renderModal(latchkey)
  await expect
    .poll(() => listRows(screen))
    .toEqual(['WalletConnectQR code', 'WWallet 7', 'WWallet 2', 'WWallet 1', 'WWallet 3', 'All wallets9'])
})

test('wallets are requested when the modal opens, and once [R9.2.3]', async () => {
  const server = fakeServer({ wallets: walletList(9) })
  const { latchkey } = fakeWorld({ connectors: [phone], server: server.url, projectId: server.projectId })
  const screen = await renderApp(latchkey)
  await expect.element(screen.getByRole('button', { name: 'Connect' })).toBeVisible()
  expect(server.requests).toEqual([])
  openModal(latchkey)
  await expect.poll(() => listRows(screen)).toContain('WWallet 1')
  closeModal(latchkey)
  openModal(latchkey)
  await expect.poll(() => listRows(screen)).toContain('WWallet 1')
  expect(server.requests).toHaveLength(1)
})

test('an installed wallet is not recommended again, and an excluded one is never shown', async () => {
  const [, ...others] = walletList(6)
  const server = fakeServer({ wallets: [{ id: 'a', name: 'A', image_id: 'a', chains: [], rdns: 'org.a' }, ...others] })
  const connectors = [
    phone,
    fakeConnector({ id: 'org.a', rdns: 'org.a', name: 'A' }),
    fakeConnector({ id: 'b', name: 'B' }),
  ]
  const { latchkey } = fakeWorld({
    connectors,
    excludeWallets: ['b', 'wallet 2'],
    server: server.url,
    projectId: server.projectId,
  })
  const screen = await renderModal(latchkey)
  await expect
    .poll(() => listRows(screen))
    .toEqual(['WalletConnectQR code', 'AAInstalled', 'WWallet 3', 'WWallet 4', 'All wallets6'])
})

test('on a phone wallets are opened, not scanned', async () => {
  const server = fakeServer({ wallets: walletList(5) })
  const { latchkey } = fakeWorld({
    connectors: [phone],
    isMobile: () => true,
    server: server.url,
    projectId: server.projectId,
  })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByRole('button', { name: 'Wallet 1' })).toBeVisible()
  expect(screen.getByRole('button', { name: /QR code/ }).query()).toBeNull()
})

test('browser wallets stay when the server is down, and the list can be requested again', async () => {
  const server = fakeServer({ wallets: walletList(5) })
  server.down = true
  const { latchkey } = fakeWorld({
    connectors: [phone, fakeConnector()],
    server: server.url,
    projectId: server.projectId,
  })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByText(/list can’t be reached/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: /Fake Wallet/ })).toBeVisible()
  server.down = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByRole('button', { name: 'Wallet 1' })).toBeVisible()
})

test('without a wallet the view says what to do, and a late wallet appears automatically', async () => {
  const adapter = fakeAdapter()
  const { latchkey } = fakeWorld({ adapters: [adapter] })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByText(/No wallet found in this browser. Install/)).toBeVisible()
  adapter.announce(fakeConnector({ id: 'late', name: 'Late Wallet' }))
  await expect.element(screen.getByRole('button', { name: /Late Wallet/ })).toBeVisible()
})

test('skeletons have the height of the rows that replace them', async () => {
  const server = fakeServer({ wallets: walletList(20) })
  const { latchkey } = fakeWorld({ connectors: [phone], server: server.url, projectId: server.projectId })
  const screen = await renderModal(latchkey)
  await expect.element(screen.getByRole('button', { name: 'Wallet 1' })).toBeVisible()
  const heights = screen
    .getByRole('listitem')
    .elements()
    .map((row) => row.getBoundingClientRect().height)
    .map(Math.round)
  expect(new Set(heights)).toEqual(new Set([56]))
})

test('the view is translated to German', async () => {
  const { latchkey } = fakeWorld({ connectors: [phone, fakeConnector()] })
  const screen = await renderModal(latchkey, undefined, { locale: 'de' })
  await expect.element(screen.getByRole('heading', { name: 'Wallet verbinden' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Fake Wallet Installiert' })).toBeVisible()
})
