import { kinds, nobody, type Block, type Hex, type Transaction, type Transfer } from './block.ts'
import { readLog } from './readLog.ts'

/** A node told something that cannot be a block. */
export class BadBlock extends Error {
  override readonly name: string = 'BadBlock'
}

const hashPattern = /^0x[0-9a-f]{64}$/
const addressPattern = /^0x[0-9a-f]{40}$/
const quantityPattern = /^0x[0-9a-f]{1,64}$/

/**
 * Reads a block and the receipts of its transactions as a node tells them (`eth_getBlockByNumber` with transactions,
 * `eth_getBlockReceipts`).
 *
 * @throws BadBlock when they do not fit each other or are not what was asked for
 */
export function readBlock(number: number, told: unknown, receipts: unknown): Block {
  const block = record(told, 'a block')
  if (quantity(block['number'], 'number') !== number) throw new BadBlock('The node told another block.')
  const transactions = list(block['transactions'], 'transactions')
  const answers = list(receipts, 'receipts')
  if (transactions.length !== answers.length) throw new BadBlock('The receipts are of another block.')
  const hash = text(block['hash'], hashPattern, 'hash')
  return {
    number,
    hash,
    parent: text(block['parentHash'], hashPattern, 'parentHash'),
    minedAt: quantity(block['timestamp'], 'timestamp') * 1_000,
    transactions: transactions.map((each, position) => readTransaction(each, answers[position], position, hash)),
  }
}

function readTransaction(told: unknown, answer: unknown, position: number, blockHash: Hex): Transaction {
  const transaction = record(told, 'a transaction')
  const receipt = record(answer, 'a receipt')
  const hash = text(transaction['hash'], hashPattern, 'transaction hash')
  if (lower(receipt['transactionHash']) !== hash || lower(receipt['blockHash']) !== blockHash) {
    throw new BadBlock('A receipt is of another transaction.')
  }
  const sender = text(transaction['from'], addressPattern, 'from')
  const receiver = optional(transaction['to'], addressPattern, 'to')
  const created = receiver === undefined ? optional(receipt['contractAddress'], addressPattern, 'contract') : undefined
  const succeeded = lower(receipt['status']) !== '0x0'
  const value = amount(transaction['value'])
  const input = lower(transaction['input'])
  const target = receiver ?? created
  const native: readonly Transfer[] =
    succeeded && value > 0n && target !== undefined
      ? [{ ordinal: 0, kind: kinds.native, token: nobody, sender, receiver: target, tokenId: undefined, amount: value }]
      : []
  return {
    position,
    hash,
    sender,
    receiver,
    created,
    value,
    nonce: quantity(transaction['nonce'], 'nonce'),
    method: input.length >= 10 && receiver !== undefined ? (input.slice(0, 10) as Hex) : undefined,
    succeeded,
    transfers: [...native, ...readLogs(receipt['logs'])],
  }
}

/** The native transfer is the first; logs follow in their order, several movements of one log beside each other. */
function readLogs(logs: unknown): readonly Transfer[] {
  const found = list(logs, 'logs').flatMap(readLog)
  return found.map((transfer, index) => ({ ...transfer, ordinal: index + 1 }))
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadBlock(`This is not ${what}.`)
  // An object's fields may be anything; each is looked at below.
  return value as Readonly<Record<string, unknown>>
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadBlock(`There are no ${what}.`)
  return value
}

function lower(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}

function text(value: unknown, pattern: RegExp, what: string): Hex {
  const written = lower(value)
  if (!pattern.test(written)) throw new BadBlock(`This is no ${what}.`)
  return written as Hex
}

function optional(value: unknown, pattern: RegExp, what: string): Hex | undefined {
  return value === null || value === undefined ? undefined : text(value, pattern, what)
}

function quantity(value: unknown, what: string): number {
  const written = lower(value)
  const number = quantityPattern.test(written) ? Number(written) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new BadBlock(`This is no ${what}.`)
  return number
}

function amount(value: unknown): bigint {
  const written = lower(value)
  if (!quantityPattern.test(written)) throw new BadBlock('This is no value.')
  return BigInt(written)
}
