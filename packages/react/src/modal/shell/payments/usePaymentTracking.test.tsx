import { connect } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeHash, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { pendingTransactions, type Outcome } from '@latchkey/core/money'
import { closeModal, openModal } from '@latchkey/modal'
import { expect, test } from 'vitest'
import { drawn } from '../../../testing/drawn.tsx'
import { fakeTransfers } from '../../../testing/fakeTransfers.ts'

const chainId = 'eip155:1'
const hash = fakeHash('w', 1)
const address = fakeAccount(chainId).split(':')[2]

test('a payment of an earlier page load is resolved once the modal opens, and not before', async () => {
  const stored = [{ hash, what: { kind: 'send', amount: '1', symbol: 'COIN' }, since: 1 }]
  const storage = fakeStorage({ values: { [`@latchkey/pending/${chainId}/${address}`]: JSON.stringify(stored) } })
  const adapter = fakeAdapter()
  const followed: string[] = []
  const transfers = Object.assign(fakeTransfers(adapter), {
    follow: async (_network: unknown, _from: unknown, sent: { hash: string }): Promise<Outcome> => {
      followed.push(sent.hash)
      return { status: 'mined', hash: sent.hash, blockNumber: 1n }
    },
  })
  Object.assign(adapter, { transfers: async () => transfers })
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], storage })
  await connect(latchkey, 'fake')
  const screen = await drawn(latchkey)
  expect(followed).toEqual([])
  openModal(latchkey)
  await expect.element(screen.getByText('Your transaction is confirmed.')).toBeVisible()
  expect(followed).toEqual([hash])
  expect(pendingTransactions(latchkey).getState()).toEqual([])
  closeModal(latchkey)
})
