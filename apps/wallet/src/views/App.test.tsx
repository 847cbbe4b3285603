import { fakeStorage } from '@latchkey/core/fakes'
import type { OriginVerdict } from '@latchkey/walletconnect/wallet'
import { encodeFunctionData, erc20Abi, maxUint256, toHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { testWallet, type TestWallet } from '../testing/testWallet.ts'
import { approve } from '../wallet/answer.ts'
import App from './App.tsx'
import './theme.css'
import { WalletContext } from './useStore.ts'

const first = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const sheet = page.getByRole('dialog')
const button = (name: string) => sheet.getByRole('button', { name, exact: true })

afterEach(cleanup)

async function shown(storage = fakeStorage()): Promise<TestWallet> {
  const parts = testWallet(storage)
  await render(
    <WalletContext value={parts.wallet}>
      <App />
    </WalletContext>,
  )
  return parts
}

/** Lets the moment go by in which a question takes no press; when it began is up to React. */
async function settle({ clock }: TestWallet): Promise<void> {
  await expect
    .poll(() => {
      clock.advance(300)
      return button('Reject').query()
    })
    .toBeEnabled()
}

/** Shows a question, its buttons ready to be pressed. */
async function asked(method: string, params: unknown): Promise<TestWallet> {
  const parts = await shown()
  const { wallet, protocol } = parts
  protocol.propose()
  await approve(wallet, wallet.store.get().asks[0]?.key ?? '')
  protocol.ask(method, params)
  await settle(parts)
  return parts
}

test('shows what an app asks for and shares the accounts that were chosen', async () => {
  const parts = await shown()
  const { protocol } = parts
  protocol.propose({
    optionalNamespaces: { eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['personal_sign'], events: [] } },
  })
  await expect.element(page.getByRole('dialog', { name: 'Connect to an app' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Connect to an app' })).toHaveFocus()
  await expect.element(sheet.getByText('app.example')).toBeVisible()
  await expect.element(sheet.getByText('Not verified')).toBeVisible()
  const networks = sheet.getByRole('list', { name: 'Networks it asks for' })
  await expect.element(networks).toHaveTextContent('FirstSupportedeip155:10Not supported')
  await settle(parts)
  await sheet.getByRole('checkbox', { name: /Savings/ }).click()
  await sheet.getByRole('checkbox', { name: /Wallet/ }).click()
  await button('Approve').click()
  await expect
    .poll(() => protocol.told)
    .toEqual([{ approved: ['eip155:1:0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] }])
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /Test app/ })).toBeVisible()
})

test('shows what is signed along with a connection, and leaves that to its owner', async () => {
  const payload = {
    type: 'caip122',
    chains: ['eip155:1'],
    domain: 'app.example',
    aud: '',
    version: '1',
    iat: '',
  } as const
  const authentication = [{ ...payload, nonce: 'abcdef01' }]
  const parts = await shown()
  const { protocol } = parts
  protocol.propose({ authentication })
  const message = sheet.getByRole('region', { name: 'Message' })
  await expect.element(message).toHaveTextContent(`app.example abcdef01 eip155:1:${first}`)
  await settle(parts)
  await button('Approve').click()
  await expect.poll(() => protocol.told).toMatchObject([{ signed: [expect.stringMatching(/^0x[0-9a-f]{130}$/)] }])
  await expect.element(sheet).not.toBeInTheDocument()
  protocol.propose({ authentication })
  await settle(parts)
  await sheet.getByRole('checkbox', { name: 'Sign this message' }).click()
  await button('Approve').click()
  await expect.poll(() => protocol.told[1]).toEqual({ approved: [`eip155:1:${first}`] })
})

test('shows a question at once, and where it comes from when that is known', async () => {
  const parts = await shown()
  let resolve: (verdict: OriginVerdict) => void = () => {}
  parts.protocol.verdict = new Promise((onResolve) => (resolve = onResolve))
  parts.protocol.propose()
  await settle(parts)
  await expect.element(sheet.getByText('Not verified')).toBeVisible()
  await expect.element(button('Approve')).toBeEnabled()
  resolve({ status: 'proven', origin: 'https://app.example' })
  await expect.element(sheet.getByText('Address matches')).toBeVisible()
  await expect.element(sheet.getByText('Not verified')).not.toBeInTheDocument()
  await expect.element(sheet.getByRole('alert')).not.toBeInTheDocument()
})

test('warns of an app that is not where it says it is, with proposals and requests alike', async () => {
  const parts = await shown()
  parts.protocol.verdict = { status: 'mismatch', origin: 'https://evil.example' }
  parts.protocol.propose()
  await expect
    .element(sheet.getByRole('alert'))
    .toHaveTextContent(/from https:\/\/evil\.example, not from app\.example/)
  await settle(parts)
  await button('Approve').click()
  await expect.element(sheet).not.toBeInTheDocument()
  parts.protocol.ask('personal_sign', [toHex('hello'), first])
  await expect.element(sheet.getByRole('alert')).toHaveTextContent(/evil\.example/)
  await settle(parts)
  await expect.element(button('Approve')).toBeEnabled()
})

test('approves nothing while no account is shared', async () => {
  const parts = await shown()
  parts.protocol.propose()
  await settle(parts)
  await sheet.getByRole('checkbox', { name: /Wallet/ }).click()
  await expect.element(button('Approve')).toBeDisabled()
  await expect.element(button('Reject')).toBeEnabled()
})

test('takes no press in the moment in which a question appears', async () => {
  const parts = await shown()
  parts.protocol.propose()
  await expect.element(button('Approve')).toBeDisabled()
  await settle(parts)
  await expect.element(button('Approve')).toBeEnabled()
})

test('shows a message with all that is hidden in it', async () => {
  await asked('personal_sign', [toHex('Pay \u202E001\u202C now'), first])
  await expect
    .element(page.getByRole('region', { name: 'Message' }))
    .toHaveTextContent('Pay U+202E right-to-left override 001U+202C end of direction now')
})

test('warns of an allowance without limit, and that a network which is away says nothing of the cost', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [first, maxUint256] })
  await asked('eth_sendTransaction', [{ from: first, to: '0x5FbDB2315678afecb367f032d93F642f64180aa3', data }])
  await expect.element(page.getByRole('dialog', { name: 'Let an app spend a token' })).toBeVisible()
  await expect.element(sheet.getByText('Any amount of a token')).toBeVisible()
  await expect.element(sheet.getByText(/could take everything/)).toBeVisible()
  await expect.element(sheet.getByRole('alert')).toHaveTextContent('First cannot be reached.')
})

test('keeps a question that was put away within reach', async () => {
  const { protocol } = await asked('personal_sign', [toHex('hello'), first])
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Review' }).click()
  await button('Reject').click()
  await expect.poll(() => protocol.told.at(-1)).toMatchObject({ error: { code: 4001 } })
  await expect.element(page.getByRole('button', { name: 'Review' })).not.toBeInTheDocument()
})

test('says on its first page that it does not behave as wallets do', async () => {
  const { wallet } = await shown()
  await page.getByRole('button', { name: 'Settings' }).click()
  await sheet.getByRole('radio', { name: 'Reject all' }).click()
  await sheet.getByRole('switch', { name: /Slow answers/ }).click()
  await button('Done').click()
  expect(wallet.memory.settings()).toMatchObject({ answers: 'reject', isSlow: true })
  await expect
    .element(page.getByText('This wallet rejects everything by itself and answers three seconds late.'))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Settings' })).toHaveFocus()
})

test('goes on in the account that was chosen', async () => {
  const { storage } = await shown()
  await page
    .getByRole('region', { name: 'Account' })
    .getByRole('button', { name: /Change/ })
    .click()
  await sheet.getByRole('radio', { name: /Travel/ }).click()
  await button('Done').click()
  await cleanup()
  await shown(storage)
  await expect.element(page.getByRole('region', { name: 'Account' })).toHaveTextContent('Travel')
})

test('follows the theme that was chosen', async () => {
  await shown()
  await page.getByRole('button', { name: 'Settings' }).click()
  await sheet.getByRole('radio', { name: 'Dark' }).click()
  expect(getComputedStyle(document.documentElement).colorScheme).toBe('dark')
})

test('shows a switched account at once, and the old one again when the app could not be told', async () => {
  const { wallet, protocol } = await shown()
  protocol.propose()
  await approve(wallet, wallet.store.get().asks[0]?.key ?? '')
  await page.getByRole('button', { name: /Test app/ }).click()
  await sheet.getByRole('radio', { name: /Savings/ }).click()
  await expect.poll(() => protocol.told.at(-1)).toMatchObject({ event: 'accountsChanged' })
  await expect.element(sheet.getByRole('radio', { name: /Savings/ })).toBeChecked()
  protocol.isReachable = false
  await sheet.getByRole('radio', { name: /Travel/ }).click()
  await expect.element(page.getByText(/The app could not be told/)).toBeVisible()
  await expect.element(sheet.getByRole('radio', { name: /Savings/ })).toBeChecked()
})
