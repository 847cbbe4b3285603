import {
  createBigintColumn,
  createBooleanColumn,
  createByteaColumn,
  createIntegerColumn,
  createNumericColumn,
  createSmallintColumn,
} from '../kit/database/arrayColumn.ts'
import type { Block, Hex } from './block.ts'
import type { Holding } from './getHoldings.ts'

/** The rows of blocks, as parameters of a statement in a fixed order. */
type EncodedBlocks = readonly Buffer[]

/** Encodes the number and hash of blocks: 2 columns. */
export function encodeBlockHashes(blocks: readonly Block[]): EncodedBlocks {
  const columns = { number: createBigintColumn(), hash: createByteaColumn() }
  for (const { number, hash } of blocks) {
    columns.number.add(number)
    columns.hash.add(hash)
  }
  return [columns.number.encode(), columns.hash.encode()]
}

/** Encodes transactions: 11 columns. */
export function encodeTransactions(blocks: readonly Block[]): EncodedBlocks {
  const columns = {
    block: createBigintColumn(),
    position: createIntegerColumn(),
    hash: createByteaColumn(),
    minedAt: createBigintColumn(),
    sender: createByteaColumn(),
    receiver: createByteaColumn(),
    created: createByteaColumn(),
    value: createNumericColumn(),
    nonce: createBigintColumn(),
    method: createByteaColumn(),
    succeeded: createBooleanColumn(),
  }
  for (const { number, minedAt, transactions } of blocks) {
    for (const each of transactions) {
      columns.block.add(number)
      columns.position.add(each.position)
      columns.hash.add(each.hash)
      columns.minedAt.add(minedAt)
      columns.sender.add(each.sender)
      columns.receiver.add(each.receiver)
      columns.created.add(each.created)
      columns.value.add(each.value)
      columns.nonce.add(each.nonce)
      columns.method.add(each.method)
      columns.succeeded.add(each.succeeded)
    }
  }
  return Object.values(columns).map((column) => column.encode())
}

/** Encodes transfers: 9 columns. */
export function encodeTransfers(blocks: readonly Block[]): EncodedBlocks {
  const columns = {
    block: createBigintColumn(),
    position: createIntegerColumn(),
    ordinal: createIntegerColumn(),
    kind: createSmallintColumn(),
    token: createByteaColumn(),
    sender: createByteaColumn(),
    receiver: createByteaColumn(),
    tokenId: createNumericColumn(),
    amount: createNumericColumn(),
  }
  for (const { number, transactions } of blocks) {
    for (const { position, transfers } of transactions) {
      for (const each of transfers) {
        columns.block.add(number)
        columns.position.add(position)
        columns.ordinal.add(each.ordinal)
        columns.kind.add(each.kind)
        columns.token.add(each.token)
        columns.sender.add(each.sender)
        columns.receiver.add(each.receiver)
        columns.tokenId.add(each.tokenId)
        columns.amount.add(each.amount)
      }
    }
  }
  return Object.values(columns).map((column) => column.encode())
}

/** Encodes the addresses whose history has a transaction: 4 columns. */
export function encodeActivity(blocks: readonly Block[]): EncodedBlocks {
  const columns = {
    address: createByteaColumn(),
    minedAt: createBigintColumn(),
    block: createBigintColumn(),
    position: createIntegerColumn(),
  }
  for (const { number, minedAt, transactions } of blocks) {
    for (const { position, touched } of transactions) {
      for (const address of touched) {
        columns.address.add(address)
        columns.minedAt.add(minedAt)
        columns.block.add(number)
        columns.position.add(position)
      }
    }
  }
  return Object.values(columns).map((column) => column.encode())
}

/** Encodes holdings: 6 columns. */
export function encodeHoldings(holdings: readonly Holding[]): EncodedBlocks {
  const columns = {
    address: createByteaColumn(),
    token: createByteaColumn(),
    kind: createSmallintColumn(),
    tokenId: createNumericColumn(),
    block: createBigintColumn(),
    signed: createBooleanColumn(),
  }
  for (const { transfer, block, isSigned } of holdings) {
    columns.address.add(transfer.receiver)
    columns.token.add(transfer.token)
    columns.kind.add(transfer.kind)
    columns.tokenId.add(transfer.tokenId ?? 0n)
    columns.block.add(block)
    columns.signed.add(isSigned)
  }
  return Object.values(columns).map((column) => column.encode())
}

/** The addresses that blocks concern. */
export function getConcernedAddresses(blocks: readonly Block[]): readonly Hex[] {
  const addresses = new Set<Hex>()
  for (const { transactions } of blocks) {
    for (const { touched } of transactions) for (const address of touched) addresses.add(address)
  }
  return [...addresses]
}
