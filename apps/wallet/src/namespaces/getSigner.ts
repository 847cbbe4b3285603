import { isRecord } from '@latchkey/protocol'
import { rpcErrors } from '../rpcError.ts'
import type { Account, AdapterRequest } from './namespaceAdapter.ts'

/**
 * Gets the account that a request names, or the selected account if it names none.
 *
 * @param field the parameter that holds the address
 * @throws RpcError 4100 if the session doesn't share the account
 */
export function getSigner<account extends Account>(
  accounts: readonly account[],
  { params, accounts: shared }: AdapterRequest,
  field: string,
): account {
  const requested = isRecord(params) ? params[field] : undefined
  const address = typeof requested === 'string' ? requested : shared[0]?.address
  const account = accounts.find((each) => each.address === address)
  if (account === undefined || !shared.some((each) => each.address === address)) {
    throw rpcErrors.unauthorized(String(address))
  }
  return account
}
