import { waitForTransaction, type Receipt, type TransactionWait } from '@latchkey/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useLatchkey } from '../../context.ts'
import { queryClientOf } from '../../queries/queryClient.ts'
import { useAccount } from '../useAccount.ts'

/**
 * Waits until a transaction is mined. It continues on the chain on which the hash first appeared, even if the account or
 * the network changes meanwhile.
 *
 * @param options the hash, for example the `data` of `useWriteContract`; nothing happens while it is undefined. `chainId`
 * is the chain of the transaction, `abi` decodes the error of a revert, `timeout` is in milliseconds and 25 seconds if
 * omitted.
 * @returns `data` is the receipt. The error is `transaction/reverted` with the reason, or `transaction/pending` after the
 * timeout: `refetch` then waits again.
 * @example
 * const { data: hash, mutate } = useSendTransaction()
 * const { data: receipt, isFetching } = useWaitForTransaction({ hash })
 */
export function useWaitForTransaction({
  hash,
  chainId,
  timeout,
  abi,
}: { hash: string | undefined } & Pick<TransactionWait, 'chainId' | 'timeout' | 'abi'>): UseQueryResult<Receipt> {
  const latchkey = useLatchkey()
  const { network } = useAccount()
  const [seen, setSeen] = useState({ hash, chainId: network?.caipNetworkId })
  if (seen.hash !== hash) setSeen({ hash, chainId: network?.caipNetworkId })
  const chain = chainId ?? seen.chainId
  return useQuery(
    {
      queryKey: ['transaction', chain, hash],
      queryFn: async ({ signal }) => {
        const receipt = await waitForTransaction(latchkey, hash ?? '', { chainId: chain, timeout, signal, abi })
        const client = queryClientOf(latchkey)
        // The transaction may have changed what the page shows.
        for (const kind of ['balance', 'tokens', 'contracts'])
          void client.invalidateQueries({ queryKey: [kind, chain] })
        return receipt
      },
      enabled: hash !== undefined && chain !== undefined && seen.hash === hash,
      staleTime: Infinity,
    },
    queryClientOf(latchkey),
  )
}
