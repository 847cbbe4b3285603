import { h } from '../screens/elements/h.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'

/** Offers the recovery file, and the page that opens it without a network. Both are downloads: the page never runs here. */
export function fileScreen({ exporting, common }: Messages, file: string): Screen<'done'> {
  return createScreen(({ root, signal, finish }) => {
    const address = URL.createObjectURL(new Blob([file], { type: 'application/json' }))
    signal.addEventListener('abort', () => URL.revokeObjectURL(address))
    const download = (text: string, href: string, name: string): HTMLElement =>
      h('a', { class: 'button', href, download: name }, text)
    drawLayout(root, {
      title: exporting.fileReady,
      content: [
        h('p', { class: 'hint' }, exporting.fileReadyHint),
        download(exporting.fileSave, address, 'latchkey-recovery.json'),
        download(exporting.fileTool, '/offline/recover.html', 'latchkey-recover.html'),
        h('p', { class: 'hint' }, exporting.notice),
      ],
      actions: [createButton({ text: common.done, look: 'primary', press: () => finish('done') })],
    })
  })
}
