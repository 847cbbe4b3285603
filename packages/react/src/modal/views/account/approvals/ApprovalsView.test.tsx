import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import type { Approval, Approvals } from '@latchkey/core/money'
import { openModal } from '@latchkey/modal'
import { networkError, requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { renderModal } from '../../../../testing/renderModal.tsx'

const spender = `0x${'5'.repeat(40)}`
const token = `0x${'7'.repeat(40)}`

/** A connected user with an unlimited allowance, a limited one and an approved collection. */
async function renderView({ isComplete = true, list }: { isComplete?: boolean; list?: Approvals['list'] } = {}) {
  let given: readonly Approval[] = []
  const approvals: Approvals = {
    list: list ?? (async () => ({ approvals: given.filter(isLeft), isComplete })),
    buildRevocation: ({ token: to }) => ({ to, data: '0x00' }),
  }
  const isLeft = (each: Approval): boolean => !adapter.sent.some(({ request }) => request.to === each.token)
  const adapter = Object.assign(fakeAdapter(), { approvals: async () => approvals })
  const wallet = fakeConnector()
  const world = fakeWorld({ adapters: [adapter], connectors: [wallet] })
  await connect(world.latchkey, 'fake')
  const state = world.latchkey.wallet.getState().namespaces.eip155
  if (state?.status !== 'connected') throw new Error('No wallet is connected.')
  const base = { chainId: 'eip155:1', owner: state.account, spender } as const
  given = [
    {
      ...base,
      kind: 'token',
      token,
      name: 'Dollar',
      symbol: 'USD',
      decimals: 6,
      amount: 2n ** 256n - 1n,
      isUnlimited: true,
    },
    {
      ...base,
      kind: 'token',
      token: `0x${'8'.repeat(40)}`,
      name: 'Euro',
      symbol: 'EUR',
      decimals: 2,
      amount: 1250n,
      isUnlimited: false,
    },
    { ...base, kind: 'collection', token: `0x${'9'.repeat(40)}`, name: 'Cats' },
  ]
  const screen = await renderModal(world.latchkey, { view: 'Approvals', params: {} })
  return { ...world, wallet, adapter, screen }
}

test('the account settings open the approvals, with the amount and the spender of each', async () => {
  const { latchkey, screen } = await renderView()
  openModal(latchkey, { entry: { view: 'AccountSettings', params: {} } })
  await screen.getByRole('button', { name: /Who can move your assets/ }).click()
  await expect.element(screen.getByRole('heading', { name: 'Approvals', level: 1 })).toBeVisible()
  await expect.element(screen.getByText('Unlimited USD')).toBeVisible()
  await expect.element(screen.getByText('Up to 12.5 EUR')).toBeVisible()
  await expect.element(screen.getByText('All NFTs in this collection')).toBeVisible()
  await expect
    .element(screen.getByTitle(spender).first())
    .toHaveAttribute('href', `https://explorer.invalid/1/address/${spender}`)
})

test('an allowance inside of Permit2 says so, with its end', async () => {
  const permit = { kind: 'permit2', token, name: 'Dollar', symbol: 'USD', decimals: 6, isUnlimited: false } as const
  const base = { ...permit, chainId: 'eip155:1', owner: `eip155:1:${token}`, amount: 5_000_000n } as const
  const approvals: readonly Approval[] = [
    { ...base, spender, expiresAt: Date.UTC(2030, 0, 15, 12) },
    { ...base, spender: `0x${'6'.repeat(40)}`, expiresAt: (2 ** 48 - 1) * 1_000 },
  ]
  const { screen } = await renderView({ list: async () => ({ approvals, isComplete: true }) })
  await expect.element(screen.getByText('Up to 5 USD').first()).toBeVisible()
  await expect.element(screen.getByText(/^Through Permit2, until Jan 15, 2030/)).toBeVisible()
  await expect.element(screen.getByText('Through Permit2, without an end', { exact: true })).toBeVisible()
})

test('revoking asks the wallet once, reports the outcome and reads the list again', async () => {
  const { adapter, screen } = await renderView()
  await screen.getByRole('button', { name: /^Revoke Dollar for / }).dblClick()
  await expect.element(screen.getByText('Approval revoked')).toBeVisible()
  await expect.element(screen.getByText('Unlimited USD')).not.toBeInTheDocument()
  await expect.element(screen.getByText('Up to 12.5 EUR')).toBeVisible()
  expect(adapter.sent.map(({ request }) => request)).toEqual([{ to: token, data: '0x00' }])
})

test('the second click of a double click does not revoke the approval that moved under the pointer', async () => {
  const { adapter, screen } = await renderView()
  const press = (name: RegExp, detail: number): boolean =>
    screen
      .getByRole('button', { name })
      .element()
      .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, detail }))
  await expect.element(screen.getByText('Up to 12.5 EUR')).toBeVisible()
  press(/^Revoke Dollar for /, 1)
  await expect.element(screen.getByText('Unlimited USD')).not.toBeInTheDocument()
  press(/^Revoke Euro for /, 2)
  await screen.getByRole('button', { name: /^Revoke Cats for / }).click()
  await expect.element(screen.getByText('All NFTs in this collection')).not.toBeInTheDocument()
  await expect.element(screen.getByText('Up to 12.5 EUR')).toBeVisible()
  expect(adapter.sent.map(({ request }) => request.to)).toEqual([token, `0x${'9'.repeat(40)}`])
})

test('a declined revocation leaves the approval on the list', async () => {
  const { adapter, screen } = await renderView()
  adapter.sendTransaction = async () =>
    Promise.reject(requestError('request/rejected', { method: 'eth_sendTransaction' }))
  await screen.getByRole('button', { name: /^Revoke Cats for / }).click()
  await expect.element(screen.getByText('You rejected this in your wallet. The approval is unchanged.')).toBeVisible()
})

test('an incomplete search says that older approvals may be missing', async () => {
  const { screen } = await renderView({ isComplete: false })
  await expect.element(screen.getByText(/Older approvals may be missing/)).toBeVisible()
})

test('a network that does not respond offers to try again', async () => {
  let isDown = true
  const { screen } = await renderView({
    list: async () => {
      if (isDown) throw networkError('rpc/unreachable', { network: 'Fake' })
      return { approvals: [], isComplete: true }
    },
  })
  await expect.element(screen.getByText('Your approvals can’t be loaded right now.')).toBeVisible()
  isDown = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByText(/No approvals on this network/)).toBeVisible()
})
