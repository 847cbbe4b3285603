import { expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { fakeAccount, fakeAdapter, fakeConnector, fakeWorld, flushTasks, getRejection } from '../../testing/fakes.ts'
import type { Transfers } from '../transfers.ts'
import type { Approval, Approvals } from './approvals.ts'
import { revokeApproval } from './revokeApproval.ts'

const chainId = 'eip155:1'
const accounts = [fakeAccount(chainId, 0), fakeAccount(chainId, 1)] as const
const approval: Approval = {
  kind: 'token',
  owner: accounts[0],
  chainId,
  token: `0x${'1'.repeat(40)}`,
  spender: `0x${'2'.repeat(40)}`,
  name: 'Dollar',
  symbol: 'USD',
  decimals: 6,
  amount: 7n,
  isUnlimited: false,
}

test('no revocation is requested from an account that was selected while it was simulated', async () => {
  const adapter = fakeAdapter()
  let respond = (): void => {}
  const transfers: Partial<Transfers> = {
    simulateCall: () => new Promise((resolve) => (respond = () => resolve(undefined))),
  }
  const source: Partial<Approvals> = { buildRevocation: () => ({ to: approval.token, data: '0x00' }) }
  Object.assign(adapter, { transfers: async () => transfers, approvals: async () => source })
  const connector = fakeConnector({ accounts: [accounts[0]] })
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [connector] })
  await connect(latchkey, 'fake')
  const revoking = getRejection(revokeApproval(latchkey, approval))
  await flushTasks()
  connector.emitAccounts([accounts[1]])
  respond()
  expect(await revoking).toMatchObject({ code: 'approval/not-revocable' })
  expect(adapter.sent).toEqual([])
})
