import { isAddressEqual, recoverTypedDataAddress, slice, type Hex } from 'viem'
import { chainNumberOf } from '../../approve/checkRequest.ts'
import { isHex } from '../../approve/evm/parseQuantity.ts'
import type { Chain } from '../../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../../frameConfig.ts'
import { nestTypedData } from '../signNested.ts'
import { domainOf } from '../smartAccount.ts'
import type { SmartAccounts } from '../smartAccounts.ts'
import { decodePermissionContext, delegationTypedData, getDelegationExpiry, type Delegation } from './delegation.ts'
import { isDelegationDisabled } from './isDelegationDisabled.ts'
import { permissionAccountId, type PermissionRegistry } from './permissionRegistry.ts'

export type OwnPermissionsDependencies = {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly chain: Chain
  readonly accounts: SmartAccounts
  readonly sessions: PermissionRegistry
  /** Returns the address of the wallet's eip155 key, or `undefined` without a login. */
  owner(): Promise<string | undefined>
  /** Milliseconds since the epoch. */
  now(): number
}

/** A valid permission of any page, as the user sees it. All values are signed by the wallet's key. */
export type OwnPermission = {
  readonly network: FrameNetwork
  readonly account: Hex
  readonly context: Hex
  /** Session account of the page. */
  readonly delegate: Hex
  /** Seconds since the epoch. */
  readonly expiry: number
}

/**
 * Lists the permissions that the network enforces, of all pages and devices of the user. The registry only names them:
 * entries without a signature of the wallet's key are ignored.
 *
 * @throws RpcError -32603 if the registry or a network can't be reached
 */
export async function listOwnPermissions(dependencies: OwnPermissionsDependencies): Promise<readonly OwnPermission[]> {
  const lists = await Promise.all(dependencies.config.networks.map((network) => listOn(dependencies, network)))
  return lists.flat()
}

async function listOn(
  { accounts, sessions, chain, owner, now }: OwnPermissionsDependencies,
  network: FrameNetwork,
): Promise<readonly OwnPermission[]> {
  const [account, key] = [await accounts.addressOn(network), await owner()]
  const contracts = network.smartAccounts?.delegations
  if (account === undefined || !isHex(key) || contracts === undefined) return []
  const contexts = await sessions.contexts(permissionAccountId({ chainId: network.chainId, account }))
  const found = await Promise.all(
    [...new Set(contexts)].map(async (context): Promise<readonly OwnPermission[]> => {
      const delegation = isHex(context) ? decodePermissionContext(context) : undefined
      if (!isHex(context) || delegation === undefined || !isAddressEqual(delegation.delegator, account)) return []
      const expiry = getDelegationExpiry(delegation, contracts.enforcers.timestamp)
      if (expiry * 1_000 <= now() || !(await isSignedBy(key, delegation, network, contracts.manager))) return []
      if (await isDelegationDisabled(chain, network.chainId, contracts.manager, delegation)) return []
      return [{ network, account, context, delegate: delegation.delegate, expiry }]
    }),
  )
  return found.flat()
}

async function isSignedBy(key: Hex, delegation: Delegation, network: FrameNetwork, manager: Hex): Promise<boolean> {
  const chainId = chainNumberOf(network)
  const { domain, types, primaryType, message } = delegationTypedData(delegation, chainId, manager)
  const nested = nestTypedData(
    { domain, types, primaryType, message: { ...message } },
    domainOf(chainId, delegation.delegator),
  )
  try {
    const signature = slice(delegation.signature, 0, 65)
    return isAddressEqual(await recoverTypedDataAddress({ ...nested, signature }), key)
  } catch {
    return false
  }
}
