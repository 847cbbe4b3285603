import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction'
import { parseTypedData } from '../approve/evm/typedData.ts'
import { getMember } from '../platform/getMember.ts'
import type { EvmOperation } from '../worker/keyHolder.ts'
import { callSpending } from './callSpending.ts'
import { joinSpendings, nothingSpent, unknownSpending, type Spending } from './spending.ts'

/**
 * Returns the spending of a user operation (ERC-4337). The signed data has only its hash, so an operation with another
 * hash counts as unknown.
 *
 * @param json the typed data that is signed
 */
export function operationSpending(json: string, { chainId, entryPoint, operation }: EvmOperation): Spending {
  const hash = getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: '0.7',
    userOperation: operation,
  })
  const { sender, callData, paymaster } = operation
  if (!signsOperation(json, { chainId, sender, hash })) return unknownSpending
  const chain = `eip155:${chainId}`
  const fee = { ...nothingSpent, amounts: [{ asset: chain, units: paymaster === undefined ? costOf(operation) : 0n }] }
  return joinSpendings([fee, callSpending(chain, { to: sender, value: 0n, data: callData })])
}

type SignedOperation = { readonly chainId: number; readonly sender: string; readonly hash: string }

/** True if the data has the account's domain and the hash, and nothing else: other types could mean anything. */
function signsOperation(json: string, { chainId, sender, hash }: SignedOperation): boolean {
  const { domain, message, primaryType, json: signed } = parseTypedData(json)
  const types = JSON.stringify(getMember(getMember(JSON.parse(signed), 'types'), primaryType))
  const contract = domain['verifyingContract']
  return (
    primaryType === 'UserOperation' &&
    types === '[{"name":"hash","type":"bytes32"}]' &&
    message['hash'] === hash &&
    String(domain['chainId']) === String(chainId) &&
    typeof contract === 'string' &&
    contract.toLowerCase() === sender.toLowerCase()
  )
}

/** Returns the maximum cost of an operation. */
function costOf(operation: UserOperation<'0.7'>): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas } = operation
  return (callGasLimit + verificationGasLimit + preVerificationGas) * maxFeePerGas
}
