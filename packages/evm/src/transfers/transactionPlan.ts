import { type Network, transactionError, networkError, type LatchkeyError } from '@latchkey/protocol'
import {
  BaseError,
  encodeFunctionData,
  isHex,
  numberToHex,
  serializeTransaction,
  type Address,
  type Client,
  type Hex,
} from 'viem'
import { findRefusalReason } from '../chain/revertReason.ts'
import { findLatchkeyError } from '../chain/evmClients.ts'
import type { TransferCall } from './transferCall.ts'

/** The gas limit and price of a transaction, and the highest cost that results, in base units. */
export type TransactionPlan = { gas: bigint; price: GasPrice; maxCost: bigint }

/** A gas price, with a base fee (EIP-1559) or without. */
export type GasPrice = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | { gasPrice: bigint }

/** The gas of a payment without data. It is exact, so it needs no margin. */
const plainGas = 21_000n

/** A margin of a quarter: the state may change after the estimate. */
const gasMargin = { of: 5n, per: 4n } as const

/** The base fee rises by at most an eighth per block. This margin covers three full blocks. */
const baseFeeMargin = { of: 3n, per: 2n } as const

/**
 * Plans a transaction at current prices. All requests are sent at the same time.
 *
 * @param oracle the contract that reports a rollup's L1 data fee
 * @throws LatchkeyError `transaction/reverted` with the reason if it would fail, `rpc/unreachable`
 */
export async function planTransaction(
  client: Client,
  network: Network,
  { call, oracle }: { call: TransferCall; oracle: Address | undefined },
): Promise<TransactionPlan> {
  const [estimate, price, dataFee] = await Promise.all([
    estimateGas(client, network, call),
    getGasPrice(client, network),
    oracle === undefined ? 0n : getL1DataFee(client, network, { call, oracle }),
  ])
  const gas = estimate === plainGas ? estimate : (estimate * gasMargin.of) / gasMargin.per
  return { gas, price, maxCost: gas * maxPricePerGas(price) + dataFee }
}

/** Returns the highest price per unit of gas. */
export function maxPricePerGas(price: GasPrice): bigint {
  return 'gasPrice' in price ? price.gasPrice : price.maxFeePerGas
}

/** Reads the current gas price. */
export async function getGasPrice(client: Client, network: Network): Promise<GasPrice> {
  const [block, tip, gasPrice] = await Promise.all([
    client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }).catch(throwUnreachable(network)),
    client.request({ method: 'eth_maxPriorityFeePerGas' }).catch(() => undefined),
    client.request({ method: 'eth_gasPrice' }).catch(throwUnreachable(network)),
  ])
  const base = parseQuantity(block?.baseFeePerGas)
  const current = parseQuantity(gasPrice)
  if (base === undefined && current === undefined) throw networkError('rpc/unreachable', { network: network.name })
  if (base === undefined) return { gasPrice: current ?? 0n }
  const maxPriorityFeePerGas = parseQuantity(tip) ?? findPriorityFee(current, base)
  return { maxFeePerGas: (base * baseFeeMargin.of) / baseFeeMargin.per + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

/** Derives the priority fee from the node's gas price, if the node does not report the fee itself. */
function findPriorityFee(current: bigint | undefined, base: bigint): bigint {
  return current === undefined || current < base ? 0n : current - base
}

/** A payment above the balance is estimated with the amount 0. The balance is checked elsewhere. */
async function estimateGas(client: Client, network: Network, call: TransferCall): Promise<bigint> {
  const request = async (value: bigint): Promise<bigint | undefined> =>
    parseQuantity(
      await client.request({
        method: 'eth_estimateGas',
        params: [{ from: call.from, to: call.to, value: numberToHex(value), data: call.data }],
      }),
    )
  try {
    const estimate = await request(call.value).catch((error: unknown) => {
      if (call.value > 0n && isInsufficientFunds(error)) return request(0n)
      throw error
    })
    if (estimate !== undefined) return estimate
  } catch (error) {
    throw toTransferError(error, network)
  }
  throw networkError('rpc/unreachable', { network: network.name })
}

function isInsufficientFunds(error: unknown): boolean {
  return error instanceof BaseError && /insufficient|exceeds balance|not enough/i.test(error.details)
}

/** Translates the error of a request: the contract's revert reason, or an unreachable network. */
export function toTransferError(error: unknown, network: Network): LatchkeyError {
  const unreachable = findLatchkeyError(error)
  if (unreachable !== undefined) return unreachable
  const reason = findRefusalReason(error)
  if (reason === undefined) return networkError('rpc/unreachable', { network: network.name }, { cause: error })
  return transactionError('transaction/reverted', { hash: undefined, reason }, { cause: error })
}

const oracleAbi = [
  {
    type: 'function',
    name: 'getL1Fee',
    stateMutability: 'view',
    inputs: [{ name: 'transaction', type: 'bytes' }],
    outputs: [{ type: 'uint256' }],
  },
] as const

/** A placeholder of the greatest length for unknown numbers: the fee depends on the size of the transaction. */
const placeholder = 2n ** 64n - 1n

/** Reads the L1 data fee of a transaction, with a margin of a quarter because the fee changes. */
export async function getL1DataFee(
  client: Client,
  network: Network,
  { call, oracle }: { call: TransferCall; oracle: Address },
): Promise<bigint> {
  const bytes = serializeTransaction({
    type: 'eip1559',
    chainId: Number(network.id),
    nonce: 0xff_ff_ff,
    gas: 0xff_ff_ffn,
    maxFeePerGas: placeholder,
    maxPriorityFeePerGas: placeholder,
    to: call.to,
    value: call.value,
    data: call.data,
  })
  const data = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1Fee', args: [bytes] })
  const response: unknown = await client
    .request({ method: 'eth_call', params: [{ to: oracle, data }, 'latest'] })
    .catch((error: unknown) => {
      throw toTransferError(error, network)
    })
  return ((parseQuantity(response) ?? 0n) * gasMargin.of) / gasMargin.per
}

function throwUnreachable(network: Network): (error: unknown) => never {
  return (error) => {
    throw findLatchkeyError(error) ?? networkError('rpc/unreachable', { network: network.name }, { cause: error })
  }
}

/** Parses a number from a node. Returns `undefined` if the value is not a number. */
export function parseQuantity(value: unknown): bigint | undefined {
  return isHex(value) && value !== '0x' ? BigInt(value) : undefined
}

/** Formats a gas price for a wallet. */
export function formatGasPrice(price: GasPrice): Readonly<Record<string, Hex>> {
  return Object.fromEntries(Object.entries(price).map(([name, value]) => [name, numberToHex(value)]))
}
