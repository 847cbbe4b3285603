import { Problem } from '../../kit/http/problem.ts'
import { currencies } from './currencies.ts'

/** @throws Problem 422 `currency` if prices are not available in the currency */
export function assertCurrency(currency: string): void {
  if (!currencies.includes(currency)) throw new Problem(422, 'currency', 'This currency is not supported.')
}
