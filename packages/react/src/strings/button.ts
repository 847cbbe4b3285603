/** What the connect button says. It is on the page before anything else is, so every language is here. */
export type ButtonStrings = {
  connect: string
  connecting: string
  /** The modal's code could not be fetched. */
  failed: string
}

export const buttonStrings: { readonly en: ButtonStrings; readonly [locale: string]: ButtonStrings | undefined } = {
  en: { connect: 'Connect', connecting: 'Connecting…', failed: 'Offline? Try again' },
  de: { connect: 'Verbinden', connecting: 'Verbinde …', failed: 'Offline? Nochmal' },
}
