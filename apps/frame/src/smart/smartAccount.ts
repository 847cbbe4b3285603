import { bytesToHex } from '@noble/hashes/utils.js'
import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters,
  type Hex,
  type LocalAccount,
} from 'viem'
import {
  entryPoint07Abi,
  getUserOperationHash,
  toSmartAccount,
  type SmartAccount as ViemSmartAccount,
  type SmartAccountImplementation,
  type UserOperation,
} from 'viem/account-abstraction'
import { toAccount } from 'viem/accounts'
import { signMessage } from 'viem/experimental/erc7739'
import type { Call } from '../approve/evm/describeCall.ts'
import type { KeyHolder, SignRequest } from '../worker/keyHolder.ts'
import { smartAddress } from './smartAddress.ts'
import { signNested, type ReadTypedData } from './signNested.ts'
import type { SmartClient } from './smartClient.ts'

/** The smart account of the wallet's key. */
export type SmartAccount = ViemSmartAccount<SmartAccountImplementation<typeof entryPoint07Abi, '0.7'>>

export type SmartAccountOptions = {
  readonly client: SmartClient
  readonly chainId: number
  readonly entryPoint: Hex
  readonly factory: Hex
  /** Address of the wallet's key. */
  readonly owner: Hex
  readonly holder: Pick<KeyHolder, 'sign'>
}

const accountAbi = parseAbi(['function execute(bytes32 mode, bytes executionData) payable'])
const factoryAbi = parseAbi(['function createAccount(address signer, uint256 salt) returns (address)'])
const batch = parseAbiParameters('(address to, uint256 value, bytes data)[]')
/** Execution mode: all calls or none (ERC-7821). */
const mode: Hex = `0x01${'00'.repeat(31)}`
const operationTypes = { UserOperation: [{ name: 'hash', type: 'bytes32' }] } as const
const stubSignature: Hex = `0x${'f'.repeat(32)}${'0'.repeat(32)}${'7a'.repeat(32)}1c`

/** Returns the EIP-712 domain of an account. Signatures in it are valid for this account only. */
export function domainOf(chainId: number, address: Hex) {
  return { name: 'Latchkey Account', version: '1', chainId, verifyingContract: address } as const
}

/** Encodes calls for `execute`. A single call is a batch of one. */
export function encodeCalls(calls: readonly Call[]): Hex {
  const list = calls.map(({ to, value, data }) => {
    if (to === undefined) throw new Error('A smart account cannot create contracts.')
    return { to, value, data }
  })
  return encodeFunctionData({
    abi: accountAbi,
    functionName: 'execute',
    args: [mode, encodeAbiParameters(batch, [list])],
  })
}

/** Decodes the calls of an operation. Returns `undefined` for data in another form than this wallet's. */
export function decodeCalls(data: Hex): readonly Required<Call>[] | undefined {
  try {
    const { args } = decodeFunctionData({ abi: accountAbi, data })
    const [calls] = decodeAbiParameters(batch, args[1])
    // Data with another encoding may mean something else to the contract.
    return args[0] === mode && encodeCalls(calls) === data.toLowerCase() ? calls : undefined
  } catch {
    return undefined
  }
}

/** Opens the smart account of the wallet's key, without a network request. */
export async function openSmartAccount(dependencies: SmartAccountOptions): Promise<SmartAccount> {
  const { client, chainId, entryPoint, factory, owner } = dependencies
  const key = createOwnerKey(dependencies)
  const address = smartAddress(owner, factory)
  const domain = domainOf(chainId, address)
  const abi = entryPoint07Abi
  return toSmartAccount({
    client,
    entryPoint: { abi, address: entryPoint, version: '0.7' },
    getAddress: async () => address,
    encodeCalls: async (calls) => encodeCalls(calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data }))),
    decodeCalls: async (data) => [...(decodeCalls(data) ?? [])],
    getFactoryArgs: async () => ({
      factory,
      factoryData: encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args: [owner, 0n] }),
    }),
    getStubSignature: async () => stubSignature,
    signMessage: ({ message }) =>
      signMessage(client, { account: key, message, verifier: address, verifierDomain: { ...domain, salt: noSalt } }),
    // Its structure was parsed before it was shown.
    signTypedData: (typedData) => signNested(key, typedData as unknown as ReadTypedData, domain),
    async signUserOperation(operation) {
      return toSignature(
        await dependencies.holder.sign(operationRequest({ ...operation, sender: address }, { chainId, entryPoint })),
      )
    },
  })
}

const noSalt: Hex = `0x${'00'.repeat(32)}`

/** The key in the worker. Here it signs only typed data of the account's own domain. */
function createOwnerKey({ owner, holder }: SmartAccountOptions): LocalAccount {
  const refuse = () => Promise.reject(new Error('The key of a smart account signs typed data only.'))
  return toAccount({
    address: owner,
    signMessage: refuse,
    signTransaction: refuse,
    signTypedData: async (typedData) => toSignature(await holder.sign(typedDataRequest(typedData))),
  })
}

/** Creates the request to sign an operation. The account signs its hash as typed data. */
export function operationRequest(
  unsigned: Omit<UserOperation<'0.7'>, 'signature'>,
  { chainId, entryPoint }: Pick<SmartAccountOptions, 'chainId' | 'entryPoint'>,
): SignRequest {
  const operation = { ...unsigned, signature: '0x' as const }
  const hash = getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: '0.7',
    userOperation: operation,
  })
  const domain = domainOf(chainId, unsigned.sender)
  const json = toJson({ domain, types: operationTypes, primaryType: 'UserOperation', message: { hash } })
  return { kind: 'evm-typed-data', json, operation: { chainId, entryPoint, operation } }
}

/** Creates the request to sign typed data. */
export const typedDataRequest = (typedData: object): SignRequest => ({
  kind: 'evm-typed-data',
  json: toJson(typedData),
})

const toJson = (typedData: object): string =>
  JSON.stringify(typedData, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))

const toSignature = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`
