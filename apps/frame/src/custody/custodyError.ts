import { createErrors, type ErrorMaker } from '@latchkey/protocol'

/** What goes wrong with keys and shares. None of the sentences says anything of what a secret looks like. */
export const custodyError: ErrorMaker<
  | 'custody/invalid-phrase'
  | 'custody/invalid-share'
  | 'custody/last-way'
  | 'custody/mismatch'
  | 'custody/unreadable'
  | 'custody/way-needed'
> = createErrors({
  'custody/invalid-phrase': () => 'These words are no recovery phrase. Check each word and their order.',
  'custody/invalid-share': ({ reason }) => `A part of the key cannot be used: ${reason}. Use another way to recover.`,
  'custody/last-way': () => 'This is the only way to get the wallet back. Set up another one first.',
  'custody/mismatch': ({ reason }) => `The parts of the key do not belong together: ${reason}. Nothing was opened.`,
  'custody/unreadable': ({ what }) =>
    `${what} cannot be opened with this key: it was changed, or belongs to another wallet. Nothing was overwritten.`,
  'custody/way-needed': ({ method }) => `Another way to recover stays, by ${method}. Use it once, so that it stays.`,
})
