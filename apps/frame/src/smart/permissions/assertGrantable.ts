import { rpcErrors } from '../../chain/rpcError.ts'
import type { OpenSmartAccount } from '../smartAccounts.ts'
import { isTokenContract } from './hasOnlyDecodedEffects.ts'
import { isEqualAddress, type PermissionPolicy } from './permissionRequest.ts'

/**
 * Refuses policies with contracts that no permission may call: the wallet's own accounts, their entry point and their
 * delegation manager, and contracts that keep balances.
 *
 * @param own all smart accounts of the wallet
 * @throws RpcError -32602; -32603 if the network can't be reached
 */
export async function assertGrantable(
  { tokens, calls }: PermissionPolicy,
  { account, chain, network }: OpenSmartAccount,
  own: readonly string[],
): Promise<void> {
  const manager = network.smartAccounts?.delegations?.manager
  // Calls of these contracts could do anything, including change the permission.
  const forbidden = [account.address, account.entryPoint.address, ...own, ...(manager === undefined ? [] : [manager])]
  if ([...tokens, ...calls].some((each) => forbidden.some((address) => isEqualAddress(address, each.address))))
    throw rpcErrors.invalid('a permission must not include the account itself')
  const { nativeCurrency: native, chainId } = network
  const caller = { chain, chainId, account: account.address, native }
  const isToken = await Promise.all(calls.map(({ address }) => isTokenContract(caller, address)))
  if (isToken.includes(true)) throw rpcErrors.invalid('a token contract needs a token allowance')
}
