import { BaseError, decodeErrorResult, isHex, numberToHex, type Client, type TransactionReceipt } from 'viem'
import { getTransaction } from 'viem/actions'

const unknownReason = 'unknown reason'

/**
 * What every contract may revert with, and tokens by their standard (ERC-6093); its own errors only its own interface
 * could name.
 */
const commonErrors = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'reason', type: 'uint256' }] },
  {
    type: 'error',
    name: 'ERC20InsufficientBalance',
    inputs: [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
  },
  { type: 'error', name: 'ERC20InvalidReceiver', inputs: [{ type: 'address' }] },
  { type: 'error', name: 'EnforcedPause', inputs: [] },
] as const

/** Runs a reverted transaction again as a call, in the block it was in, and listens to what it says. */
export async function findRevertReason(
  reader: Client,
  { transactionHash: hash, blockNumber }: TransactionReceipt,
): Promise<string> {
  try {
    const { from, to, input: data, value, gas } = await getTransaction(reader, { hash })
    const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) }
    await reader.request({ method: 'eth_call', params: [call, numberToHex(blockNumber)] })
    return unknownReason
  } catch (error) {
    return readReason(error) ?? unknownReason
  }
}

/** The reason in what a node answers; undefined when it gives none. */
function readReason(error: unknown): string | undefined {
  const reason = decode(revertData(error)) ?? /reverted: (?!custom error)(.+)/.exec(nodeMessage(error))?.[1]
  const shown = oneLine(reason ?? '', 200)
  return shown === '' ? undefined : shown
}

/** A contract's text is anybody's text: it is made short, and kept to one line. */
export function oneLine(text: string, length: number): string {
  return text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, length)
}

/** Why a question was refused by a node that runs; undefined when it is the way there that failed. */
export function readRefusal(error: unknown): string | undefined {
  const said = readReason(error)
  if (said !== undefined) return said
  if (typeof fieldOf(innermost(error), 'code') !== 'number') return undefined
  const message = oneLine(nodeMessage(error), 200)
  return message === '' || /revert/i.test(message) ? unknownReason : message
}

function decode(data: unknown): string | undefined {
  if (!isHex(data)) return undefined
  try {
    const { errorName, args } = decodeErrorResult({ abi: commonErrors, data })
    if (errorName === 'Panic') return `panic 0x${args[0].toString(16)}`
    return errorName === 'Error' ? args[0] : errorName
  } catch {
    return undefined
  }
}

/** Nodes put the revert's bytes at `data`, or one level deeper. */
function revertData(error: unknown): unknown {
  const data = fieldOf(innermost(error), 'data')
  return fieldOf(data, 'data') ?? data
}

function nodeMessage(error: unknown): string {
  const message = fieldOf(innermost(error), 'details') ?? fieldOf(error, 'message')
  return typeof message === 'string' ? message : ''
}

function innermost(error: unknown): unknown {
  return error instanceof BaseError
    ? (error.walk((cause) => fieldOf(cause, 'data') !== undefined) ??
        error.walk((cause) => fieldOf(cause, 'code') !== undefined) ??
        error)
    : error
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
