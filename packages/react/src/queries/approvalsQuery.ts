import type { Latchkey } from '@latchkey/core'
import { listApprovals, type ApprovalList } from '@latchkey/core/money'
import type { ChainId } from '@latchkey/protocol'
import type { UseQueryOptions } from '@tanstack/react-query'

/** The query for the approvals of an account on its network. They change without notice, so they are never reused. */
export function approvalsQuery(
  latchkey: Latchkey,
  { address, chainId }: { address: string | undefined; chainId: ChainId | undefined },
): UseQueryOptions<ApprovalList> {
  return {
    queryKey: ['approvals', address, chainId],
    queryFn: ({ signal }) => listApprovals(latchkey, { signal }),
    enabled: address !== undefined,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  }
}
