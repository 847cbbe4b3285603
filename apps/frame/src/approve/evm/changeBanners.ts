import type { Banner, Changes } from '../approvalFacts.ts'

/** Warnings of a simulation. It sees allowances that an unknown function grants. */
export function changeBanners(changes: Changes): readonly Banner[] {
  if (changes.kind === 'fails') return [changes]
  if (changes.kind === 'unknown') return []
  const { allowances = [] } = changes
  return allowances.flatMap(({ kind }): readonly Banner[] =>
    kind === 'unlimited' || kind === 'everything' ? [{ kind }] : [],
  )
}

/** Adds the spenders of a simulation to the receivers that the data shows. */
export function receiversOf(receivers: readonly string[], changes: Changes): readonly string[] {
  const spenders = changes.kind === 'known' ? (changes.allowances ?? []) : []
  const lower = new Set(receivers.map((each) => each.toLowerCase()))
  return [...receivers, ...spenders.map(({ spender }) => spender).filter((each) => !lower.has(each.toLowerCase()))]
}
