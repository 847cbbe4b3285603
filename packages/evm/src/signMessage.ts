import type { Connection } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Hex } from 'viem'
import { isHex, stringToHex } from 'viem/utils'

/** Asks the wallet to sign a text (`personal_sign`, EIP-191). A signature is at least 31 bytes long. */
export async function signMessage({ provider, wallet }: Connection, account: AccountId, message: string): Promise<Hex> {
  const method = 'personal_sign'
  const { address } = parseAccountId(account)
  const answer = await provider.request({ method, params: [stringToHex(message), address] })
  if (isHex(answer) && answer.length >= 64) return answer
  throw new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}
