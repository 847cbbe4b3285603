import type { AccountState, Latchkey } from '@latchkey/core'
import { QueryObserver } from '@tanstack/react-query'
import { quantityText } from '../messages/quantityText.ts'
import { balanceQuery } from '../queries/balanceQuery.ts'
import { queryClientOf } from '../queries/queryClient.ts'

/**
 * Reports the formatted native balance of an account, now and whenever it changes.
 *
 * @returns a function that ends the reports
 */
export function watchBalanceText(
  { latchkey, account, locale }: { latchkey: Latchkey; account: AccountState; locale: string | undefined },
  report: (text: string | undefined) => void,
): () => void {
  const observer = new QueryObserver(queryClientOf(latchkey), balanceQuery(latchkey, account))
  const tell = (): void => {
    const { data } = observer.getCurrentResult()
    report(data && `${quantityText(locale, data.value, data.decimals)} ${data.symbol}`)
  }
  const stop = observer.subscribe(tell)
  tell()
  return stop
}
