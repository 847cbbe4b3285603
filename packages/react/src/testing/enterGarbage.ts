import type { Latchkey } from '@latchkey/core'
import fc from 'fast-check'
import type { Locator } from 'vitest/browser'

const chosen: readonly string[] = [
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  '1e400',
  '.5e18',
  '-1',
  '-0',
  'NaN',
  'Infinity',
  '0x',
  `0x${'f'.repeat(400)}`,
  '١٢٣٫٤',
  '１２３',
  '1,000.00',
  '1.2.3',
  '\u202E0.1\u2066',
  '\uD800',
  '🗝'.repeat(200),
  'a.'.repeat(200),
  'xn--a.eth',
  '..eth',
  'ethereum:',
  'ethereum:0x1@99999999999999999999999999999999?value=9e99',
  'bitcoin:?amount=%ZZ',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '<img src=x onerror=alert(1)>',
  '{{0}}',
  '%s%n',
  ' '.repeat(400),
]

/** Strings that no field expects: chosen ones, and the same random ones in every run. */
const garbage: readonly string[] = [
  ...chosen,
  ...fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), { seed: 20_260_101, numRuns: 12 }),
  ...fc.sample(fc.stringMatching(/^[-+.,eE0-9x ]{0,24}$/), { seed: 20_260_102, numRuns: 12 }),
]

/**
 * Enters garbage into a field, one string after the other.
 *
 * @param turn called after each string, to press buttons that format the entry differently
 * @returns the strings after which a part of the user interface failed to render
 */
export async function enterGarbage(
  latchkey: Latchkey,
  field: Locator,
  turn: () => Promise<void> = async () => {},
): Promise<string[]> {
  const failures: string[] = []
  let entered = ''
  const stop = latchkey.events.subscribe(({ type }) => {
    if (type === 'render-error') failures.push(entered)
  })
  for (entered of garbage) {
    await field.fill(entered)
    await turn()
  }
  stop()
  return failures
}
