import { isAddressEqual, recoverTypedDataAddress, slice, type Hex } from 'viem'
import { chainNumberOf } from '../../approve/checkRequest.ts'
import { isHex } from '../../approve/evm/parseQuantity.ts'
import type { Chain } from '../../chain/chain.ts'
import type { DelegationContracts, FrameConfig, FrameNetwork } from '../../frameConfig.ts'
import type { KeyHolder } from '../../worker/keyHolder.ts'
import { nestTypedData } from '../signNested.ts'
import { domainOf } from '../smartAccount.ts'
import type { SmartAccounts } from '../smartAccounts.ts'
import { decodePermissionContext, delegationTypedData, getDelegationExpiry, type Delegation } from './delegation.ts'
import { isDelegationDisabled } from './isDelegationDisabled.ts'
import { permissionId } from '../findSealedOrigin.ts'
import { permissionAccountId, type PermissionRegistry, type RegistryEntry } from './permissionRegistry.ts'

export type OwnPermissionsDependencies = {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly chain: Chain
  readonly accounts: SmartAccounts
  readonly sessions: PermissionRegistry
  readonly holder: Pick<KeyHolder, 'openPermissionOrigins'>
  /** Returns the address of the wallet's eip155 key, or `undefined` without a login. */
  owner(): Promise<string | undefined>
  /** Milliseconds since the epoch. */
  now(): number
}

/** A valid permission of any page, as the user sees it. All values are signed or sealed by the wallet. */
export type OwnPermission = {
  /** Origin of the page that got it. `undefined` if the wallet did not seal one for this permission. */
  readonly origin: string | undefined
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

type VerifiedPermission = { readonly permission: Omit<OwnPermission, 'origin'>; readonly delegation: Delegation }

async function listOn(
  dependencies: OwnPermissionsDependencies,
  network: FrameNetwork,
): Promise<readonly OwnPermission[]> {
  const { accounts, sessions, owner } = dependencies
  const [account, key] = [await accounts.addressOn(network), await owner()]
  const contracts = network.smartAccounts?.delegations
  if (account === undefined || !isHex(key) || contracts === undefined) return []
  const entries = await sessions.list(permissionAccountId({ chainId: network.chainId, account }))
  const contexts = [...new Set(entries.map(({ context }) => context))]
  const found = await Promise.all(
    contexts.map((context) => verifyContext(dependencies, { network, contracts, account, key }, context)),
  )
  return addOrigins(dependencies, found.flat(), entries)
}

async function verifyContext(
  { chain, now }: OwnPermissionsDependencies,
  {
    network,
    contracts,
    account,
    key,
  }: { network: FrameNetwork; contracts: DelegationContracts; account: Hex; key: Hex },
  context: string,
): Promise<readonly VerifiedPermission[]> {
  const delegation = isHex(context) ? decodePermissionContext(context) : undefined
  if (!isHex(context) || delegation === undefined || !isAddressEqual(delegation.delegator, account)) return []
  const expiry = getDelegationExpiry(delegation, contracts.enforcers.timestamp)
  if (expiry * 1_000 <= now() || !(await isSignedBy(key, delegation, network, contracts.manager))) return []
  if (await isDelegationDisabled(chain, network.chainId, contracts.manager, delegation)) return []
  return [{ permission: { network, account, context, delegate: delegation.delegate, expiry }, delegation }]
}

/** Anyone can register a permission again with another value, so the first one that the wallet sealed counts. */
async function addOrigins(
  { holder }: OwnPermissionsDependencies,
  found: readonly VerifiedPermission[],
  entries: readonly RegistryEntry[],
): Promise<readonly OwnPermission[]> {
  const sealed = found.flatMap(({ permission: { context, network }, delegation }) =>
    entries.flatMap((entry) =>
      entry.context === context && entry.sealedOrigin !== undefined
        ? [{ context, ...permissionId(network.chainId, delegation), sealed: entry.sealedOrigin }]
        : [],
    ),
  )
  const opened = sealed.length === 0 ? [] : await holder.openPermissionOrigins(sealed)
  return found.map(({ permission }) => ({
    ...permission,
    origin: opened.find((origin, index) => origin !== undefined && sealed[index]?.context === permission.context),
  }))
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
