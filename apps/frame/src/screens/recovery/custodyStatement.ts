import type { Words } from '../../messages/loadWords.ts'
import type { RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import { h } from '../elements/h.ts'

/** States who could open the wallet, given its recovery methods and the layout of the deployment. */
export function custodyStatement(
  { recoveryMethods: texts }: Words,
  { methods, split }: { methods: readonly RecoveryMethodInfo[]; split: boolean },
): HTMLElement {
  const auto = methods.some(({ method }) => method === 'auto')
  const held = methods.some(({ method }) => method !== 'auto')
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
