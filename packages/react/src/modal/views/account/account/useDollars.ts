import { useLatchkeyContext } from '../../../../context.ts'

/** Returns a function that formats dollars with two decimal places in the current language. */
export function useDollars(): (value: number) => string {
  const { locale } = useLatchkeyContext()
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  return (value) => format.format(value)
}
