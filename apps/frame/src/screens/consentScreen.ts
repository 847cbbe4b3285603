import type { Messages } from '../messages/loadFrameMessages.ts'
import { h } from './elements/h.ts'
import { createButton, drawLayout } from './elements/layout.ts'
import { originLine } from './elements/originLine.ts'
import { createScreen } from './stage/steps.ts'
import type { Screen } from './stage/stage.ts'

/** The page that asks, and the login that it asks for. */
export type ConsentFacts = {
  /** Origin that the browser reports, never one that the page claims. */
  readonly origin: string
  /** E-mail address or name of the login. */
  readonly account: string | undefined
}

/** Asks whether another page may see the wallet's addresses. No button is focused by default. */
export function consentScreen(messages: Messages, facts: ConsentFacts): Screen<'allowed' | 'refused'> {
  const { consent } = messages
  const { origin, account } = facts
  const screen = createScreen<'allowed' | 'refused'>(({ root, finish }) => {
    drawLayout(root, {
      title: consent.title,
      content: [
        h('div', { class: 'group' }, h('p', { class: 'hint' }, consent.intro), originLine(origin)),
        account === undefined
          ? undefined
          : h('dl', { class: 'facts' }, h('div', {}, h('dt', {}, consent.account), h('dd', {}, h('bdi', {}, account)))),
        h('p', { class: 'hint' }, consent.hint),
      ],
      actions: [
        createButton({ text: consent.allow, look: 'primary', guarded: true, press: () => finish('allowed') }),
        createButton({ text: consent.refuse, look: 'quiet', press: () => finish('refused') }),
      ],
    })
  }, true)
  return { ...screen, window: { drawing: 'consent', facts } }
}
