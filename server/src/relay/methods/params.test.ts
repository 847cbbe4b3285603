import { expect, test } from 'vitest'
import { relayLimits } from '../relayVariables.ts'
import { parseTtlParam } from './params.ts'

test('a TTL beyond the limit of the operator is refused, not shortened', () => {
  const limits = { ...relayLimits('public'), maxTtl: 604_800 }
  expect(parseTtlParam(604_800, limits)).toBe(604_800)
  expect(() => parseTtlParam(604_801, limits)).toThrow(expect.objectContaining({ data: 'TtlTooLong' }))
})
