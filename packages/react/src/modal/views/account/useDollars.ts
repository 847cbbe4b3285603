import { useSurroundings } from '../../../context.ts'

/** Writes dollars with two digits behind the point, as the visitor's language does. */
export function useDollars(): (value: number) => string {
  const { locale } = useSurroundings()
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  return (value) => format.format(value)
}
