import { fakeConnector, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import type { WalletListEntry } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer, walletList, type FakeServer } from '../../../../testing/fakeServer.ts'

const entry = { view: 'GetWallet', params: {} } as const
const phone = fakeConnector({ id: 'walletConnect', name: 'WalletConnect', type: 'walletConnect', neverResponds: true })

const wallet: WalletListEntry = {
  id: 'p',
  name: 'Pocket',
  image_id: '',
  chains: [],
  homepage: 'https://pocket.invalid',
  chrome_store: 'https://chrome.invalid/pocket',
  app_store: 'https://apps.invalid/pocket',
  play_store: 'https://play.invalid/pocket',
}

function createWorld(server: FakeServer): FakeWorld {
  return fakeWorld({ connectors: [phone], server: server.url, projectId: server.projectId })
}

function listNames(screen: RenderResult): string[] {
  return screen
    .getByRole('dialog')
    .getByRole('listitem')
    .elements()
    .map((row) => row.querySelector('.name, h2')?.textContent ?? '')
}

test('the wallet explanation leads to wallets to download', async () => {
  const server = fakeServer({ wallets: [wallet, ...walletList(9)] })
  const screen = await renderModal(createWorld(server).latchkey)
  await screen.getByRole('button', { name: 'What is a wallet?' }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'What is a wallet?' })).toBeVisible()
  await expect.poll(() => listNames(screen)).toHaveLength(3)
  await screen.getByRole('button', { name: 'Get a wallet' }).click()
  await expect.poll(() => listNames(screen)).toEqual(['Pocket', 'Wallet 1', 'Wallet 2', 'Wallet 3', 'All wallets'])
  await screen.getByRole('button', { name: 'Pocket' }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Get Pocket' })).toBeVisible()
  await expect.poll(() => listNames(screen)).toEqual(['Browser extension', 'iPhone and iPad', 'Android', 'Website'])
  const store = screen.getByRole('link', { name: 'Browser extension opens a new tab' })
  await expect.element(store).toHaveAttribute('href', 'https://chrome.invalid/pocket')
  await expect.element(store).toHaveAttribute('rel', 'noopener noreferrer')
})

test('a wallet without download links says where to look', async () => {
  const silent = { id: 's', name: 'Silent', image_id: '', chains: [] }
  const screen = await renderModal(fakeWorld().latchkey, { view: 'Downloads', params: { wallet: silent } })
  await expect.element(screen.getByText(/There are no download links for Silent/)).toBeVisible()
})

test('without a list the custom wallets are shown, and without those a notice', async () => {
  const own = await renderModal(fakeWorld({ customWallets: [wallet] }).latchkey, entry)
  await expect.poll(() => listNames(own)).toEqual(['Pocket'])
  await own.unmount()
  const none = await renderModal(fakeWorld().latchkey, entry)
  await expect.element(none.getByText(/Find a wallet in your browser’s extension store/)).toBeVisible()
  await none.getByRole('button', { name: 'What is a wallet?' }).click()
  await expect.element(none.getByRole('heading', { level: 1, name: 'What is a wallet?' })).toBeVisible()
})

test('an unreachable list can be requested again', async () => {
  const server = fakeServer({ wallets: walletList(3) })
  server.down = true
  const screen = await renderModal(createWorld(server).latchkey, entry)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('The wallet list can’t be reached.')
  server.down = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => listNames(screen)).toEqual(['Wallet 1', 'Wallet 2', 'Wallet 3', 'All wallets'])
})

test('the network explanation is translated', async () => {
  const network = { view: 'WhatIsANetwork', params: {} } as const
  const english = await renderModal(fakeWorld().latchkey, network)
  await expect.element(english.getByRole('heading', { level: 1, name: 'What is a network?' })).toBeVisible()
  await expect.poll(() => listNames(english)).toHaveLength(2)
  await english.getByRole('button', { name: 'Got it' }).click()
  await expect.element(english.getByRole('dialog')).not.toBeInTheDocument()
  await english.unmount()
  const german = await renderModal(fakeWorld().latchkey, network, { locale: 'de' })
  await expect.element(german.getByRole('heading', { level: 1, name: 'Was ist ein Netzwerk?' })).toBeVisible()
})
