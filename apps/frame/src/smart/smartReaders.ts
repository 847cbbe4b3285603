import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import type { CheckedRequest, Reader, ReaderDependencies } from '../approve/approval.ts'
import { evmReaders } from '../approve/evm/evmReaders.ts'
import { isAddress, isHex } from '../approve/evm/parseQuantity.ts'
import { parseTransactionRequest } from '../approve/evm/readSendTransaction.ts'
import { rpcErrors } from '../chain/rpcError.ts'
import type { SignRequest } from '../worker/keyHolder.ts'
import type { CallsRegistry } from './callsRegistry.ts'
import type { SmartAccounts, OpenSmartAccount } from './smartAccounts.ts'
import { transactionOf, waitForInclusion } from './planOperation.ts'
import { refuseOwnData } from './refuseOwnData.ts'
import { readOperation } from './readOperation.ts'
import { parseSendCalls } from './sendCalls.ts'
import { decodeCalls } from './smartAccount.ts'
import { getMember } from '../platform/getMember.ts'

export type SmartReadersDependencies = { readonly accounts: SmartAccounts; readonly book: CallsRegistry }

/** Creates the readers of smart accounts. Each returns `undefined` if the request is about the key's own account. */
export function smartReaders({ accounts, book }: SmartReadersDependencies): Readonly<Record<string, Reader>> {
  return {
    async personal_sign(checked, dependencies) {
      const named = paramsOf(checked).find(isAddress)
      const opened = await accounts.ofRequest(checked, named)
      const approval = await (opened && evmReaders['personal_sign']?.(checked, signingWith(dependencies, opened)))
      // The account's domain is part of its messages, so none can be a hash of something else.
      return approval && { ...approval, signs: [] }
    },
    async eth_signTypedData_v4(checked, dependencies) {
      const [named, content] = paramsOf(checked)
      const opened = await accounts.ofRequest(checked, named)
      refuseOwnData(content, await accounts.all())
      return opened && evmReaders['eth_signTypedData_v4']?.(checked, signingWith(dependencies, opened))
    },
    async eth_sendTransaction(checked, dependencies) {
      const { from, call, chainId, isDelegation } = parseTransactionRequest(checked.params)
      const opened = await accounts.ofRequest(checked, from)
      if (opened === undefined || isDelegation) return undefined
      if (chainId !== undefined && chainId !== checked.network.chainId) throw rpcErrors.otherNetwork(chainId)
      const respond = async (hash: Hex): Promise<Hex> => transactionOf(await waitForInclusion(opened, hash))
      return readOperation(checked, dependencies, opened, { calls: [call], respond })
    },
    async wallet_sendCalls(checked, dependencies) {
      const { from, calls, chainId, id } = parseSendCalls(checked)
      const opened = await accounts.ofRequest(checked, from)
      if (opened === undefined) throw rpcErrors.unsupported('batches of calls with this account')
      if (chainId !== undefined && chainId !== checked.network.chainId) throw rpcErrors.otherNetwork(chainId)
      await book.assertNewId(checked.origin, id)
      const respond = (hash: Hex): Promise<object> => book.add(checked, hash, id)
      return readOperation(checked, dependencies, opened, { calls, respond })
    },
    async eth_sendUserOperation(checked, dependencies) {
      const [operation, entryPoint] = paramsOf(checked)
      const opened = await accounts.ofRequest(checked, getMember(operation, 'sender'))
      if (opened === undefined) throw rpcErrors.unsupported('user operations with this account')
      if (!isEntryPoint(entryPoint, opened.account.entryPoint.address))
        throw rpcErrors.invalid('the entry point differs')
      const callData = getMember(operation, 'callData')
      const calls = isHex(callData) ? decodeCalls(callData) : undefined
      // Data that can't be decoded is not signed, because the account would execute it.
      if (calls === undefined || calls.length === 0) throw rpcErrors.invalid('callData cannot be decoded')
      return readOperation(checked, dependencies, opened, { calls, respond: async (hash) => hash })
    },
  }
}

/**
 * Replaces the key's signature with one of the contract (ERC-1271, ERC-6492). Looks up at once if the contract is
 * deployed, so that nothing is requested after the approval. A signature for an undeployed account stays valid if it is
 * deployed in the meantime.
 */
function signingWith(dependencies: ReaderDependencies, opened: OpenSmartAccount): ReaderDependencies {
  const lookup = opened.account.isDeployed().catch(() => undefined)
  const isDeployed = async (): Promise<boolean> => (await lookup) ?? opened.account.isDeployed()
  const account = { ...opened.account, isDeployed }
  const sign = async (order: SignRequest): Promise<Uint8Array> => {
    if (order.kind === 'evm-message')
      return hexToSignature(await account.signMessage({ message: { raw: `0x${bytesToHex(order.message)}` } }))
    if (order.kind !== 'evm-typed-data') throw rpcErrors.unsupported(order.kind)
    // The reader parsed and serialised it.
    return hexToSignature(
      await account.signTypedData(JSON.parse(order.json) as Parameters<typeof account.signTypedData>[0]),
    )
  }
  return { ...dependencies, holder: { sign } }
}

const hexToSignature = (hex: Hex): Uint8Array => hexToBytes(hex.slice(2))

const paramsOf = ({ params }: CheckedRequest): readonly unknown[] => (Array.isArray(params) ? params : [])

function isEntryPoint(value: unknown, address: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === address.toLowerCase()
}
