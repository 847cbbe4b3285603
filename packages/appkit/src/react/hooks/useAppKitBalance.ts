import type { Balance } from '@latchkey/core'
import { useCallback } from 'react'
import { useCurrentAppKit } from './useCurrentAppKit.ts'

/** The result of `fetchBalance`. */
export type FetchedBalance =
  | { data: Balance & { balance: string }; error: undefined; isSuccess: true; isError: false }
  | { data: undefined; error: unknown; isSuccess: false; isError: true }

/**
 * Returns a function that reads the native balance of the active account from its chain.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * const { fetchBalance } = useAppKitBalance()
 * const { data } = await fetchBalance()
 */
export function useAppKitBalance(): {
  /** @returns the amount as a decimal string in `balance`; never rejects */
  fetchBalance(): Promise<FetchedBalance>
} {
  const { updateNativeBalance } = useCurrentAppKit()
  const fetchBalance = useCallback(async (): Promise<FetchedBalance> => {
    try {
      const data = await updateNativeBalance()
      return { data: { ...data, balance: toDecimalText(data) }, error: undefined, isSuccess: true, isError: false }
    } catch (error) {
      return { data: undefined, error, isSuccess: false, isError: true }
    }
  }, [updateNativeBalance])
  return { fetchBalance }
}

/** Formats an amount without rounding. */
function toDecimalText({ value, decimals }: Balance): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const [whole, fraction] = [digits.slice(0, -decimals || undefined), decimals === 0 ? '' : digits.slice(-decimals)]
  return fraction.replace(/0+$/, '') === '' ? whole : `${whole}.${fraction.replace(/0+$/, '')}`
}
