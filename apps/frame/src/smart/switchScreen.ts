import { h } from '../screens/elements/h.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import { originLine } from '../screens/elements/originLine.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { SwitchFacts } from './smart.ts'

/** Asks whether a page may use the other account type, which has another address. */
export function switchScreen(messages: Messages, facts: SwitchFacts): Screen<'switched' | 'kept'> {
  const { smart } = messages
  const { origin, type, address } = facts
  const screen = createScreen<'switched' | 'kept'>(({ root, finish }) => {
    drawLayout(root, {
      title: type === 'eoa' ? smart.toEoa : smart.toSmart,
      content: [
        h('div', { class: 'group' }, h('p', { class: 'hint' }, smart.asks), originLine(origin)),
        h('dl', { class: 'facts' }, h('dt', {}, smart.address), h('dd', {}, h('bdi', { class: 'address' }, address))),
        h('p', { class: 'hint' }, type === 'eoa' ? smart.eoaHint : smart.smartHint),
      ],
      actions: [
        createButton({ text: smart.switch, look: 'primary', guarded: true, press: () => finish('switched') }),
        createButton({ text: smart.keep, look: 'quiet', press: () => finish('kept') }),
      ],
    })
  }, true)
  return { ...screen, window: { drawing: 'switch', facts } }
}
