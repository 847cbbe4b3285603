import type { Approval, Approvals } from '@latchkey/core/money'
import { parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import { encodeFunctionData, zeroAddress, type Hex } from 'viem'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { getEvmClient, wrapUnreachable, type EvmClients } from '../chain/evmClients.ts'
import { getBlockNumber } from '../transfers/findSentTransaction.ts'
import { approvalAbi, permit2Abi, permit2Address } from './approvalAbi.ts'
import { findApprovalLogs, type LoggedApproval } from './findApprovalLogs.ts'
import { readApproval } from './readApproval.ts'

/** The number of approvals that are read from the chain at the same time. */
const concurrency = 6

/** Creates the list of approvals of ERC-20 tokens, inside of Permit2, and of NFTs. */
export function createEvmApprovals(clients: EvmClients): Approvals {
  return {
    list: (network, owner, { signal }) =>
      wrapUnreachable(network, listEvmApprovals(clients, { network, owner, signal })),
    buildRevocation: (approval) => ({
      to: approval.kind === 'permit2' ? permit2Address : parseEvmAddress(approval.token),
      data: encodeRevocation(approval),
    }),
  }
}

async function listEvmApprovals(
  clients: EvmClients,
  { network, owner, signal }: { network: Network; owner: AccountId; signal: AbortSignal | undefined },
): Promise<{ approvals: readonly Approval[]; isComplete: boolean }> {
  const client = getEvmClient(clients, network)
  const address = parseEvmAddress(parseAccountId(owner).address)
  const latest = (await getBlockNumber(client)) ?? 0n
  const { logged, isComplete } = await findApprovalLogs(client, { owner: address, latest, signal })
  const read = (one: LoggedApproval): Promise<Approval | undefined> =>
    readApproval(clients, network, { owner, address, logged: one })
  const approvals: Approval[] = []
  for (let start = 0; start < logged.length; start += concurrency) {
    signal?.throwIfAborted()
    const batch = await Promise.all(logged.slice(start, start + concurrency).map(read))
    approvals.push(...batch.filter((approval) => approval !== undefined))
  }
  return { approvals, isComplete }
}

function encodeRevocation(approval: Approval): Hex {
  const spender = parseEvmAddress(approval.spender)
  switch (approval.kind) {
    case 'token':
      return encodeFunctionData({ abi: approvalAbi, functionName: 'approve', args: [spender, 0n] })
    case 'permit2': {
      const pair = { token: parseEvmAddress(approval.token), spender }
      return encodeFunctionData({ abi: permit2Abi, functionName: 'lockdown', args: [[pair]] })
    }
    case 'collection':
      return encodeFunctionData({ abi: approvalAbi, functionName: 'setApprovalForAll', args: [spender, false] })
    case 'nft':
      return encodeFunctionData({ abi: approvalAbi, functionName: 'approve', args: [zeroAddress, approval.tokenId] })
  }
}
