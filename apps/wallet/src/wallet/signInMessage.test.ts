import { verifyMessage, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { testWallet } from '../testing/testWallet.ts'
import { approve } from './approve.ts'

const first = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const second = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const chains = ['eip155:1', 'eip155:5', 'eip155:10'] as const
const signIn = { type: 'caip122', chains, domain: 'app.example', aud: 'https://app.example', version: '1', iat: '' }
const authentication = [{ ...signIn, nonce: 'abcdef01' }]

function createRequest() {
  const wallet = testWallet()
  wallet.protocol.propose({
    authentication,
    optionalNamespaces: { eip155: { chains, methods: ['personal_sign'], events: [] } },
  })
  return { ...wallet, key: wallet.wallet.store.get().pendingRequests[0]?.key ?? expect.fail('nothing was asked') }
}

test('requested sign-in is signed once for each supported network', async () => {
  const { wallet, protocol, key } = createRequest()
  await approve(wallet, key)
  const [{ signed }] = protocol.sent as [{ signed: readonly [Hex, Hex] }]
  expect(signed).toHaveLength(2)
  for (const [index, chainId] of ['eip155:1', 'eip155:5'].entries()) {
    const message = `app.example abcdef01 ${chainId}:${first}`
    expect(await verifyMessage({ address: first, message, signature: signed[index] ?? '0x' })).toBe(true)
  }
})

test('sign-in is signed with a shared account', async () => {
  const { wallet, protocol, key } = createRequest()
  const [adapter] = wallet.adapters
  await approve(wallet, key, { accounts: adapter.accounts.filter(({ address }) => address === second) })
  const [{ signed }] = protocol.sent as [{ signed: readonly [Hex, Hex] }]
  const message = `app.example abcdef01 eip155:1:${second}`
  expect(await verifyMessage({ address: second, message, signature: signed[0] })).toBe(true)
})

test('connection without a sign-in is approved if the user declines it or none is requested', async () => {
  const { wallet, protocol, key } = createRequest()
  await approve(wallet, key, { signsIn: false })
  protocol.propose()
  await approve(wallet, wallet.store.get().pendingRequests[0]?.key ?? '')
  expect(protocol.sent).toEqual([
    { approved: [`eip155:1:${first}`, `eip155:5:${first}`] },
    { approved: [`eip155:1:${first}`] },
  ])
})
