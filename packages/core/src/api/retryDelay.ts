/** A server that asks for more does not get the read again: users would wait too long. */
const maxSeconds = 10
/** The most random time, as a share of the wait and in addition, so that clients don't return at the same moment. */
const [jitterShare, jitterMs] = [0.5, 500]

/**
 * Returns the milliseconds after which a read may be sent again, never fewer than the server asks for.
 *
 * @param header the value of `Retry-After`: seconds or a date
 * @param random from 0 to 1
 * @returns undefined if the header is missing or invalid, or asks for more than ten seconds
 */
export function getRetryDelay(
  header: string | null,
  { now, random }: { now: number; random: number },
): number | undefined {
  const text = header?.trim() ?? ''
  // Dates begin with the name of a day.
  const wait = /^\d+$/.test(text) ? 1_000 * Number(text) : /^[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN
  if (Number.isNaN(wait) || wait > 1_000 * maxSeconds) return undefined
  const least = Math.max(0, wait)
  return least + random * (jitterShare * least + jitterMs)
}
