import type { Connection } from '@latchkey/core'
import { requestFromWallet } from '@latchkey/core/internal'
import { parseAccountId, type AccountId, walletError } from '@latchkey/protocol'
import type { Hex } from 'viem'
import { isHex, stringToHex } from 'viem/utils'

/** Asks the wallet to sign a text message (`personal_sign`, EIP-191). A signature has at least 31 bytes. */
export async function signEvmMessage(
  connection: Pick<Connection, 'provider' | 'wallet'>,
  account: AccountId,
  message: string,
): Promise<Hex> {
  const method = 'personal_sign'
  const { address } = parseAccountId(account)
  const response = await requestFromWallet(connection, { method, params: [stringToHex(message), address] })
  if (isHex(response) && response.length >= 64) return response
  throw walletError('wallet/invalid-response', { wallet: connection.wallet.name, method })
}
