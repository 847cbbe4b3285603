import { LatchkeyError, type Network } from '@latchkey/protocol'
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
import { readRefusal } from '../revertReason.ts'
import { unreachableIn } from '../readers.ts'
import type { TransferCall } from './callOf.ts'

/** What a transaction is sent with, and the most that it then costs. */
export type Plan = { gas: bigint; price: Price; most: bigint }

/** A price per gas: of a market with a base fee (EIP-1559), or of an older one. */
export type Price = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | { gasPrice: bigint }

/** A payment without data costs this, and nothing else: then there is nothing to be on the safe side of. */
const plainGas = 21_000n

/** Contracts find other states than they were estimated in: a quarter more. */
const spareGas = { of: 5n, per: 4n } as const

/** The base fee rises by an eighth a block at most: this covers three full blocks. */
const spareBase = { of: 3n, per: 2n } as const

/**
 * What a transaction would be sent with now. All is asked at once: one trip to the network.
 *
 * @param oracle where a rollup tells what its data costs on the chain below
 * @throws LatchkeyError `transaction/reverted` with the reason when it would fail, `rpc/unreachable`.
 */
export async function makePlan(
  reader: Client,
  network: Network,
  { call, oracle }: { call: TransferCall; oracle: Address | undefined },
): Promise<Plan> {
  const [work, price, below] = await Promise.all([
    estimateGas(reader, network, call),
    readPrice(reader, network),
    oracle === undefined ? 0n : readCostBelow(reader, network, { call, oracle }),
  ])
  const gas = work === plainGas ? work : (work * spareGas.of) / spareGas.per
  return { gas, price, most: gas * mostPerGas(price) + below }
}

/** The most that a unit of gas costs. */
export function mostPerGas(price: Price): bigint {
  return 'gasPrice' in price ? price.gasPrice : price.maxFeePerGas
}

/** The price of the market now. */
export async function readPrice(reader: Client, network: Network): Promise<Price> {
  const [block, tip, gasPrice] = await Promise.all([
    reader.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }).catch(refused(network)),
    reader.request({ method: 'eth_maxPriorityFeePerGas' }).catch(() => undefined),
    reader.request({ method: 'eth_gasPrice' }).catch(refused(network)),
  ])
  const base = readQuantity(block?.baseFeePerGas)
  const current = readQuantity(gasPrice)
  if (base === undefined && current === undefined) throw new LatchkeyError('rpc/unreachable', { network: network.name })
  if (base === undefined) return { gasPrice: current ?? 0n }
  const maxPriorityFeePerGas = readQuantity(tip) ?? tipIn(current, base)
  return { maxFeePerGas: (base * spareBase.of) / spareBase.per + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

/** What is in the price of a node above the base fee, where it does not tell the tip itself. */
function tipIn(current: bigint | undefined, base: bigint): bigint {
  return current === undefined || current < base ? 0n : current - base
}

/** A payment of more than there is, is measured as one of nothing: whether it is too much is not asked here. */
async function estimateGas(reader: Client, network: Network, call: TransferCall): Promise<bigint> {
  const ask = async (value: bigint): Promise<bigint | undefined> =>
    readQuantity(
      await reader.request({
        method: 'eth_estimateGas',
        params: [{ from: call.from, to: call.to, value: numberToHex(value), data: call.data }],
      }),
    )
  try {
    const answer = await ask(call.value).catch((error: unknown) => {
      if (call.value > 0n && isShort(error)) return ask(0n)
      throw error
    })
    if (answer !== undefined) return answer
  } catch (error) {
    throw failureOf(error, network)
  }
  throw new LatchkeyError('rpc/unreachable', { network: network.name })
}

function isShort(error: unknown): boolean {
  return error instanceof BaseError && /insufficient|exceeds balance|not enough/i.test(error.details)
}

/** What kept a network from telling: the contract's own reason, or that nobody answers. */
export function failureOf(error: unknown, network: Network): LatchkeyError {
  const unreachable = unreachableIn(error)
  if (unreachable !== undefined) return unreachable
  const reason = readRefusal(error)
  if (reason === undefined) return new LatchkeyError('rpc/unreachable', { network: network.name }, { cause: error })
  return new LatchkeyError('transaction/reverted', { hash: undefined, reason }, { cause: error })
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

/** Stands for numbers that are not known yet, as long as they can be: the price is for the bytes of the transaction. */
const longNumber = 2n ** 64n - 1n

/** What the chain below takes for the bytes of a transaction. It changes by itself: a quarter more. */
async function readCostBelow(
  reader: Client,
  network: Network,
  { call, oracle }: { call: TransferCall; oracle: Address },
): Promise<bigint> {
  const bytes = serializeTransaction({
    type: 'eip1559',
    chainId: Number(network.id),
    nonce: 0xff_ff_ff,
    gas: 0xff_ff_ffn,
    maxFeePerGas: longNumber,
    maxPriorityFeePerGas: longNumber,
    to: call.to,
    value: call.value,
    data: call.data,
  })
  const data = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1Fee', args: [bytes] })
  const answer: unknown = await reader
    .request({ method: 'eth_call', params: [{ to: oracle, data }, 'latest'] })
    .catch((error: unknown) => {
      throw failureOf(error, network)
    })
  return ((readQuantity(answer) ?? 0n) * spareGas.of) / spareGas.per
}

function refused(network: Network): (error: unknown) => never {
  return (error) => {
    throw unreachableIn(error) ?? new LatchkeyError('rpc/unreachable', { network: network.name }, { cause: error })
  }
}

/** A number of a node; undefined for what is none. */
export function readQuantity(answer: unknown): bigint | undefined {
  return isHex(answer) && answer !== '0x' ? BigInt(answer) : undefined
}

/** A price as a wallet is told it. */
export function writePrice(price: Price): Readonly<Record<string, Hex>> {
  return Object.fromEntries(Object.entries(price).map(([name, value]) => [name, numberToHex(value)]))
}
