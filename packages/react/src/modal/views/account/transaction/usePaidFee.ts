import { formatAmount, type Latchkey } from '@latchkey/core'
import type { ChainId } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import { useLatchkey } from '../../../../context.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'

type Mined = { chainId: ChainId; hash: string }

/** Returns the network fee that a mined transaction paid, with its symbol, once it is read from the chain. */
export function usePaidFee({ chainId, hash, isMined }: Mined & { isMined: boolean }): string | undefined {
  const latchkey = useLatchkey()
  const { data } = useQuery(
    {
      queryKey: ['fee', chainId, hash],
      queryFn: () => readPaidFee(latchkey, { chainId, hash }),
      enabled: isMined,
      // The fee of a mined transaction never changes.
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClientOf(latchkey),
  )
  return data ?? undefined
}

/** A query must not return undefined, so an unknown fee is `null`. */
async function readPaidFee(
  latchkey: Pick<Latchkey, 'networks' | 'adapters'>,
  { chainId, hash }: Mined,
): Promise<string | null> {
  const network = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const transfers = await adapter?.transfers?.()
  const fee = network === undefined ? undefined : await transfers?.getPaidFee?.(network, hash)
  if (network === undefined || fee === undefined) return null
  const { decimals, symbol } = network.nativeCurrency
  return `${formatAmount(fee, decimals)} ${symbol}`
}
