import { shortenAddress } from '@latchkey/core'
import type { SendNote, SendState } from '@latchkey/core/money'
import type { SendTexts } from '../../../strings/send/texts.ts'
import type { Warning } from '../../money/Warnings.tsx'

const tones: { readonly [note in SendNote]: Warning['tone'] } = {
  similar: 'danger',
  asset: 'danger',
  burn: 'danger',
  invalid: 'danger',
  contract: 'warning',
  unused: 'warning',
  oneself: 'note',
  'opens-account': 'note',
  'first-time': 'note',
}

/** What is worth knowing of a receiver, in words. */
export function notesOf(t: SendTexts, { notes, similarTo }: SendState): readonly Warning[] {
  // Who was never seen on the chain was not paid before: that is said once.
  const said = notes.includes('unused') ? notes.filter((note) => note !== 'first-time') : notes
  return said.map((note) => ({
    key: note,
    tone: tones[note],
    text: note === 'similar' ? t.similar(shortenAddress(similarTo ?? '')) : t.notes[note],
  }))
}
