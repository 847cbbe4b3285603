import { isHex, type Hex } from 'viem'
import type { UserOperation } from 'viem/account-abstraction'

/** Entry points are the same contracts on every chain. */
const versions = {
  '0x0000000071727de22e5e9d8baf0edac6f37da032': '0.7',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108': '0.8',
} as const

/** Gets the version of user operations that an entry point accepts, or `undefined` if it is unknown. */
export function getEntryPointVersion(entryPoint: string): '0.7' | '0.8' | undefined {
  const address = entryPoint.toLowerCase()
  return address in versions ? versions[address as keyof typeof versions] : undefined
}

const quantities = [
  'nonce',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
] as const
const optionalQuantities = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const
const optionalBytes = ['factory', 'factoryData', 'paymaster', 'paymasterData'] as const

/** Parses a user operation in JSON-RPC format. Returns `undefined` if it is invalid. */
export function parseUserOperation(value: unknown): UserOperation<'0.7'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const given: Readonly<Record<string, unknown>> = { ...value }
  const { sender, callData, signature = '0x' } = given
  const counted = quantities.map((name) => parseHexQuantity(given[name]))
  const [nonce, callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas, maxPriorityFeePerGas] = counted
  if (!isHex(sender) || !isHex(callData) || !isHex(signature)) return undefined
  if (nonce === undefined || callGasLimit === undefined || verificationGasLimit === undefined) return undefined
  if (preVerificationGas === undefined || maxFeePerGas === undefined || maxPriorityFeePerGas === undefined)
    return undefined
  return {
    sender,
    callData,
    signature,
    nonce,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    ...pick(optionalBytes, (name) => parseHexBytes(given[name])),
    ...pick(optionalQuantities, (name) => parseHexQuantity(given[name])),
  }
}

function pick<name extends string, value>(
  names: readonly name[],
  readOne: (name: name) => value | undefined,
): Partial<Record<name, value>> {
  const found: Partial<Record<name, value>> = {}
  for (const name of names) {
    const value = readOne(name)
    if (value !== undefined) found[name] = value
  }
  return found
}

const parseHexBytes = (value: unknown): Hex | undefined => (isHex(value) ? value : undefined)

function parseHexQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}
