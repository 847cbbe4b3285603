import { bytesToHex } from '@noble/hashes/utils.js'
import { refusals } from '../../chain/rpcError.ts'
import type { Reader } from '../approval.ts'
import { accountOf } from '../asked.ts'
import { messageFacts } from '../message.ts'
import { bytesOf, isAddress } from './hex.ts'
import { readSendTransaction } from './sendTransaction.ts'
import { readSignTypedData } from './signTypedData.ts'

/** What pages ask of an account of eip155. */
export const evmReaders: Readonly<Record<string, Reader>> = {
  personal_sign: readPersonalSign,
  eth_signTypedData_v4: readSignTypedData,
  eth_sendTransaction: readSendTransaction,
}

/** The message, then the account; some pages turn the two around, as the method before this one had them. */
async function readPersonalSign(...[asked, { holder }]: Parameters<Reader>): ReturnType<Reader> {
  const [first, second]: readonly unknown[] = Array.isArray(asked.params) ? asked.params : []
  if (typeof first !== 'string' || typeof second !== 'string') throw refusals.invalid('a message and an account')
  const isTurned = !isAddress(second)
  const account = accountOf(asked, isTurned ? first : second)
  const message = bytesOf(isTurned ? second : first)
  return {
    facts: { ...messageFacts(message, asked.origin), account, network: asked.network },
    carryOut: async () => `0x${bytesToHex(await holder.sign({ kind: 'evm-message', message }))}`,
  }
}
