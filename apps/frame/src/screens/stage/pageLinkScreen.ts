import type { Messages } from '../../messages/loadFrameMessages.ts'
import { h } from '../elements/h.ts'
import { createButton, drawLayout } from '../elements/layout.ts'
import type { Screen } from './stage.ts'
import { createScreen } from './steps.ts'

/** Replaces a screen whose buttons can't be guarded in this browser. No page can cover a top-level page. */
export function pageLinkScreen({ approve, exporting, common }: Messages, url: string | undefined): Screen<undefined> {
  return createScreen<undefined>(({ root, finish }) => {
    const link = url === undefined ? undefined : h('a', linkAttributes(url), exporting.open)
    drawLayout(root, {
      title: approve.window.title,
      content: [h('p', { class: 'hint' }, approve.window.hint)],
      actions: [link, createButton({ text: common.cancel, look: 'quiet', press: () => finish(undefined) })],
    })
  })
}

const linkAttributes = (href: string) => ({ class: 'button', href, target: '_blank', rel: 'noopener' })
