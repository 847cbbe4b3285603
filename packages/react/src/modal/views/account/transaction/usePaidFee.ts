import type { Latchkey } from '@latchkey/core'
import type { ChainId } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { atMost } from '../../../money/dollarText.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'

type Mined = { chainId: ChainId; hash: string }

/**
 * Returns the network fee that the account paid for a mined transaction, with its symbol, once it is read from the chain.
 *
 * @param isPaid false if the transaction is not mined, or another account paid for it
 */
export function usePaidFee({ chainId, hash, isPaid }: Mined & { isPaid: boolean }): string | undefined {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const { data } = useQuery(
    {
      queryKey: ['fee', chainId, hash],
      queryFn: () => readPaidFee(latchkey, { chainId, hash }),
      enabled: isPaid,
      // The fee of a mined transaction never changes.
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClientOf(latchkey),
  )
  return data === undefined || data === null ? undefined : `${decimalText(locale, data.amount)} ${data.symbol}`
}

/** A query must not return undefined, so an unknown fee is `null`. */
async function readPaidFee(
  latchkey: Pick<Latchkey, 'networks' | 'adapters'>,
  { chainId, hash }: Mined,
): Promise<{ amount: string; symbol: string } | null> {
  const network = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const transfers = await adapter?.transfers?.()
  const fee = network === undefined ? undefined : await transfers?.getPaidFee?.(network, hash)
  if (network === undefined || fee === undefined) return null
  const { decimals, symbol } = network.nativeCurrency
  return { amount: atMost(fee, decimals), symbol }
}
