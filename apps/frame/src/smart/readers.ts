import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import type { Asked, Reader, ReadingParts } from '../approve/approval.ts'
import { evmReaders } from '../approve/evm/readers.ts'
import { isAddress, isHex, read } from '../approve/evm/hex.ts'
import { readWanted } from '../approve/evm/sendTransaction.ts'
import { refusals } from '../chain/rpcError.ts'
import type { SignOrder } from '../worker/keyHolder.ts'
import type { CallsBook } from './callsBook.ts'
import type { Accounts, Opened } from './openAccount.ts'
import { transactionOf, untilIncluded } from './operations.ts'
import { refuseOwnData } from './ownData.ts'
import { readOperation } from './readOperation.ts'
import { readSendCalls } from './sendCalls.ts'
import { decodeCalls } from './smartAccount.ts'

export type SmartReadersParts = { readonly accounts: Accounts; readonly book: CallsBook }

/** What pages ask of smart accounts. Each answers undefined where the request is about the key's own account. */
export function smartReaders({ accounts, book }: SmartReadersParts): Readonly<Record<string, Reader>> {
  return {
    async personal_sign(asked, parts) {
      const named = listOf(asked).find(isAddress)
      const opened = await accounts.ofRequest(asked, named)
      return opened && evmReaders['personal_sign']?.(asked, signingWith(parts, opened))
    },
    async eth_signTypedData_v4(asked, parts) {
      const [named, content] = listOf(asked)
      const opened = await accounts.ofRequest(asked, named)
      refuseOwnData(content, await accounts.all())
      return opened && evmReaders['eth_signTypedData_v4']?.(asked, signingWith(parts, opened))
    },
    async eth_sendTransaction(asked, parts) {
      const { from, call, chainId, isDelegation } = readWanted(asked.params)
      const opened = await accounts.ofRequest(asked, from)
      if (opened === undefined || isDelegation) return undefined
      if (chainId !== undefined && chainId !== asked.network.chainId) throw refusals.otherNetwork(chainId)
      const answer = async (hash: Hex): Promise<Hex> => transactionOf(await untilIncluded(opened, hash))
      return readOperation(asked, parts, opened, { calls: [call], answer })
    },
    async wallet_sendCalls(asked, parts) {
      const { from, calls, chainId, id } = readSendCalls(asked)
      const opened = await accounts.ofRequest(asked, from)
      if (opened === undefined) throw refusals.unsupported('several calls at once with this account')
      if (chainId !== undefined && chainId !== asked.network.chainId) throw refusals.otherNetwork(chainId)
      await book.mustBeNew(asked.origin, id)
      const answer = (hash: Hex): Promise<object> => book.note(asked, hash, id)
      return readOperation(asked, parts, opened, { calls, answer })
    },
    async eth_sendUserOperation(asked, parts) {
      const [operation, entryPoint] = listOf(asked)
      const opened = await accounts.ofRequest(asked, read(operation, 'sender'))
      if (opened === undefined) throw refusals.unsupported('user operations with this account')
      if (!isSame(entryPoint, opened.account.entryPoint.address))
        throw refusals.invalid('the entry point is another one')
      const callData = read(operation, 'callData')
      const calls = isHex(callData) ? decodeCalls(callData) : undefined
      // What nobody can read is not signed: the account would do whatever it says.
      if (calls === undefined || calls.length === 0) throw refusals.invalid('callData is not of this account')
      return readOperation(asked, parts, opened, { calls, answer: async (hash) => hash })
    },
  }
}

/** The same reading, with a signature of the contract in place of the key's (ERC-1271, ERC-6492). */
function signingWith(parts: ReadingParts, { account }: Opened): ReadingParts {
  const sign = async (order: SignOrder): Promise<Uint8Array> => {
    if (order.kind === 'evm-message')
      return bytesOf(await account.signMessage({ message: { raw: `0x${bytesToHex(order.message)}` } }))
    if (order.kind !== 'evm-typed-data') throw refusals.unsupported(order.kind)
    // Read, and written anew, by who shows it.
    return bytesOf(await account.signTypedData(JSON.parse(order.json) as Parameters<typeof account.signTypedData>[0]))
  }
  return { ...parts, holder: { sign } }
}

const bytesOf = (hex: Hex): Uint8Array => hexToBytes(hex.slice(2))

const listOf = ({ params }: Asked): readonly unknown[] => (Array.isArray(params) ? params : [])

function isSame(value: unknown, address: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === address.toLowerCase()
}
