import type { Connection, TransactionRequest } from '@latchkey/core'
import { requestFromWallet } from '@latchkey/core/internal'
import { parseAccountId, type AccountId, inputError, walletError } from '@latchkey/protocol'
import type { Hash, Hex } from 'viem'
import { isHash, isHex, numberToHex } from 'viem/utils'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { toHexChainId } from '../chain/evmChainId.ts'

/**
 * Asks the wallet to sign and send a transaction. The request names its chain, so a wallet that has switched unnoticed
 * refuses it instead of paying on the wrong chain.
 *
 * @param fixed the fields that the wallet must not choose: gas, gas price, nonce
 * @throws LatchkeyError `address/invalid`, `amount/invalid`, `wallet/invalid-response`; those of `requestFromWallet`
 */
export async function sendEvmTransaction(
  connection: Pick<Connection, 'provider' | 'wallet'>,
  account: AccountId,
  { to, value, data, gas }: TransactionRequest,
  fixed: Readonly<Record<string, Hex>> = {},
): Promise<Hash> {
  const method = 'eth_sendTransaction'
  const { address: from, chainId } = parseAccountId(account)
  if (value !== undefined && value < 0n) throw inputError('amount/invalid', { value: String(value) })
  const transaction = {
    from,
    to: parseEvmAddress(to),
    value: value === undefined ? undefined : numberToHex(value),
    data,
    gas: gas === undefined ? undefined : numberToHex(gas),
    chainId: toHexChainId(chainId),
    ...fixed,
  }
  const hash = await requestFromWallet(connection, { method, params: [transaction] })
  if (isHex(hash) && isHash(hash)) return hash
  throw walletError('wallet/invalid-response', { wallet: connection.wallet.name, method })
}
