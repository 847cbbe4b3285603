import type { Words } from '../words/words.ts'
import { h, icon } from './dom.ts'
import { button, layOut } from './layout.ts'

/** Says that something is under way. It is announced once, and moves without words. */
export function drawWaiting(root: HTMLElement, { title, hint }: { title: string; hint?: string }): void {
  layOut(root, {
    title,
    content: [
      h(
        'div',
        { class: 'standing', role: 'status' },
        h('div', { class: 'spinner', 'aria-hidden': true }),
        hint === undefined ? undefined : h('p', { class: 'hint' }, hint),
      ),
    ],
  })
}

/** Says what failed, and offers the one next step. */
export function drawFailure(
  root: HTMLElement,
  words: Words,
  { title = words.common.failed, sentence, retry, leave }: FailureParts,
): void {
  layOut(root, {
    title,
    content: [
      h(
        'div',
        { class: 'standing', 'data-tone': 'danger' },
        icon('failed'),
        h('p', { class: 'hint', role: 'alert', dir: 'auto' }, sentence),
      ),
    ],
    actions: [
      retry && button({ text: words.common.retry, look: 'primary', press: retry }),
      leave && button({ text: words.common.back, look: 'quiet', press: leave }),
    ],
  })
}

type FailureParts = { title?: string; sentence: string; retry?(): void; leave?(): void }

/** A line below a form that says what is wrong with it; it is read out when it changes. */
export function problemLine(id: string): { readonly line: HTMLElement; say(sentence: string | undefined): void } {
  const line = h('p', { id, class: 'problem', role: 'alert' })
  return {
    line,
    say: (sentence) =>
      line.replaceChildren(...(sentence === undefined ? [] : [icon('failed'), h('span', { dir: 'auto' }, sentence)])),
  }
}

/** What was done, at the top of the screen that follows it. */
export function doneBanner(sentence: string): HTMLElement {
  return h(
    'div',
    { class: 'banner', 'data-tone': 'good', role: 'status' },
    icon('check'),
    h('div', {}, h('strong', {}, sentence)),
  )
}
