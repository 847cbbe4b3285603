import type { Clock } from '@latchkey/core'
import { getField, getListField, getStringField, type Network } from '@latchkey/protocol'
import { requestEsploraJson } from './esplora.ts'
import { parseSatoshis } from './getBitcoinBalance.ts'

/** A transaction as a source reports it. */
export type ChainTransaction = {
  readonly txid: string
  /** The height of its block; undefined while it is pending. */
  readonly height: bigint | undefined
  /** Satoshis. */
  readonly fee: bigint | undefined
  readonly inputs: readonly ChainInput[]
  readonly outputs: readonly ChainOutput[]
}

type ChainInput = {
  /** The output that is spent: `txid:index`. */
  readonly spends: string | undefined
  readonly address: string | undefined
}

type ChainOutput = { readonly address: string | undefined; readonly amount: bigint | undefined }

/** True for a transaction id in the form of a path. */
export function isTransactionIdText(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/**
 * Looks up a transaction.
 *
 * @returns undefined if the source does not know it
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getChainTransaction(
  network: Network,
  txid: string,
  clock: Clock | undefined,
): Promise<ChainTransaction | undefined> {
  const id = txid.toLowerCase()
  if (!isTransactionIdText(id)) return undefined
  return parseChainTransaction(await requestEsploraJson(network, `tx/${id}`, clock))
}

/** Lists the latest transactions of an address, pending ones included. */
export async function listChainTransactions(
  network: Network,
  address: string,
  clock: Clock | undefined,
): Promise<readonly ChainTransaction[]> {
  const listed = getListField(await requestEsploraJson(network, `address/${address}/txs`, clock))
  return listed.map(parseChainTransaction).filter((each) => each !== undefined)
}

/**
 * Returns the transaction in a block that spends an output.
 *
 * @param output `txid:index`
 * @returns undefined while the output is unspent or its spender is pending
 */
export async function findConfirmedSpender(
  network: Network,
  output: string,
  clock: Clock | undefined,
): Promise<ChainTransaction | undefined> {
  const [, txid, index] = /^([0-9a-f]{64}):(\d{1,10})$/.exec(output) ?? []
  if (txid === undefined) return undefined
  const spending = await requestEsploraJson(network, `tx/${txid}/outspend/${index}`, clock)
  const spender = getStringField(spending, 'txid')
  if (spender === undefined || getField(spending, 'status', 'confirmed') !== true) return undefined
  return getChainTransaction(network, spender, clock)
}

function parseChainTransaction(value: unknown): ChainTransaction | undefined {
  const txid = getStringField(value, 'txid')
  if (txid === undefined || !isTransactionIdText(txid)) return undefined
  const height = getField(value, 'status', 'block_height')
  const isMined = getField(value, 'status', 'confirmed') === true && Number.isSafeInteger(height)
  return {
    txid,
    height: isMined ? BigInt(Number(height)) : undefined,
    fee: parseSatoshis(getField(value, 'fee')),
    inputs: getListField(value, 'vin').map(parseInput),
    outputs: getListField(value, 'vout').map((output) => ({
      address: getStringField(output, 'scriptpubkey_address'),
      amount: parseSatoshis(getField(output, 'value')),
    })),
  }
}

function parseInput(input: unknown): ChainInput {
  const [txid, index] = [getStringField(input, 'txid'), getField(input, 'vout')]
  const isOutput = txid !== undefined && isTransactionIdText(txid) && Number.isSafeInteger(index) && Number(index) >= 0
  return {
    spends: isOutput ? `${txid}:${Number(index)}` : undefined,
    address: getStringField(getField(input, 'prevout'), 'scriptpubkey_address'),
  }
}
