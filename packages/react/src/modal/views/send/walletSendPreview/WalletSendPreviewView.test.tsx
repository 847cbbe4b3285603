import { connect, disconnect, type Latchkey } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeWorld, type FakeConnector } from '@latchkey/core/fakes'
import { setAmount, setReceiver, sendState } from '@latchkey/core/money'
import { openSendFlow, reviewSendFlow } from '@latchkey/modal'
import { expect, test } from 'vitest'
import { fakeTransfers } from '../../../../testing/fakeTransfers.ts'
import { renderApp } from '../../../../testing/renderModal.tsx'
import { shownView } from '../../../../testing/shownView.ts'

const chainId = 'eip155:1'
const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'

const changes: readonly [change: string, perform: (wallet: FakeConnector, latchkey: Latchkey) => void][] = [
  ['another account', (wallet) => wallet.emitAccounts([fakeAccount(chainId, 1)])],
  ['another network', (wallet) => wallet.emitChain('eip155:2')],
  ['no account', (_wallet, latchkey) => void disconnect(latchkey)],
]

test.each(changes)('the review of a payment returns to the form if the wallet selects %s', async (_what, change) => {
  const adapter = fakeAdapter({ balances: { [address]: 2n * 10n ** 18n } })
  fakeTransfers(adapter)
  const wallet = fakeConnector()
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [wallet] })
  await connect(latchkey, 'fake')
  const screen = await renderApp(latchkey)
  openSendFlow(latchkey)
  await expect.poll(() => sendState(latchkey).getState().token).toBeDefined()
  setAmount(latchkey, '1')
  setReceiver(latchkey, `0x${'b'.repeat(40)}`)
  await expect.poll(() => sendState(latchkey).getState().status).toBe('ready')
  await reviewSendFlow(latchkey)
  await expect.element(screen.getByRole('heading', { name: 'Review and send' })).toBeInTheDocument()
  change(wallet, latchkey)
  await expect.poll(() => shownView(latchkey)).toBe('WalletSend')
})
