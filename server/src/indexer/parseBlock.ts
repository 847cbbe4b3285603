import {
  getTouchedAddresses,
  transferKinds,
  zeroAddress,
  type Block,
  type Hex,
  type Transaction,
  type Transfer,
} from './block.ts'
import { parseLog } from './parseLog.ts'

/** A node returned an invalid block. */
export class InvalidBlockError extends Error {
  override readonly name: string = 'BadBlock'
}

const hashPattern = /^0x[0-9a-f]{64}$/
const addressPattern = /^0x[0-9a-f]{40}$/
const quantityPattern = /^0x[0-9a-f]{1,64}$/

/**
 * Parses a block (`eth_getBlockByNumber` with transactions) and its receipts (`eth_getBlockReceipts`).
 *
 * @throws InvalidBlockError if they don't belong together or are not the requested block
 */
export function parseBlock(number: number, value: unknown, receipts: unknown): Block {
  const { transactions, ...head } = parseBlockHead(number, value)
  const receiptList = requireList(receipts, 'receipts')
  if (transactions.length !== receiptList.length) throw new InvalidBlockError('The receipts belong to another block.')
  return {
    ...head,
    transactions: transactions.map((each, position) =>
      parseTransaction(each, receiptList[position], position, head.hash),
    ),
  }
}

/**
 * Parses a block without its transactions, which are returned as the node sent them.
 *
 * @throws InvalidBlockError if it is not the requested block
 */
export function parseBlockHead(
  number: number,
  value: unknown,
): Omit<Block, 'transactions'> & { transactions: readonly unknown[] } {
  const block = requireObject(value, 'a block')
  if (requireQuantity(block['number'], 'number') !== number)
    throw new InvalidBlockError('The node returned another block.')
  return {
    number,
    hash: requireText(block['hash'], hashPattern, 'hash'),
    parent: requireText(block['parentHash'], hashPattern, 'parentHash'),
    minedAt: requireTimestamp(block['timestamp']) * 1_000,
    transactions: requireList(block['transactions'], 'transactions'),
  }
}

/**
 * Parses a transaction and its receipt.
 *
 * @param blockHash of the block that contains it
 * @throws InvalidBlockError if they don't belong together
 */
export function parseTransaction(row: unknown, receiptRow: unknown, position: number, blockHash: Hex): Transaction {
  const transaction = requireObject(row, 'a transaction')
  const receipt = requireObject(receiptRow, 'a receipt')
  const hash = requireText(transaction['hash'], hashPattern, 'transaction hash')
  if (toLowerCase(receipt['transactionHash']) !== hash || toLowerCase(receipt['blockHash']) !== blockHash) {
    throw new InvalidBlockError('A receipt belongs to another transaction.')
  }
  const sender = requireText(transaction['from'], addressPattern, 'from')
  const receiver = parseOptionalText(transaction['to'], addressPattern, 'to')
  const created =
    receiver === undefined ? parseOptionalText(receipt['contractAddress'], addressPattern, 'contract') : undefined
  const succeeded = toLowerCase(receipt['status']) !== '0x0'
  const value = requireAmount(transaction['value'])
  const input = toLowerCase(transaction['input'])
  const target = receiver ?? created
  const native: readonly Transfer[] =
    succeeded && value > 0n && target !== undefined
      ? [
          {
            ordinal: 0,
            kind: transferKinds.native,
            token: zeroAddress,
            sender,
            receiver: target,
            tokenId: undefined,
            amount: value,
          },
        ]
      : []
  const transfers = [...native, ...parseLogs(receipt['logs'])]
  return {
    position,
    hash,
    sender,
    receiver,
    created,
    value,
    nonce: requireQuantity(transaction['nonce'], 'nonce'),
    method: input.length >= 10 && receiver !== undefined ? (input.slice(0, 10) as Hex) : undefined,
    succeeded,
    transfers,
    touched: getTouchedAddresses({ sender, receiver, created, transfers }),
  }
}

/** The native transfer comes first. Logs follow in their order; a log may contain several transfers. */
function parseLogs(logs: unknown): readonly Transfer[] {
  const found = requireList(logs, 'logs').flatMap(parseLog)
  return found.map((transfer, index) => ({ ...transfer, ordinal: index + 1 }))
}

function requireObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidBlockError(`This is not ${what}.`)
  // The fields of the object are checked one by one.
  return value as Readonly<Record<string, unknown>>
}

function requireList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new InvalidBlockError(`The ${what} are missing.`)
  return value
}

function toLowerCase(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}

function requireText(value: unknown, pattern: RegExp, what: string): Hex {
  const written = toLowerCase(value)
  if (!pattern.test(written)) throw new InvalidBlockError(`The ${what} is invalid.`)
  return written as Hex
}

function parseOptionalText(value: unknown, pattern: RegExp, what: string): Hex | undefined {
  return value === null || value === undefined ? undefined : requireText(value, pattern, what)
}

function requireQuantity(value: unknown, what: string): number {
  const written = toLowerCase(value)
  const number = quantityPattern.test(written) ? Number(written) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new InvalidBlockError(`The ${what} is invalid.`)
  return number
}

/** The last second of the year 9999. A later time could be stored, but not shown as a date. */
const maxTimestamp = 253_402_300_799

function requireTimestamp(value: unknown): number {
  const seconds = requireQuantity(value, 'timestamp')
  if (seconds > maxTimestamp) throw new InvalidBlockError('The timestamp is beyond all dates.')
  return seconds
}

function requireAmount(value: unknown): bigint {
  const written = toLowerCase(value)
  if (!quantityPattern.test(written)) throw new InvalidBlockError('The value is invalid.')
  return BigInt(written)
}
