import { createErrors, type ErrorMaker } from '@latchkey/protocol'

/** What goes wrong with keys and shares. None of the sentences says anything of what a secret looks like. */
export const custodyError: ErrorMaker<
  'custody/invalid-phrase' | 'custody/invalid-share' | 'custody/mismatch' | 'custody/unreadable'
> = createErrors({
  'custody/invalid-phrase': () => 'These words are no recovery phrase. Check each word and their order.',
  'custody/invalid-share': ({ reason }) => `A part of the key cannot be used: ${reason}. Use another way to recover.`,
  'custody/mismatch': ({ reason }) => `The parts of the key do not belong together: ${reason}. Nothing was opened.`,
  'custody/unreadable': ({ what }) =>
    `${what} cannot be opened with this key: it was changed, or belongs to another wallet. Nothing was overwritten.`,
})
