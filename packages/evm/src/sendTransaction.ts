import type { Connection, TransactionRequest } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Hash, Hex } from 'viem'
import { isHash, isHex, numberToHex } from 'viem/utils'
import { checkedAddress } from './checkedAddress.ts'
import { hexChainId } from './networks.ts'

/**
 * Asks the wallet to sign and send a transaction. It names the chain it is meant for, so that a wallet that went
 * elsewhere unnoticed refuses it instead of paying on the wrong chain.
 *
 * @param fixed what is not left to the wallet: gas, its price, the number of the transaction
 */
export async function sendTransaction(
  { provider, wallet }: Connection,
  account: AccountId,
  { to, value, data, gas }: TransactionRequest,
  fixed: Readonly<Record<string, Hex>> = {},
): Promise<Hash> {
  const method = 'eth_sendTransaction'
  const { address: from, chainId } = parseAccountId(account)
  if (value !== undefined && value < 0n) throw new LatchkeyError('amount/invalid', { value: String(value) })
  const transaction = {
    from,
    to: checkedAddress(to),
    value: value === undefined ? undefined : numberToHex(value),
    data,
    gas: gas === undefined ? undefined : numberToHex(gas),
    chainId: hexChainId(chainId),
    ...fixed,
  }
  const hash = await provider.request({ method, params: [transaction] })
  if (isHex(hash) && isHash(hash)) return hash
  throw new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}
