import { shortenAddress } from '@latchkey/core'
import type { SendNote, SendState } from '@latchkey/core/money'
import type { SendMessages } from '@latchkey/modal/messages'
import type { Warning } from '../../../money/Warnings.tsx'

const tones: { readonly [note in SendNote]: Warning['tone'] } = {
  similar: 'danger',
  asset: 'danger',
  burn: 'danger',
  invalid: 'danger',
  'mainnet-address': 'danger',
  'testnet-address': 'danger',
  'token-account': 'danger',
  'non-transferable': 'danger',
  'transfer-hook': 'danger',
  contract: 'warning',
  'other-format': 'warning',
  unused: 'warning',
  oneself: 'note',
  'opens-account': 'note',
  'first-time': 'note',
}

/** Returns the warnings about a receiver. */
export function notesOf(t: SendMessages, { notes, similarTo }: SendState): readonly Warning[] {
  // An unused address was never paid before, so one warning is enough.
  const shown = notes.includes('unused') ? notes.filter((note) => note !== 'first-time') : notes
  return shown.map((note) => ({
    key: note,
    tone: tones[note],
    text: note === 'similar' ? t.similar({ known: shortenAddress(similarTo ?? '') }) : t.notes[note],
  }))
}
