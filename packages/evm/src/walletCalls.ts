import type { Connection, TransactionRequest } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { getAddress, isAddress, isHex, numberToHex, stringToHex, type Hex } from 'viem'

/** A transaction hash: 32 bytes. */
const hashPattern = /^0x[0-9a-f]{64}$/i
/** A signature: 31 bytes at the very least. */
const signaturePattern = /^0x[0-9a-f]{62,}$/i

/** Asks the wallet to sign a text (`personal_sign`, EIP-191). */
export async function signMessage({ provider, wallet }: Connection, account: AccountId, message: string): Promise<Hex> {
  const method = 'personal_sign'
  const { address } = parseAccountId(account)
  return expect(
    wallet.name,
    method,
    signaturePattern,
    await provider.request({ method, params: [stringToHex(message), address] }),
  )
}

/** Asks the wallet to send a transaction, and gives back its hash. */
export async function sendTransaction(
  { provider, wallet }: Connection,
  account: AccountId,
  { to, value, data }: TransactionRequest,
): Promise<Hex> {
  const method = 'eth_sendTransaction'
  const { address: from } = parseAccountId(account)
  const transaction = {
    from,
    to: readRecipient(to),
    value: value === undefined ? undefined : numberToHex(value),
    data,
  }
  return expect(wallet.name, method, hashPattern, await provider.request({ method, params: [transaction] }))
}

/** An address with a checksum that does not fit is a typing mistake, not an address. */
function readRecipient(to: string): Hex {
  const address = to.startsWith('0x') ? to : `0x${to}`
  if (!isAddress(address)) throw new LatchkeyError('address/invalid', { namespace: 'eip155', value: to })
  return getAddress(address)
}

function expect(wallet: string, method: string, pattern: RegExp, answer: unknown): Hex {
  if (isHex(answer) && pattern.test(answer)) return answer
  throw new LatchkeyError('wallet/invalid-answer', { wallet, method })
}
