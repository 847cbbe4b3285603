import { listStructs } from '../approve/evm/typed/typedStructs.ts'
import { parseTypedData } from '../approve/evm/typedData.ts'
import { delegationDomainName } from './permissions/delegation.ts'
import { rpcErrors } from '../chain/rpcError.ts'

/**
 * Refuses typed data with a smart account as its domain. Operations are signed this way, and only the account itself
 * may request that. The same holds for the wrapper of ERC-7739, which names the account in its message: signed by the
 * key, it is a signature of the smart account.
 *
 * Delegations are refused, too: their caveats decide what the delegate may do, and a page could leave them out. The name
 * of the domain is sufficient, because a delegation manager accepts no other one.
 *
 * @param own smart accounts of the wallet's key
 * @throws RpcError 4200
 */
export function refuseOwnData(content: unknown, own: readonly string[]): void {
  const { domain, message } = parseTypedData(content)
  if (domain['name'] === delegationDomainName) throw rpcErrors.unsupported('delegations that the page writes itself')
  const accounts = new Set(own.map((address) => address.toLowerCase()))
  const isOwn = ({ verifyingContract }: Readonly<Record<string, unknown>>): boolean =>
    typeof verifyingContract === 'string' && accounts.has(verifyingContract.toLowerCase())
  if ([domain, ...listStructs(message)].some(isOwn)) throw rpcErrors.unsupported('typed data for the account itself')
}
