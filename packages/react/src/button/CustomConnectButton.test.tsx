import { connect } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { ConnectButton } from '../index.ts'
import { renderApp } from '../testing/renderModal.tsx'

const custom = (
  <ConnectButton.Custom>
    {({ status, account, chain, balance, openConnect, openAccount, openNetworks }) => (
      <>
        <output>{[status, chain?.name, account.status === 'connected' ? balance : 'no account'].join(' / ')}</output>
        <button type="button" onClick={openConnect}>
          connect
        </button>
        <button type="button" onClick={openAccount}>
          account
        </button>
        <button type="button" onClick={openNetworks}>
          networks
        </button>
      </>
    )}
  </ConnectButton.Custom>
)

test('ConnectButton.Custom passes the account, the network and the formatted balance', async () => {
  const account = fakeAccount('eip155:1', 0)
  const adapter = fakeAdapter({ balances: { [account.slice('eip155:1:'.length)]: 1_234_500_000_000_000_000n } })
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector({ accounts: [account] })] })
  const screen = await renderApp(latchkey, { children: custom })
  const status = screen.getByRole('status')
  await expect.element(status).toHaveTextContent('disconnected / Network 1 / no account')
  await connect(latchkey, 'fake')
  await expect.element(status).toHaveTextContent('connected / Network 1 / 1.234 COIN')
})

test('the balance stays when another part of the wallet state changes', async () => {
  const account = fakeAccount('eip155:1', 0)
  const adapter = fakeAdapter({ balances: { [account.slice('eip155:1:'.length)]: 1_234_500_000_000_000_000n } })
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector({ accounts: [account] })] })
  const screen = await renderApp(latchkey, { children: custom })
  const status = screen.getByRole('status')
  await connect(latchkey, 'fake')
  await expect.element(status).toHaveTextContent('connected / Network 1 / 1.234 COIN')
  const texts: Array<string | null> = []
  const observer = new MutationObserver(() => texts.push(status.element().textContent))
  observer.observe(status.element(), { characterData: true, childList: true, subtree: true })
  latchkey.wallet.setState((state) => ({ ...state, chosen: { ...state.chosen, solana: 'solana:1' } }), true)
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  await expect.element(status).toHaveTextContent('connected / Network 1 / 1.234 COIN')
  observer.disconnect()
  expect(texts).toEqual([])
})

test.each([
  ['connect', 'Connect wallet'],
  ['networks', /network/i],
])('ConnectButton.Custom opens the view of %s', async (name, heading) => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey, { children: custom })
  await screen.getByRole('button', { name, exact: true }).click()
  await expect.element(screen.getByRole('dialog').getByRole('heading', { level: 1 })).toHaveTextContent(heading)
})
