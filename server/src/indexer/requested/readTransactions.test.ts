import { expect, test } from 'vitest'
import type { ChainRequest, ChainRpc } from '../../kit/chain/chainRpc.ts'
import { ResponseTooLargeError } from '../../kit/chain/postJsonRpc.ts'
import type { Hex } from '../block.ts'
import { readTransactions } from './readTransactions.ts'

const account: Hex = `0x${'a1'.repeat(20)}`
const toHash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const createReference = (number: number) => ({ block: number, hash: toHash(number) })

/** A node with one payment in each block, whose responses have at most some results. */
function createNode(maxResults: number): ChainRpc {
  const respond = ([method, [first]]: ChainRequest): unknown => {
    const number = Number(first)
    const hash = toHash(number)
    if (method === 'eth_getTransactionByHash') {
      return { hash, from: account, to: account, value: '0x1', nonce: '0x0', input: '0x', transactionIndex: '0x0' }
    }
    if (method === 'eth_getTransactionReceipt')
      return { transactionHash: hash, blockHash: hash, status: '0x1', logs: [] }
    return { number: first, hash, parentHash: toHash(number - 1), timestamp: '0x1', transactions: [] }
  }
  const settle = async (requests: readonly ChainRequest[]): Promise<readonly unknown[]> => {
    if (requests.length > maxResults) throw new ResponseTooLargeError('The response is too large.')
    return requests.map(respond)
  }
  return { settle, batch: settle, tryBatch: settle }
}

test('transactions whose receipts are too large for one response are read in parts', async () => {
  const references = Array.from({ length: 20 }, (_, index) => createReference(index + 1))
  const blocks = await readTransactions(createNode(9), account, references)
  expect(blocks.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(references.map(({ block }) => block))
  expect(blocks.every(({ transactions }) => transactions.length === 1)).toBe(true)
})

test('a transaction that is too large by itself is an error', async () => {
  await expect(readTransactions(createNode(2), account, [createReference(1)])).rejects.toThrow('too large')
})

test('a transaction that the node does not know is an error', async () => {
  const unknown = { block: 1, hash: toHash(2) }
  await expect(readTransactions(createNode(100), account, [unknown])).rejects.toThrow('another')
})
