import { readTypedData } from '../approve/evm/typedData.ts'
import { refusals } from '../chain/rpcError.ts'

/**
 * Refuses typed data of a smart account's own domain: it is how its operations are signed, and only the account itself
 * asks for that.
 *
 * @param own the smart accounts of the wallet's key
 * @throws RpcError 4200
 */
export function refuseOwnData(content: unknown, own: readonly string[]): void {
  const contract = readTypedData(content).domain['verifyingContract']
  const isOwn = (address: string): boolean =>
    typeof contract === 'string' && contract.toLowerCase() === address.toLowerCase()
  if (own.some(isOwn)) throw refusals.unsupported('typed data for the account itself')
}
