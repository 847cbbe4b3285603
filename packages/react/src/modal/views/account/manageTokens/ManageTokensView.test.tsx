import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { customTokenLimits, customTokens, hiddenAssets, importToken, sendState } from '@latchkey/core/money'
import { openModal } from '@latchkey/modal'
import { tokensMessages } from '@latchkey/modal/messages'
import { networkError, type TokenBalance } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer, type FakeServer } from '../../../../testing/fakeServer.ts'
import { fakeTransfers, type FakeTransfers } from '../../../../testing/fakeTransfers.ts'
import { gapsOf } from '../../../../testing/gapsOf.ts'

const gold = `0x${'9'.repeat(40)}`
const silver = `0x${'8'.repeat(40)}`

const native: TokenBalance = {
  name: 'Coin',
  symbol: 'COIN',
  chainId: 'eip155:1',
  price: 2,
  value: 2,
  quantity: { decimals: '18', numeric: '1' },
  iconUrl: '',
}
const dollar: TokenBalance = { ...native, name: 'Dollar', symbol: 'FND', address: `eip155:1:${silver}`, value: 10 }

type RenderedWorld = FakeWorld & { screen: RenderResult; transfers: FakeTransfers; server: FakeServer }

async function renderView(
  view: 'ManageTokens' | 'Account' | 'WalletSendSelectToken' = 'ManageTokens',
): Promise<RenderedWorld> {
  const server = fakeServer({ balances: [native, dollar] })
  const { url, projectId } = server
  const adapter = fakeAdapter()
  const transfers = fakeTransfers(adapter)
  transfers.held.set(gold, 2_500_000n)
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], server: url, projectId })
  await connect(world.latchkey, 'fake')
  return { ...world, server, transfers, screen: await renderModal(world.latchkey, { view, params: {} }) }
}

const listNames = (selector = '.holding .text > .name'): readonly string[] =>
  [...modalRoot().querySelectorAll(selector)].map(({ textContent }) => textContent ?? '')

const search = ({ screen }: RenderedWorld) => screen.getByRole('searchbox')

test('a pasted contract address shows what the chain reports, warns, and imports the token on request', async () => {
  const world = await renderView()
  await search(world).fill(` ${gold} `)
  const found = world.screen.getByRole('region', { name: 'Found Token' })
  await expect.element(found.getByText(gold, { exact: true })).toBeVisible()
  await expect.element(found).toHaveTextContent('2.500')
  await expect.element(found.getByText(/Anyone can create a token with any name/)).toBeVisible()
  await expect.element(found.getByText(/another token called FND. This is a different one/)).toBeVisible()
  expect(customTokens(world.latchkey).getState()).toEqual([])
  await found.getByRole('button', { name: 'Import FND' }).click()
  await expect.element(world.screen.getByText('FND imported')).toBeVisible()
  await expect.poll(() => listNames()).toEqual(['Dollar', 'Coin', 'Found Token'])
  await expect.element(world.screen.getByText('Imported', { exact: true })).toBeVisible()
  openModal(world.latchkey, { entry: { view: 'Account', params: {} } })
  await expect.poll(() => listNames()).toContain('Found Token')
})

test('an imported token can be removed, with the keyboard', async () => {
  const { latchkey, screen } = await renderView()
  await importToken(latchkey, gold)
  const remove = screen.getByRole('button', { name: 'Remove Found Token' })
  await expect.element(remove).toBeVisible()
  ;(remove.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => listNames()).toEqual(['Dollar', 'Coin'])
})

test('an unreachable network and invalid input each show an error', async () => {
  const world = await renderView()
  await search(world).fill(`0x${'1'.repeat(40)}`)
  await expect.element(world.screen.getByText('There is no token at this address on this network.')).toBeVisible()
  world.transfers.readAsset = async () => Promise.reject(networkError('rpc/unreachable', { network: 'Fake' }))
  await search(world).fill(`0x${'2'.repeat(40)}`)
  await expect.element(world.screen.getByText(/network is not responding/)).toBeVisible()
  await search(world).fill('<img src=x>')
  await expect.element(world.screen.getByText(/No tokens found/)).toBeVisible()
})

