import { parseTypedData } from '../approve/evm/typedData.ts'
import { rpcErrors } from '../chain/rpcError.ts'

/**
 * Refuses typed data with a smart account as its domain. Operations are signed this way, and only the account itself
 * may request that.
 *
 * @param own smart accounts of the wallet's key
 * @throws RpcError 4200
 */
export function refuseOwnData(content: unknown, own: readonly string[]): void {
  const contract = parseTypedData(content).domain['verifyingContract']
  const isOwn = (address: string): boolean =>
    typeof contract === 'string' && contract.toLowerCase() === address.toLowerCase()
  if (own.some(isOwn)) throw rpcErrors.unsupported('typed data for the account itself')
}
