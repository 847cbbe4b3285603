/** What the connect button says. English is on the page before anything else is; see `buttons.ts` for the rest. */
export type ButtonStrings = {
  connect: string
  connecting: string
  /** The modal's code could not be fetched. */
  failed: string
}

export const buttonStrings: ButtonStrings = {
  connect: 'Connect',
  connecting: 'Connecting…',
  failed: 'Offline? Try again',
}
