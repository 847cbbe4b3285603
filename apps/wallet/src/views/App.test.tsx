import { fakeStorage } from '@latchkey/core/fakes'
import type { OriginVerdict } from '@latchkey/walletconnect/wallet'
import { encodeFunctionData, erc20Abi, maxUint256, toHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { testWallet, type TestWallet } from '../testing/testWallet.ts'
import { approve } from '../wallet/approve.ts'
import App from './App.tsx'
import './theme.css'
import { WalletContext } from './useStore.ts'

const first = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const sheet = page.getByRole('dialog')
const getButton = (name: string) => sheet.getByRole('button', { name, exact: true })

afterEach(cleanup)

async function renderApp(storage = fakeStorage()): Promise<TestWallet> {
  const world = testWallet(storage)
  await render(
    <WalletContext value={world.wallet}>
      <App />
    </WalletContext>,
  )
  return world
}

/** Advances the clock until the click guard ends. React decides when it begins. */
async function settle({ clock }: TestWallet): Promise<void> {
  await expect
    .poll(() => {
      clock.advance(300)
      return getButton('Reject').query()
    })
    .toBeEnabled()
}

/** Shows a request with enabled buttons. */
async function shownWithRequest(method: string, params: unknown): Promise<TestWallet> {
  const world = await renderApp()
  const { wallet, protocol } = world
  protocol.propose()
  await approve(wallet, wallet.store.get().pendingRequests[0]?.key ?? '')
  protocol.request(method, params)
  await settle(world)
  return world
}

test('proposal is shown and, once approved, shares the selected accounts', async () => {
  const world = await renderApp()
  const { protocol } = world
  protocol.propose({
    optionalNamespaces: { eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['personal_sign'], events: [] } },
  })
  await expect.element(page.getByRole('dialog', { name: 'Connect to an app' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Connect to an app' })).toHaveFocus()
  await expect.element(sheet.getByText('app.example')).toBeVisible()
  await expect.element(sheet.getByText('Not verified')).toBeVisible()
  const networks = sheet.getByRole('list', { name: 'Requested networks' })
  await expect.element(networks).toHaveTextContent('FirstSupportedeip155:10Not supported')
  await settle(world)
  await sheet.getByRole('checkbox', { name: /Savings/ }).click()
  await sheet.getByRole('checkbox', { name: /Wallet/ }).click()
  await getButton('Approve').click()
  await expect
    .poll(() => protocol.sent)
    .toEqual([{ approved: ['eip155:1:0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] }])
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /Test app/ })).toBeVisible()
})

test('proposal with sign-in messages shows them and can be approved without signing', async () => {
  const payload = {
    type: 'caip122',
    chains: ['eip155:1'],
    domain: 'app.example',
    aud: '',
    version: '1',
    iat: '',
  } as const
  const authentication = [{ ...payload, nonce: 'abcdef01' }]
  const world = await renderApp()
  const { protocol } = world
  protocol.propose({ authentication })
  const message = sheet.getByRole('region', { name: 'Message' })
  await expect.element(message).toHaveTextContent(`app.example abcdef01 eip155:1:${first}`)
  await settle(world)
  await getButton('Approve').click()
  await expect.poll(() => protocol.sent).toMatchObject([{ signed: [expect.stringMatching(/^0x[0-9a-f]{130}$/)] }])
  await expect.element(sheet).not.toBeInTheDocument()
  protocol.propose({ authentication })
  await settle(world)
  await sheet.getByRole('checkbox', { name: 'Sign this message' }).click()
  await getButton('Approve').click()
  await expect.poll(() => protocol.sent[1]).toEqual({ approved: [`eip155:1:${first}`] })
})

test('request is shown immediately, and its origin once verified', async () => {
  const world = await renderApp()
  let resolve: (verdict: OriginVerdict) => void = () => {}
  world.protocol.verdict = new Promise((onResolve) => (resolve = onResolve))
  world.protocol.propose()
  await settle(world)
  await expect.element(sheet.getByText('Not verified')).toBeVisible()
  await expect.element(getButton('Approve')).toBeEnabled()
  resolve({ status: 'proven', origin: 'https://app.example' })
  await expect.element(sheet.getByText('Address matches')).toBeVisible()
  await expect.element(sheet.getByText('Not verified')).not.toBeInTheDocument()
  await expect.element(sheet.getByRole('alert')).not.toBeInTheDocument()
})

test('origin mismatch shows a warning in proposals and requests', async () => {
  const world = await renderApp()
  world.protocol.verdict = { status: 'mismatch', origin: 'https://evil.example' }
  world.protocol.propose()
  await expect
    .element(sheet.getByRole('alert'))
    .toHaveTextContent(/from https:\/\/evil\.example, not from app\.example/)
  await settle(world)
  await getButton('Approve').click()
  await expect.element(sheet).not.toBeInTheDocument()
  world.protocol.request('personal_sign', [toHex('hello'), first])
  await expect.element(sheet.getByRole('alert')).toHaveTextContent(/evil\.example/)
  await settle(world)
  await expect.element(getButton('Approve')).toBeEnabled()
})

test('proposal without a selected account can not be approved', async () => {
  const world = await renderApp()
  world.protocol.propose()
  await settle(world)
  await sheet.getByRole('checkbox', { name: /Wallet/ }).click()
  await expect.element(getButton('Approve')).toBeDisabled()
  await expect.element(getButton('Reject')).toBeEnabled()
})

test('clicks right after a request appears are ignored', async () => {
  const world = await renderApp()
  world.protocol.propose()
  await expect.element(getButton('Approve')).toBeDisabled()
  await settle(world)
  await expect.element(getButton('Approve')).toBeEnabled()
})

test('hidden characters of a message are shown', async () => {
  await shownWithRequest('personal_sign', [toHex('Pay \u202E001\u202C now'), first])
  await expect
    .element(page.getByRole('region', { name: 'Message' }))
    .toHaveTextContent('Pay U+202E right-to-left override 001U+202C end of direction now')
})

test('unlimited allowance shows a warning, and an unreachable network shows that the fee is unknown', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [first, maxUint256] })
  await shownWithRequest('eth_sendTransaction', [
    { from: first, to: '0x5FbDB2315678afecb367f032d93F642f64180aa3', data },
  ])
  await expect.element(page.getByRole('dialog', { name: 'Let an app spend a token' })).toBeVisible()
  await expect.element(sheet.getByText('Any amount of a token')).toBeVisible()
  await expect.element(sheet.getByText(/could take all/)).toBeVisible()
  await expect.element(sheet.getByRole('alert')).toHaveTextContent('First cannot be reached.')
})

test('closed request stays pending and can be reopened', async () => {
  const { protocol } = await shownWithRequest('personal_sign', [toHex('hello'), first])
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Review' }).click()
  await getButton('Reject').click()
  await expect.poll(() => protocol.sent.at(-1)).toMatchObject({ error: { code: 4001 } })
  await expect.element(page.getByRole('button', { name: 'Review' })).not.toBeInTheDocument()
})

test('unusual settings show a warning on the home view', async () => {
  const { wallet } = await renderApp()
  await page.getByRole('button', { name: 'Settings' }).click()
  await sheet.getByRole('radio', { name: 'Reject all' }).click()
  await sheet.getByRole('switch', { name: /Slow responses/ }).click()
  await getButton('Done').click()
  expect(wallet.memory.settings()).toMatchObject({ responseMode: 'reject', isSlow: true })
  await expect
    .element(page.getByText('This wallet rejects everything automatically and responds three seconds late.'))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Settings' })).toHaveFocus()
})

test('selected account is kept after a reload', async () => {
  const { storage } = await renderApp()
  await page
    .getByRole('region', { name: 'Account' })
    .getByRole('button', { name: /Change/ })
    .click()
  await sheet.getByRole('radio', { name: /Travel/ }).click()
  await getButton('Done').click()
  await cleanup()
  await renderApp(storage)
  await expect.element(page.getByRole('region', { name: 'Account' })).toHaveTextContent('Travel')
})

test('selected theme is applied', async () => {
  await renderApp()
  await page.getByRole('button', { name: 'Settings' }).click()
  await sheet.getByRole('radio', { name: 'Dark' }).click()
  expect(getComputedStyle(document.documentElement).colorScheme).toBe('dark')
})

test('switched account is shown immediately and reverted if notifying the app fails', async () => {
  const { wallet, protocol } = await renderApp()
  protocol.propose()
  await approve(wallet, wallet.store.get().pendingRequests[0]?.key ?? '')
  await page.getByRole('button', { name: /Test app/ }).click()
  await sheet.getByRole('radio', { name: /Savings/ }).click()
  await expect.poll(() => protocol.sent.at(-1)).toMatchObject({ event: 'accountsChanged' })
  await expect.element(sheet.getByRole('radio', { name: /Savings/ })).toBeChecked()
  protocol.isReachable = false
  await sheet.getByRole('radio', { name: /Travel/ }).click()
  await expect.element(page.getByText(/The app could not be notified/)).toBeVisible()
  await expect.element(sheet.getByRole('radio', { name: /Savings/ })).toBeChecked()
})
