import { h, createIcon } from '../screens/elements/h.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import type { Secrets } from '../custody/secrets.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { SecretClipboard } from './secretClipboard.ts'
import { heldSecret } from './heldSecret.ts'

/** Explains the export before any request is sent. */
export function exportIntroScreen({ exporting, common }: Messages): Screen<'begin' | 'file' | 'leave'> {
  return createScreen(({ root, finish }) => {
    drawLayout(root, {
      title: exporting.title,
      content: [
        h('p', { class: 'hint' }, exporting.intro),
        h(
          'div',
          { class: 'banner', 'data-tone': 'danger' },
          createIcon('warning'),
          h('div', {}, h('strong', {}, exporting.warning), h('p', {}, exporting.warningHint)),
        ),
      ],
      actions: [
        createButton({ text: exporting.begin, look: 'primary', press: () => finish('begin') }),
        createButton({ text: exporting.file, press: () => finish('file') }),
        createButton({ text: common.back, look: 'quiet', press: () => finish('leave') }),
      ],
    })
  })
}

export type SecretsScreenProps = {
  readonly messages: Messages
  readonly secrets: Secrets
  /** Sentence at the top. */
  readonly notice: string
  readonly clipboard: SecretClipboard
  /** Calls `act` later. Returns a function that cancels the call. The secrets disappear after some minutes. */
  later(act: () => void, milliseconds: number): () => void
}

const shownFor = 5 * 60_000

/** Shows each secret while a button is held, and the screen for five minutes. */
export function secretsScreen({ messages, secrets, notice, clipboard, later }: SecretsScreenProps): Screen<'done'> {
  const { exporting, common } = messages
  return createScreen(({ root, signal, finish }) => {
    const status = h('p', { class: 'hint', role: 'status' })
    const copy = async (secret: string): Promise<void> => {
      const isCopied = await clipboard.copy(secret, (state) => status.replaceChildren(exporting[state]))
      status.replaceChildren(isCopied ? exporting.copied : exporting.uncopied)
    }
    const held = (name: string, secret: string): HTMLElement =>
      heldSecret({ messages, name, secret, signal, copy: () => void copy(secret) })
    drawLayout(root, {
      title: exporting.shown,
      content: [
        h('p', { class: 'hint' }, notice),
        held(exporting.phrase, secrets.phrase),
        held(exporting.evm, secrets.evm),
        held(exporting.solana, secrets.solana),
        status,
      ],
      actions: [createButton({ text: common.done, look: 'primary', press: () => finish('done') })],
    })
    signal.addEventListener(
      'abort',
      later(() => finish('done'), shownFor),
    )
    signal.addEventListener('abort', () => void clipboard.clear())
  })
}
