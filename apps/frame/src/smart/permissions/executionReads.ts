import type { CheckedRequest } from '../../approve/approval.ts'
import { chainNumberOf } from '../../approve/checkRequest.ts'
import type { Chain } from '../../chain/chain.ts'
import type { FrameConfig, FrameNetwork } from '../../frameConfig.ts'
import type { SmartAccounts } from '../smartAccounts.ts'
import { decodePermissionContext } from './delegation.ts'
import type { DelegationGrants } from './delegationGrants.ts'
import { isDelegationDisabled } from './isDelegationDisabled.ts'
import { isEqualAddress } from './permissionRequest.ts'

export type ExecutionReadsDependencies = {
  readonly config: Pick<FrameConfig, 'networks'>
  readonly chain: Chain
  readonly accounts: SmartAccounts
  readonly delegations: DelegationGrants
  /** Milliseconds since the epoch. */
  now(): number
}

/** Permission types that the network can enforce. */
export const executionPermissionTypes = [
  'native-token-periodic',
  'erc20-token-periodic',
  'native-token-recurring-allowance',
  'erc20-recurring-allowance',
  'contract-call',
] as const

/** Creates the read methods of permissions that the network enforces (ERC-7715). */
export function createExecutionReads(
  dependencies: ExecutionReadsDependencies,
): Readonly<Record<string, (checked: CheckedRequest) => Promise<unknown>>> {
  return {
    wallet_getSupportedExecutionPermissions: (checked) => supportedPermissions(dependencies, checked),
    wallet_getGrantedExecutionPermissions: (checked) => grantedPermissions(dependencies, checked),
  }
}

async function supportedPermissions(
  { config, accounts }: ExecutionReadsDependencies,
  checked: CheckedRequest,
): Promise<Record<string, object>> {
  const chainIds: string[] = []
  for (const network of config.networks) {
    if (network.smartAccounts?.delegations === undefined || !(await isGranted(accounts, checked, network))) continue
    chainIds.push(`0x${chainNumberOf(network).toString(16)}`)
  }
  if (chainIds.length === 0) return {}
  return Object.fromEntries(executionPermissionTypes.map((type) => [type, { chainIds, ruleTypes: ['expiry'] }]))
}

/** Returns the page's permissions that are valid now. Revocations count on the chain, wherever they were made. */
async function grantedPermissions(
  { config, chain, accounts, delegations, now }: ExecutionReadsDependencies,
  checked: CheckedRequest,
): Promise<readonly unknown[]> {
  const current = (await delegations.list()).filter(
    ({ origin, expiry }) => origin === checked.origin && expiry * 1_000 > now(),
  )
  const valid = await Promise.all(
    current.map(async (grant) => {
      const network = config.networks.find(({ chainId }) => chainId === grant.chainId)
      if (network === undefined || !(await isGranted(accounts, checked, network, grant.account))) return undefined
      const delegation = decodePermissionContext(grant.context)
      const manager = network.smartAccounts?.delegations?.manager
      if (delegation === undefined || manager === undefined) return undefined
      const isOver = await isDelegationDisabled(chain, network.chainId, manager, delegation)
      return isOver ? undefined : (JSON.parse(grant.permission) as unknown)
    }),
  )
  return valid.filter((permission) => permission !== undefined)
}

/** True if the page may use the smart account of the network. */
async function isGranted(
  accounts: SmartAccounts,
  checked: CheckedRequest,
  network: FrameNetwork,
  address?: string,
): Promise<boolean> {
  const own = await accounts.addressOn(network)
  if (own === undefined || (address !== undefined && !isEqualAddress(own, address))) return false
  return checked.accounts.some((each) => isEqualAddress(each.address, own))
}
