import { h, icon } from '../screens/dom.ts'
import { button, layOut } from '../screens/layout.ts'
import type { Screen } from '../screens/stage.ts'
import { screenOf } from '../screens/steps.ts'
import type { Secrets } from '../custody/secrets.ts'
import type { Words } from '../words/words.ts'
import type { SecretClipboard } from './clipboard.ts'
import { heldSecret } from './heldSecret.ts'

/** Says what an export is before anything is asked of the services. */
export function exportIntroScreen({ exporting, common }: Words): Screen<'begin' | 'leave'> {
  return screenOf(({ root, finish }) => {
    layOut(root, {
      title: exporting.title,
      content: [
        h('p', { class: 'hint' }, exporting.intro),
        h(
          'div',
          { class: 'banner', 'data-tone': 'danger' },
          icon('warning'),
          h('div', {}, h('strong', {}, exporting.warning), h('p', {}, exporting.warningHint)),
        ),
      ],
      actions: [
        button({ text: exporting.begin, look: 'primary', press: () => finish('begin') }),
        button({ text: common.back, look: 'quiet', press: () => finish('leave') }),
      ],
    })
  })
}

export type SecretsParts = {
  readonly words: Words
  readonly secrets: Secrets
  readonly clipboard: SecretClipboard
  /** Calls later, and returns what takes that back: the keys do not stay for whoever comes by. */
  later(act: () => void, milliseconds: number): () => void
}

const shownFor = 5 * 60_000

/** The secrets, each of them only while it is asked for, and all of them for some minutes. */
export function secretsScreen({ words, secrets, clipboard, later }: SecretsParts): Screen<'done'> {
  const { exporting, common } = words
  return screenOf(({ root, signal, finish }) => {
    const said = h('p', { class: 'hint', role: 'status' })
    const copy = async (secret: string): Promise<void> => {
      const isCopied = await clipboard.copy(secret, (state) => said.replaceChildren(exporting[state]))
      said.replaceChildren(isCopied ? exporting.copied : exporting.uncopied)
    }
    const held = (name: string, secret: string): HTMLElement =>
      heldSecret({ words, name, secret, signal, copy: () => void copy(secret) })
    layOut(root, {
      title: exporting.shown,
      content: [
        h('p', { class: 'hint' }, exporting.notice),
        held(exporting.phrase, secrets.phrase),
        held(exporting.evm, secrets.evm),
        held(exporting.solana, secrets.solana),
        said,
      ],
      actions: [button({ text: common.done, look: 'primary', press: () => finish('done') })],
    })
    signal.addEventListener(
      'abort',
      later(() => finish('done'), shownFor),
    )
    signal.addEventListener('abort', () => void clipboard.clear())
  })
}
