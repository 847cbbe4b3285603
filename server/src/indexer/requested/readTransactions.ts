import type { ChainRequest, ChainRpc } from '../../kit/chain/chainRpc.ts'
import { RequestTooLargeError } from '../../kit/chain/postJsonRpc.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { Block, Hex } from '../block.ts'
import { InvalidBlockError, parseBlockHead, parseTransaction } from '../parseBlock.ts'
import { restrictBlock } from './restrictBlock.ts'
import { toQuantity, type TransactionReference } from './createLogRequests.ts'

/** Two requests per transaction, and one per block, so that a batch stays below the limit of public nodes. */
const transactionsPerRequest = 30

/**
 * Reads transactions of an address from the node, whatever source named them.
 *
 * @returns their blocks, with only these transactions
 * @throws InvalidBlockError if the node does not have one of them
 */
export async function readTransactions(
  rpc: ChainRpc,
  address: Hex,
  references: readonly TransactionReference[],
): Promise<readonly Block[]> {
  const parts = Array.from({ length: Math.ceil(references.length / transactionsPerRequest) }, (_, index) =>
    references.slice(index * transactionsPerRequest, (index + 1) * transactionsPerRequest),
  )
  // At the same time, because a user waits for the first page.
  const blocks = await Promise.all(parts.map((part) => readPart(rpc, part)))
  return blocks.flat().map((block) => restrictBlock(block, (each) => each === address))
}

/** Reads fewer transactions at a time if their receipts are too large for one response. */
async function readPart(rpc: ChainRpc, references: readonly TransactionReference[]): Promise<readonly Block[]> {
  try {
    return await requestPart(rpc, references)
  } catch (error) {
    if (!(error instanceof RequestTooLargeError) || references.length === 1) throw error
    const half = Math.ceil(references.length / 2)
    return [...(await readPart(rpc, references.slice(0, half))), ...(await readPart(rpc, references.slice(half)))]
  }
}

async function requestPart(rpc: ChainRpc, references: readonly TransactionReference[]): Promise<readonly Block[]> {
  const numbers = [...new Set(references.map(({ block }) => block))]
  const results = await rpc.batch([
    ...references.flatMap(({ hash }): readonly ChainRequest[] => [
      ['eth_getTransactionByHash', [hash]],
      ['eth_getTransactionReceipt', [hash]],
    ]),
    ...numbers.map((number): ChainRequest => ['eth_getBlockByNumber', [toQuantity(number), false]]),
  ])
  const heads = numbers.map((number, index) => parseBlockHead(number, results[2 * references.length + index]))
  return heads.map(({ transactions: _hashes, ...head }) => {
    const own = references.flatMap(({ block, hash }, index) => {
      if (block !== head.number) return []
      const [transaction, receipt] = [results[2 * index], results[2 * index + 1]]
      if (toLowerCase(getField(transaction, 'hash')) !== hash)
        throw new InvalidBlockError('The node has no such transaction.')
      return [parseTransaction(transaction, receipt, parsePosition(transaction), head.hash)]
    })
    return { ...head, transactions: own }
  })
}

function parsePosition(transaction: unknown): number {
  const position = getField(transaction, 'transactionIndex')
  const number = typeof position === 'string' && /^0x[0-9a-f]{1,7}$/i.test(position) ? Number(position) : undefined
  if (number === undefined) throw new InvalidBlockError('A transaction has no position.')
  return number
}

function toLowerCase(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}
