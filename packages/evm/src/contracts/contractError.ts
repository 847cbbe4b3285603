import type { ContractCall } from '@latchkey/core'
import {
  contractError,
  getField,
  networkError,
  type ContractError,
  type LatchkeyError,
  type Network,
} from '@latchkey/protocol'
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  decodeErrorResult,
  isHex,
  type Abi,
} from 'viem'
import { findLatchkeyError } from '../chain/evmClients.ts'
import { toOneLine } from '../chain/revertReason.ts'

const maxReasonLength = 200

/** Returns the error of a contract that a failed call contains, or `undefined` if the contract did not revert. */
export function findRevert(error: unknown, { abi, functionName }: ContractCall): LatchkeyError | undefined {
  const reverted =
    error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : undefined
  if (!(reverted instanceof ContractFunctionRevertedError)) return findWalletRevert(error, { abi, functionName })
  const { data, reason, signature, shortMessage } = reverted
  const decoded = data && { name: data.errorName, args: data.args ?? [] }
  const text = reason ?? signature ?? shortMessage
  return createRevert(functionName, decoded, text, error)
}

/** Wallets put revert data in the error or in a nested one. */
function findWalletRevert(error: unknown, { abi, functionName }: Pick<ContractCall, 'abi' | 'functionName'>) {
  const data = findData(error)
  if (data === undefined) return undefined
  try {
    // The type of an ABI that is not known at compile time is a list of unknown values. viem reads it as an ABI.
    const { errorName, args } = decodeErrorResult({ abi: abi as Abi, data })
    return createRevert(functionName, { name: errorName, args: args ?? [] }, '', error)
  } catch {
    return undefined
  }
}

function findData(error: unknown, depth = 0): `0x${string}` | undefined {
  if (depth > 5 || typeof error !== 'object' || error === null) return undefined
  const data = getField(error, 'data')
  if (typeof data === 'string' && isHex(data) && data.length >= 10) return data
  return findData(data, depth + 1) ?? findData(getField(error, 'cause'), depth + 1)
}

function createRevert(
  functionName: string,
  decoded: ContractError | undefined,
  text: string,
  cause: unknown,
): LatchkeyError {
  const reason = toOneLine(decoded === undefined ? text : describeContractError(decoded), maxReasonLength)
  return contractError('contract/reverted', { functionName, reason, error: decoded }, { cause })
}

/** Formats a contract's error. The reasons of `Error` and `Panic` are shown without these names. */
function describeContractError({ name, args }: ContractError): string {
  if (name === 'Error' && args.length === 1) return String(args[0])
  if (name === 'Panic') return `panic 0x${BigInt(String(args[0])).toString(16)}`
  return args.length === 0 ? name : `${name}(${args.map(String).join(', ')})`
}

/** Converts a failed read to a LatchkeyError. */
export function toContractError(error: unknown, network: Network, call: ContractCall): LatchkeyError {
  const { functionName, address } = call
  const known = findLatchkeyError(error) ?? findRevert(error, call)
  if (known !== undefined) return known
  if (error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null) {
    return contractError('contract/not-found', { address, functionName }, { cause: error })
  }
  // Encoding and decoding errors occur locally, before any request.
  if (isInterfaceError(error)) return toInvalidCallError(functionName, error)
  return networkError('rpc/unreachable', { network: network.name }, { cause: error })
}

/** The error of a call that does not match its ABI. */
export function toInvalidCallError(functionName: string, cause: unknown): LatchkeyError {
  const reason = cause instanceof BaseError ? cause.shortMessage : String(cause)
  return contractError('contract/call-invalid', { functionName, reason: toOneLine(reason, maxReasonLength) }, { cause })
}

/** The names of the errors that viem's encoder throws start with these words. */
function isInterfaceError(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true
  return (
    error.walk((cause) => /^(Abi|Bytes|Invalid|Integer|Size|SliceOffset|Position)/.test(errorNameOf(cause))) !== null
  )
}

function errorNameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
