import { connect, type Latchkey } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { sendMessages } from '@latchkey/modal/messages'
import { expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer } from '../../../../testing/fakeServer.ts'
import { fakeTransfers, type FakeTransfers } from '../../../../testing/fakeTransfers.ts'

const en = sendMessages.english
const entry = { view: 'WalletSend', params: {} } as const
const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const bob = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0b0b'

async function openSend(): Promise<{ latchkey: Latchkey; transfers: FakeTransfers }> {
  const { url, projectId } = fakeServer({ balances: [] })
  const adapter = fakeAdapter({ balances: { [address]: 2n * 10n ** 18n } })
  const transfers = fakeTransfers(adapter)
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], server: url, projectId })
  await connect(latchkey, 'fake')
  return { latchkey, transfers }
}

const getButton = (screen: RenderResult, name: string) => screen.getByRole('button', { name, exact: true })
const amountOf = (screen: RenderResult) => screen.getByRole('textbox', { name: /^Amount/ })

async function fill(screen: RenderResult, amount: string): Promise<void> {
  await amountOf(screen).fill(amount)
  await screen.getByRole('textbox', { name: 'To' }).fill(bob)
}

test('a fee is shown in base units with its rate, and what stays in the account with the reason', async () => {
  const { latchkey, transfers } = await openSend()
  transfers.fee = {
    value: 296n,
    rate: { value: '2.1', unit: 'sat/vB', baseUnit: 'sat' },
    kept: { amount: 10n ** 18n, reason: 'protected-outputs' },
  }
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '0.5')
  await expect.element(screen.getByText('296 sat · 2.1 sat/vB')).toBeVisible()
  await expect.element(screen.getByText(en.keptBecause['protected-outputs'])).toBeVisible()
  await getButton(screen, 'Send all COIN').click()
  await expect.element(amountOf(screen)).toHaveValue('0.999999999999999704')
  await amountOf(screen).fill('1.5')
  await expect.element(getButton(screen, 'Insufficient gas funds')).toBeVisible()
})

test.each([
  ['mainnet-address', 'main network'],
  ['testnet-address', 'test network'],
] as const)('an address with the note %s can’t be paid, and the note names the network', async (note, text) => {
  const { latchkey, transfers } = await openSend()
  transfers.notes = [note]
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '0.5')
  await expect.element(screen.getByText(new RegExp(text))).toBeVisible()
  await expect.element(getButton(screen, 'Invalid address')).toBeVisible()
})

test.each(['existential-deposit', 'locked'] as const)('what stays in the account has the reason %s', async (reason) => {
  const { latchkey, transfers } = await openSend()
  transfers.fee = { value: 1n, kept: { amount: 10n ** 18n, reason } }
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '0.5')
  await expect.element(screen.getByText(en.keptBecause[reason])).toBeVisible()
})

test('an address in the format of another network can be paid, with a note', async () => {
  const { latchkey, transfers } = await openSend()
  transfers.notes = ['other-format']
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '0.5')
  await expect.element(screen.getByText(en.notes['other-format'])).toBeVisible()
  await expect.element(getButton(screen, 'Preview send')).toBeVisible()
})

test('an amount that nodes don’t relay is explained', async () => {
  const { latchkey, transfers } = await openSend()
  transfers.refusal = 'dust: at least 294 satoshis'
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '0.5')
  await expect.element(screen.getByText(en.belowMinimum)).toBeVisible()
})
