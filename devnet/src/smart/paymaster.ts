import { concat, createPublicClient, encodeAbiParameters, http, isHex, numberToHex, size, type Hex } from 'viem'
import { toPackedUserOperation, type UserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { paymasterKey } from '../accounts.ts'
import { JsonRpcError, readRecord, type Methods } from '../solana/jsonRpc.ts'
import { readSmartArtifacts } from './artifacts.ts'
import type { LocalSmartAccounts } from './deploySmartAccounts.ts'

/** A chain on which the paymaster has its deposit. */
export type PaidChain = { chainId: number; rpcUrl: string; smartAccounts: LocalSmartAccounts }

/** The validity of a signature, in seconds. */
const lasts = 600
/** The gas limits of the paymaster: for its signature check, and none after the operation. */
const verificationGas = 100_000n
const refused = -32_602
const numbers = ['nonce', 'callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas'] as const

/**
 * The methods of a paymaster service (ERC-7677). It sponsors every operation on the configured chains.
 *
 * @param now milliseconds since the epoch, as the chains count
 */
export function paymasterMethods(chains: readonly PaidChain[], now: () => number): Methods {
  const signer = privateKeyToAccount(paymasterKey)
  const within = () => ({ validAfter: 0, validUntil: Math.floor(now() / 1_000) + lasts })
  return {
    pm_getPaymasterStubData([, entryPoint, chainId]) {
      const { smartAccounts } = chainOf(chains, chainId, entryPoint)
      // Has the length and byte values of a real signature, so that its gas cost is the same.
      return { ...responseOf(smartAccounts, within(), stubSignature), isFinal: false }
    },
    async pm_getPaymasterData([operation, entryPoint, chainId]) {
      const chain = chainOf(chains, chainId, entryPoint)
      const times = within()
      const hash = await hashOf(chain, readOperation(operation), times)
      return responseOf(chain.smartAccounts, times, await signer.signMessage({ message: { raw: hash } }))
    },
  }
}

type Times = { validAfter: number; validUntil: number }

/** A valid signature of other data: the contract's check reverts on malformed ones. */
const stubSignature: Hex =
  '0xa8494a866b67584d4fc3704e97c0dfe3cf07f39b7f33d865e4e4e8ca24e521891b47ad72030403d0e83bf92fe0ee7cc4ba94288722d4b599102dd908339239681b'

function responseOf({ paymaster }: LocalSmartAccounts, times: Times, signature: Hex) {
  return {
    paymaster,
    paymasterData: concat([encodeTimes(times), signature]),
    paymasterVerificationGasLimit: numberToHex(verificationGas),
    paymasterPostOpGasLimit: numberToHex(0n),
  }
}

function encodeTimes({ validAfter, validUntil }: Times): Hex {
  return encodeAbiParameters([{ type: 'uint48' }, { type: 'uint48' }], [validUntil, validAfter])
}

/** The hash to sign, computed by the contract. */
async function hashOf({ rpcUrl, smartAccounts }: PaidChain, operation: UserOperation<'0.7'>, times: Times) {
  const { paymaster } = smartAccounts
  const { abi } = (await readSmartArtifacts()).paymaster
  const userOp = toPackedUserOperation({
    ...operation,
    paymaster,
    paymasterVerificationGasLimit: verificationGas,
    paymasterPostOpGasLimit: 0n,
    paymasterData: concat([encodeTimes(times), stubSignature]),
  })
  const args = [userOp, times.validUntil, times.validAfter]
  const client = createPublicClient({ transport: http(rpcUrl) })
  const hash = await client.readContract({ address: paymaster, abi, functionName: 'getHash', args })
  if (!isHex(hash) || size(hash) !== 32) throw new JsonRpcError(-32_603, 'The paymaster contract did not respond.')
  return hash
}

function chainOf(chains: readonly PaidChain[], chainId: unknown, entryPoint: unknown): PaidChain {
  const chain = chains.find(({ chainId: id }) => isQuantity(chainId) && BigInt(chainId) === BigInt(id))
  if (chain === undefined) throw new JsonRpcError(refused, 'Nothing is paid on this chain.')
  if (String(entryPoint).toLowerCase() !== chain.smartAccounts.entryPoint.toLowerCase())
    throw new JsonRpcError(refused, 'Nothing is paid with this entry point.')
  return chain
}

function readOperation(value: unknown): UserOperation<'0.7'> {
  const operation = readRecord(value)
  const { sender, callData, factory, factoryData } = operation
  if (!isHex(sender) || !isHex(callData)) throw new JsonRpcError(refused, 'This is not a user operation.')
  const [nonce = 0n, callGasLimit = 0n, verificationGasLimit = 0n, preVerificationGas = 0n, maxFeePerGas = 0n] =
    numbers.map((name) => parseQuantity(operation[name]))
  return {
    sender,
    callData,
    nonce,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    maxFeePerGas,
    maxPriorityFeePerGas: parseQuantity(operation['maxPriorityFeePerGas']),
    ...(isHex(factory) && isHex(factoryData) ? { factory, factoryData } : {}),
    signature: '0x',
  }
}

function parseQuantity(value: unknown): bigint {
  if (!isQuantity(value)) throw new JsonRpcError(refused, 'This is not a user operation.')
  return BigInt(value)
}

const isQuantity = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
