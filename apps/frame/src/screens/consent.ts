import type { Words } from '../words/words.ts'
import { h } from './dom.ts'
import { button, layOut } from './layout.ts'
import { originLine } from './originLine.ts'
import { screenOf } from './steps.ts'
import type { Screen } from './stage.ts'

/** Who asks, and whom. */
export type ConsentFacts = {
  /** The true origin of the page, never what it says of itself. */
  readonly origin: string
  /** The e-mail address or name of the login. */
  readonly account: string | undefined
}

/** Asks whether another page may see the wallet's addresses. The way out has the focus only by tabbing: nothing is preset. */
export function consentScreen(words: Words, facts: ConsentFacts): Screen<'allowed' | 'refused'> {
  const { consent } = words
  const { origin, account } = facts
  const screen = screenOf<'allowed' | 'refused'>(({ root, finish }) => {
    layOut(root, {
      title: consent.title,
      content: [
        h('div', { class: 'group' }, h('p', { class: 'hint' }, consent.intro), originLine(origin)),
        account === undefined
          ? undefined
          : h('dl', { class: 'facts' }, h('div', {}, h('dt', {}, consent.account), h('dd', {}, h('bdi', {}, account)))),
        h('p', { class: 'hint' }, consent.hint),
      ],
      actions: [
        button({ text: consent.allow, look: 'primary', guarded: true, press: () => finish('allowed') }),
        button({ text: consent.refuse, look: 'quiet', press: () => finish('refused') }),
      ],
    })
  }, true)
  return { ...screen, window: { drawing: 'consent', facts } }
}
