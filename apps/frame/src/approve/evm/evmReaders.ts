import { bytesToHex } from '@noble/hashes/utils.js'
import { rpcErrors } from '../../chain/rpcError.ts'
import type { Reader } from '../approval.ts'
import { getApprovedAccount } from '../checkRequest.ts'
import { describeMessageBytes } from '../messageFacts.ts'
import { toMessageBytes, isAddress } from './parseQuantity.ts'
import { readSendTransaction } from './readSendTransaction.ts'
import { readSignTypedData } from './readSignTypedData.ts'

/** Readers of the signing methods of eip155. */
export const evmReaders: Readonly<Record<string, Reader>> = {
  personal_sign: readPersonalSign,
  eth_signTypedData_v4: readSignTypedData,
  eth_sendTransaction: readSendTransaction,
}

/** Parameters: message, then account. Some pages swap them, as in the older `eth_sign`. */
async function readPersonalSign(...[checked, { holder }]: Parameters<Reader>): ReturnType<Reader> {
  const [first, second]: readonly unknown[] = Array.isArray(checked.params) ? checked.params : []
  if (typeof first !== 'string' || typeof second !== 'string')
    throw rpcErrors.invalid('a message and an account are required')
  const isTurned = !isAddress(second)
  const account = getApprovedAccount(checked, isTurned ? first : second)
  const message = toMessageBytes(isTurned ? second : first)
  return {
    facts: { ...describeMessageBytes(message, checked.origin), account, network: checked.network },
    signs: [{ kind: 'evm-message', message }],
    execute: async () => `0x${bytesToHex(await holder.sign({ kind: 'evm-message', message }))}`,
  }
}
