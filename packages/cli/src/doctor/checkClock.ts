import type { Finding } from './finding.ts'

/** Sign-ins and relay messages have a time. Larger differences make them invalid. */
const toleranceMs = 60_000

/** Compares the clock of this machine with that of a server. */
export function checkClock(
  url: string,
  response: Pick<Response, 'headers'> | undefined,
  now: number = Date.now(),
): readonly Finding[] {
  const time = Date.parse(response?.headers.get('date') ?? '')
  if (Number.isNaN(time)) return []
  const seconds = Math.round((now - time) / 1_000)
  if (Math.abs(now - time) <= toleranceMs) return [{ severity: 'ok', text: `The clock agrees with ${url}.` }]
  return [
    {
      severity: 'problem',
      text: `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${url}.`,
      advice: 'Synchronise both clocks (NTP). Sign-ins and relay connections are refused otherwise.',
    },
  ]
}
