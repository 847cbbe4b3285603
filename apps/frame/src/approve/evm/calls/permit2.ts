import type { CallEffect, ReadEffects } from './callEffects.ts'

/** Items of one call. More of them are unreadable on a screen. */
export const mostItems = 32

/** Permit2: allowance of another contract's token. The arguments are the words of its values. */
export const tokenAllowanceAt =
  (token: number, spender: number, units: number, deadline: number): ReadEffects =>
  (args) => [
    {
      kind: 'allowance',
      token: args.address(token),
      spender: args.address(spender),
      units: args.number(units),
      deadline: args.number(deadline),
    },
  ]

/** Permit2: the allowances of a `PermitBatch`, whose offset is in the word `at`. */
export const permitBatchAt =
  (at: number): ReadEffects =>
  (args) => {
    const permit = args.struct(at)
    const spender = permit.address(1)
    const { items, isTruncated } = permit.list(0, 4, mostItems)
    const grants = items.map((item): CallEffect => ({
      kind: 'allowance',
      token: item.address(0),
      spender,
      units: item.number(1),
      deadline: item.number(2),
    }))
    return isTruncated ? [...grants, { kind: 'unreadable' }] : grants
  }

/** Permit2: a list of transfers. */
export const readPermit2Transfers: ReadEffects = (args) => {
  const { items, isTruncated } = args.list(0, 4, mostItems)
  const moved = items.map((item): CallEffect => ({
    kind: 'transfer',
    from: item.address(0),
    to: item.address(1),
    units: item.number(2),
    token: item.address(3),
  }))
  return isTruncated ? [...moved, { kind: 'unreadable' }] : moved
}
