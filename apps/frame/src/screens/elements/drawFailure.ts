import type { Messages } from '../../messages/loadFrameMessages.ts'
import { h, createIcon } from './h.ts'
import { createButton, drawLayout } from './layout.ts'

/** Shows that something is pending. Screen readers announce it once. */
export function drawWaiting(root: HTMLElement, { title, hint }: { title: string; hint?: string }): void {
  drawLayout(root, {
    title,
    content: [
      h(
        'div',
        { class: 'status-panel', role: 'status' },
        h('div', { class: 'spinner', 'aria-hidden': true }),
        hint === undefined ? undefined : h('p', { class: 'hint' }, hint),
      ),
    ],
  })
}

/** Shows what failed and offers the next step. */
export function drawFailure(
  root: HTMLElement,
  messages: Messages,
  { title = messages.common.failed, sentence, retry, leave }: FailureProps,
): void {
  drawLayout(root, {
    title,
    content: [
      h(
        'div',
        { class: 'status-panel', 'data-tone': 'danger' },
        createIcon('failed'),
        h('p', { class: 'hint', role: 'alert', dir: 'auto' }, sentence),
      ),
    ],
    actions: [
      retry && createButton({ text: messages.common.retry, look: 'primary', press: retry }),
      leave && createButton({ text: messages.common.back, look: 'quiet', press: leave }),
    ],
  })
}

type FailureProps = { title?: string; sentence: string; retry?(): void; leave?(): void }

/** Creates the problem line of a form. Screen readers announce changes. */
export function problemLine(id: string): { readonly line: HTMLElement; setText(sentence: string | undefined): void } {
  const line = h('p', { id, class: 'problem', role: 'alert' })
  return {
    line,
    setText: (sentence) =>
      line.replaceChildren(
        ...(sentence === undefined ? [] : [createIcon('failed'), h('span', { dir: 'auto' }, sentence)]),
      ),
  }
}

/** Confirms the last action at the top of the next screen. */
export function doneBanner(sentence: string): HTMLElement {
  return h(
    'div',
    { class: 'banner', 'data-tone': 'good', role: 'status' },
    createIcon('check'),
    h('div', {}, h('strong', {}, sentence)),
  )
}
