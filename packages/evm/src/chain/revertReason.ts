import { getField, type ContractError } from '@latchkey/protocol'
import { BaseError, decodeErrorResult, isHex, numberToHex, type Abi, type Client, type TransactionReceipt } from 'viem'
import { getTransaction } from 'viem/actions'

const unknownReason = 'unknown reason'

/** Errors of every contract, and of tokens (ERC-6093). Decoding other errors needs the interface of the contract. */
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

/**
 * Runs a reverted transaction again as a call in its block, to find the reason.
 *
 * @param abi the interface of the called contract, if the app passed it
 */
export async function findRevertReason(
  client: Client,
  { transactionHash: hash, blockNumber }: TransactionReceipt,
  abi: readonly unknown[] = [],
): Promise<{ reason: string; error?: ContractError }> {
  try {
    const { from, to, input: data, value, gas } = await getTransaction(client, { hash })
    const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas) }
    await client.request({ method: 'eth_call', params: [call, numberToHex(blockNumber)] })
    return { reason: unknownReason }
  } catch (error) {
    const decoded = decodeContractError(abi, findRevertData(error))
    return { reason: parseReason(error) ?? decoded?.name ?? unknownReason, error: decoded }
  }
}

/** Decodes the error of a contract with the interface of the app. */
function decodeContractError(abi: readonly unknown[], data: unknown): ContractError | undefined {
  if (!isHex(data)) return undefined
  try {
    // The type of an ABI that is not known at compile time is a list of unknown values. viem reads it as an ABI.
    const { errorName: name, args = [] } = decodeErrorResult({ abi: [...commonErrors, ...(abi as Abi)], data })
    return { name, args }
  } catch {
    return undefined
  }
}

/** Finds the revert reason in a node's error. */
function parseReason(error: unknown): string | undefined {
  const reason =
    decodeRevertData(findRevertData(error)) ?? /reverted: (?!custom error)(.+)/.exec(getNodeMessage(error))?.[1]
  const line = toOneLine(reason ?? '', 200)
  return line === '' ? undefined : line
}

/** Shortens a reason to one line. A contract can return any string. */
export function toOneLine(text: string, length: number): string {
  return text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, length)
}

/** Returns the reason why a node refused a request, or `undefined` if the node was not reached. */
export function findRefusalReason(error: unknown): string | undefined {
  const reason = parseReason(error)
  if (reason !== undefined) return reason
  if (typeof getField(findInnermostError(error), 'code') !== 'number') return undefined
  const message = toOneLine(getNodeMessage(error), 200)
  return message === '' || /revert/i.test(message) ? unknownReason : message
}

function decodeRevertData(data: unknown): string | undefined {
  if (!isHex(data)) return undefined
  try {
    const { errorName, args } = decodeErrorResult({ abi: commonErrors, data })
    if (errorName === 'Panic') return `panic 0x${args[0].toString(16)}`
    return errorName === 'Error' ? args[0] : errorName
  } catch {
    return undefined
  }
}

/** Nodes return the revert data in `data`, or one level deeper. */
function findRevertData(error: unknown): unknown {
  const data = getField(findInnermostError(error), 'data')
  return getField(data, 'data') ?? data
}

function getNodeMessage(error: unknown): string {
  const message = getField(findInnermostError(error), 'details') ?? getField(error, 'message')
  return typeof message === 'string' ? message : ''
}

function findInnermostError(error: unknown): unknown {
  return error instanceof BaseError
    ? (error.walk((cause) => getField(cause, 'data') !== undefined) ??
        error.walk((cause) => getField(cause, 'code') !== undefined) ??
        error)
    : error
}
