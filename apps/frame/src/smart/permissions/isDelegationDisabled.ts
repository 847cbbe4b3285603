import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { hashDelegation, type Delegation } from './delegation.ts'

const managerAbi = parseAbi(['function disabledDelegations(bytes32 hash) view returns (bool)'])

/** True if the account has ended the delegation, on any device. */
export async function isDelegationDisabled(
  chain: Chain,
  chainId: string,
  manager: Hex,
  delegation: Delegation,
): Promise<boolean> {
  const args = [hashDelegation(delegation)] as const
  const data = encodeFunctionData({ abi: managerAbi, functionName: 'disabledDelegations', args })
  return Number(await chain.request(chainId, 'eth_call', [{ to: manager, data }, 'latest'])) !== 0
}
