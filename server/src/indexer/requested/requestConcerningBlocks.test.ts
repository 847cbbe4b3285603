import { expect, test } from 'vitest'
import type { ChainRequest, ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Hex } from '../block.ts'
import { requestConcerningBlocks } from './requestConcerningBlocks.ts'

const toHash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const toAddress = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
const createAddresses = (count: number): ReadonlySet<Hex> =>
  new Set(Array.from({ length: count }, (_, index) => toAddress(index + 1)))

const payer = toAddress(2_000_000)

/** A node whose blocks have one payment to the account with the block's number. Its receipts can be false. */
function createNode(receiptBlock = (number: number): Hex => toHash(number)): { rpc: ChainRpc; requested: string[] } {
  const requested: string[] = []
  const respond = ([method, [first]]: ChainRequest): unknown => {
    requested.push(method)
    if (method === 'eth_getLogs') return []
    const number = Number(first)
    if (method === 'eth_getTransactionReceipt') {
      return { transactionHash: toHash(number), blockHash: receiptBlock(number), status: '0x1', logs: [] }
    }
    const payment = {
      hash: toHash(number),
      from: payer,
      to: toAddress(number),
      value: '0x5',
      nonce: '0x0',
      input: '0x',
    }
    const head = { number: first, hash: toHash(number), parentHash: toHash(number - 1), timestamp: '0x1' }
    return { ...head, transactions: [payment] }
  }
  const settle = async (requests: readonly ChainRequest[]) => requests.map(respond)
  return { rpc: { settle, batch: settle, tryBatch: settle }, requested }
}

const countLogs = (requested: readonly string[]): number =>
  requested.filter((method) => method === 'eth_getLogs').length

test('payments from and to followed addresses are found, and only their receipts are requested', async () => {
  const { rpc, requested } = createNode()
  const { blocks } = await requestConcerningBlocks(rpc, new Set([toAddress(3)]))(1, 5)
  expect(blocks.map(({ transactions }) => transactions.length)).toEqual([0, 0, 1, 0, 0])
  expect(blocks[2]?.transactions[0]?.touched).toEqual([toAddress(3)])
  expect(requested.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(1)
})

test.each([
  [0, 0],
  [1, 3],
  [500, 3],
  [501, 6],
  [2_000, 12],
  [2_001, 1],
  [100_000, 1],
])('%i addresses need %i log requests', async (count, expected) => {
  const { rpc, requested } = createNode()
  await requestConcerningBlocks(rpc, createAddresses(count))(200_000, 10)
  expect(countLogs(requested)).toBe(expected)
})

test('a receipt of another branch is rejected', async () => {
  const { rpc } = createNode(() => toHash(999))
  await expect(requestConcerningBlocks(rpc, new Set([payer]))(1, 1)).rejects.toThrow('another transaction')
})
