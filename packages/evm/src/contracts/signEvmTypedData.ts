import type { Connection, StructuredData } from '@latchkey/core'
import { requestFromWallet } from '@latchkey/core/internal'
import { parseAccountId, walletError, type AccountId } from '@latchkey/protocol'
import { isHex, serializeTypedData, validateTypedData, type Hex, type TypedDataDefinition } from 'viem'
import { toInvalidCallError } from './contractError.ts'

/**
 * Asks the wallet to sign structured data (`eth_signTypedData_v4`, EIP-712).
 *
 * @throws LatchkeyError `contract/call-invalid` if the message does not match its types
 */
export async function signEvmTypedData(
  connection: Pick<Connection, 'provider' | 'wallet'>,
  account: AccountId,
  data: StructuredData,
): Promise<Hex> {
  const method = 'eth_signTypedData_v4'
  const { address } = parseAccountId(account)
  const response = await requestFromWallet(connection, { method, params: [address, formatTypedData(data)] })
  // A signature has at least 31 bytes.
  if (isHex(response) && response.length >= 64) return response
  throw walletError('wallet/invalid-response', { wallet: connection.wallet.name, method })
}

function formatTypedData({ domain = {}, types, primaryType, message }: StructuredData): string {
  // Wallets require the type of the domain, which viem adds if it is missing.
  const definition = { domain, types: { EIP712Domain: domainTypes(domain), ...types }, primaryType, message }
  try {
    // The fields are checked against the types below.
    const typed = definition as unknown as TypedDataDefinition
    validateTypedData(typed)
    return serializeTypedData(typed)
  } catch (error) {
    throw toInvalidCallError(primaryType, error)
  }
}

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/** Lists the fields of a domain that are set, in the order of the standard. */
function domainTypes(domain: Readonly<Record<string, unknown>>): readonly { name: string; type: string }[] {
  return domainFields.filter(({ name }) => domain[name] !== undefined)
}
