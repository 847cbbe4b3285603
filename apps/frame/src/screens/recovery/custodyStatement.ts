import type { Words } from '../../words/words.ts'
import type { ShownWay } from '../../worker/keyHolder.ts'
import { h } from '../dom.ts'

/** Who could open the wallet, for the ways that are set up and the way that this deployment is laid out. */
export function custodyStatement(
  { ways: texts }: Words,
  { ways, split }: { ways: readonly ShownWay[]; split: boolean },
): HTMLElement {
  const auto = ways.some(({ method }) => method === 'auto')
  const held = ways.some(({ method }) => method !== 'auto')
  const lines = [
    auto ? (split ? texts.autoSplit : texts.autoOne) : undefined,
    held ? (split ? texts.heldSplit : texts.heldOne) : undefined,
    texts.code,
  ]
  return h(
    'section',
    { class: 'group' },
    h('h2', {}, texts.custody),
    ...lines.map((line) => (line === undefined ? undefined : h('p', { class: 'hint' }, line))),
  )
}
