import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import { h } from '../elements/h.ts'

/**
 * States who could open the wallet, given its recovery methods and the layout of the deployment.
 *
 * @param relay host of the relay of the user's Farcaster logins
 */
export function custodyStatement(
  { recoveryMethods: texts }: Messages,
  { methods, split, relay }: { methods: readonly RecoveryMethodInfo[]; split: boolean; relay: string | undefined },
): HTMLElement {
  const auto = methods.some(({ method }) => method === 'auto')
  const held = methods.some(({ method }) => method !== 'auto')
  const lines = [
    auto ? (split ? texts.autoSplit : texts.autoOne) : undefined,
    auto && split && relay !== undefined ? texts.autoRelay({ host: relay }) : undefined,
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