test('a full list is reported, and keeps the entry', async () => {
  const world = await renderView()
  for (let index = 0; index < customTokenLimits.count; index += 1) {
    const address = `0x${String(index).padStart(40, '0')}`
    world.transfers.held.set(address, 1n)
    await importToken(world.latchkey, address)
  }
  await search(world).fill(gold)
  await world.screen.getByRole('button', { name: 'Import FND' }).click()
  await expect.element(world.screen.getByText(/the maximum number of tokens on this network/)).toBeVisible()
})

test('a hidden token can be reported as spam, after a confirmation and once', async () => {
  const { screen, server } = await renderView()
  const reports = () => server.requests.filter(({ pathname }) => pathname === '/v1/spam-reports').length
  const open = screen.getByRole('button', { name: 'Report Dollar as spam' })
  await expect.element(open).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Hide Dollar' }).click()
  await open.click()
  const group = screen.getByRole('group', { name: 'Report Dollar as spam' })
  await expect.element(group.getByText(/One report does not hide the token for others/)).toBeVisible()
  await expect.poll(() => modalRoot().activeElement?.textContent).toBe('Cancel')
  await group.getByRole('button', { name: 'Cancel' }).click()
  expect(reports()).toBe(0)
  await open.click()
  server.down = true
  await group.getByRole('button', { name: 'Report', exact: true }).click()
  await expect.element(screen.getByText('The report could not be sent. Try again later.')).toBeVisible()
  server.down = false
  await group.getByRole('button', { name: 'Report', exact: true }).click()
  await expect.element(screen.getByText('Reported as spam')).toBeVisible()
  expect(reports()).toBe(2)
  await expect.element(open).not.toBeInTheDocument()
})

test('a hidden token leaves the account, its total and the payment form, and can be shown again', async () => {
  const { latchkey, screen } = await renderView()
  await screen.getByRole('button', { name: 'Hide Dollar' }).click()
  expect(hiddenAssets(latchkey).getState().size).toBe(1)
  await expect.element(screen.getByText(/hidden only in this browser, and reported only if you choose/)).toBeVisible()
  openModal(latchkey, { entry: { view: 'Account', params: {} } })
  await expect.poll(() => listNames()).toEqual(['Coin'])
  await expect.element(screen.getByText('Total value: $2.00')).toBeVisible()
  await screen.getByRole('button', { name: 'Show 1 hidden' }).click()
  await expect.poll(() => listNames()).toEqual(['Coin', 'Dollar'])
  openModal(latchkey, { entry: { view: 'WalletSendSelectToken', params: {} } })
  await expect.poll(() => listNames('button.row .text > .name')).toEqual(['Coin'])
  openModal(latchkey, { entry: { view: 'Account', params: {} } })
  await screen.getByRole('button', { name: 'Manage tokens' }).click()
  await screen.getByRole('button', { name: 'Show Dollar' }).click()
  await expect.element(screen.getByRole('button', { name: 'Hide Dollar' })).toBeVisible()
  expect(hiddenAssets(latchkey).getState().size).toBe(0)
})

test('the payment form imports a token that is found by its address, and selects it', async () => {
  const world = await renderView('WalletSendSelectToken')
  openModal(world.latchkey, { entry: { view: 'WalletSend', params: {} } })
  await world.screen.getByRole('button', { name: /Token COIN/ }).click()
  await search(world).fill(gold)
  await expect.element(world.screen.getByText(/Anyone can create a token/)).toBeVisible()
  await world.screen.getByRole('button', { name: 'Import FND' }).click()
  await expect.element(world.screen.getByRole('button', { name: /Token FND/ })).toBeVisible()
  expect(sendState(world.latchkey).getState().token?.asset.address).toBe(gold)
  expect(customTokens(world.latchkey).getState()).toHaveLength(1)
})

test.each(Object.entries(tokensMessages.translations))('%s has all texts', async (_, load) => {
  expect(gapsOf(tokensMessages.english, (await load?.())?.translation)).toEqual([])
})
