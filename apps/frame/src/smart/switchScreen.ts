import { h } from '../screens/dom.ts'
import { button, layOut } from '../screens/layout.ts'
import { originLine } from '../screens/originLine.ts'
import type { Screen } from '../screens/stage.ts'
import { screenOf } from '../screens/steps.ts'
import type { Words } from '../words/words.ts'
import type { SwitchFacts } from './smart.ts'

/** Asks whether a page is to act with the other kind of account from now on: its address is another one. */
export function switchScreen(words: Words, facts: SwitchFacts): Screen<'switched' | 'kept'> {
  const { smart } = words
  const { origin, type, address } = facts
  const screen = screenOf<'switched' | 'kept'>(({ root, finish }) => {
    layOut(root, {
      title: type === 'eoa' ? smart.toEoa : smart.toSmart,
      content: [
        h('div', { class: 'group' }, h('p', { class: 'hint' }, smart.asks), originLine(origin)),
        h('dl', { class: 'facts' }, h('dt', {}, smart.address), h('dd', {}, h('bdi', { class: 'address' }, address))),
        h('p', { class: 'hint' }, type === 'eoa' ? smart.eoaHint : smart.smartHint),
      ],
      actions: [
        button({ text: smart.switch, look: 'primary', guarded: true, press: () => finish('switched') }),
        button({ text: smart.keep, look: 'quiet', press: () => finish('kept') }),
      ],
    })
  }, true)
  return { ...screen, window: { drawing: 'switch', facts } }
}
