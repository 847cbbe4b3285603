import type { Balance, Receipt } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError, type Network } from '@latchkey/protocol'
import {
  BaseError,
  CallExecutionError,
  getAddress,
  isHash,
  isHex,
  WaitForTransactionReceiptTimeoutError,
  type Hash,
  type PublicClient,
} from 'viem'
import { readerOf, type Readers } from './readers.ts'

/** The native balance of an address. */
export async function getBalance(readers: Readers, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const value = await ofChain(network, readerOf(readers, network).getBalance({ address: getAddress(address) }))
  return { value, decimals, symbol }
}

/** Whether a signature is that of an address: a key's (EIP-191), or a contract's (EIP-1271, EIP-6492). */
export async function verifyMessage(
  readers: Readers,
  network: Network,
  address: string,
  message: string,
  signature: string,
): Promise<boolean> {
  if (!isHex(signature)) return false
  const reader = readerOf(readers, network)
  return ofChain(network, reader.verifyMessage({ address: getAddress(address), message, signature }))
}

/** Waits until a transaction is mined; a reverted one is told with the reason the chain gives. */
export async function waitForReceipt(
  readers: Readers,
  network: Network,
  hash: string,
  { timeout, signal }: { timeout: number; signal?: AbortSignal },
): Promise<Receipt> {
  if (!isHash(hash)) throw new LatchkeyError('transaction/reverted', { hash: undefined, reason: 'this is no hash' })
  const reader = readerOf(readers, network)
  const receipt = await orAbort(reader.waitForTransactionReceipt({ hash, timeout, retryCount: 6 }), signal).catch(
    (cause: unknown) => {
      if (isUnreachable(cause) !== undefined) throw isUnreachable(cause)
      if (
        cause instanceof WaitForTransactionReceiptTimeoutError ||
        signal?.aborted === true ||
        cause instanceof BaseError
      ) {
        throw new LatchkeyError('transaction/pending', { hash, seconds: Math.round(timeout / 1000) }, { cause })
      }
      throw cause
    },
  )
  if (receipt.status === 'success') return { hash: receipt.transactionHash, blockNumber: receipt.blockNumber }
  const reason = await findReason(reader, receipt.transactionHash, receipt.blockNumber)
  throw new LatchkeyError('transaction/reverted', { hash: receipt.transactionHash, reason })
}

/** Runs a reverted transaction again as a call, in the block it was in, and listens to what it says. */
async function findReason(reader: PublicClient, hash: Hash, blockNumber: bigint): Promise<string> {
  const unknown = 'unknown reason'
  try {
    const { from: account, to, input: data, value, gas } = await reader.getTransaction({ hash })
    await reader.call({ account, to, data, value, gas, blockNumber })
    return unknown
  } catch (error) {
    if (!(error instanceof CallExecutionError)) return unknown
    const said = error.walk((cause) => typeof Reflect.get(cause as object, 'reason') === 'string')
    const reason: unknown = said === null ? undefined : Reflect.get(said, 'reason')
    return typeof reason === 'string' && reason !== ''
      ? reason
      : (/reverted with reason: (.+?)\.?$/m.exec(error.shortMessage)?.[1] ?? unknown)
  }
}

/** What viem wraps around our own error is taken off again. */
async function ofChain<result>(network: Network, reading: Promise<result>): Promise<result> {
  try {
    return await reading
  } catch (error) {
    throw isUnreachable(error) ?? new LatchkeyError('rpc/unreachable', { network: network.name }, { cause: error })
  }
}

function isUnreachable(error: unknown): LatchkeyError | undefined {
  if (isLatchkeyError(error)) return error
  const inner = error instanceof BaseError ? error.walk((cause) => isLatchkeyError(cause)) : undefined
  return isLatchkeyError(inner) ? inner : undefined
}

function orAbort<result>(promise: Promise<result>, signal: AbortSignal | undefined): Promise<result> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
