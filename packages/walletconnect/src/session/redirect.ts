/** The links that open an app, from the metadata of a session. */
export type Redirect = {
  /** A deep link with the app's own scheme: `wallet://`. */
  readonly native?: string
  /** A universal link: `https://wallet.example`. */
  readonly universal?: string
  /** True if the app receives messages by its universal link, without a relay. */
  readonly linkMode?: boolean
}

/** Parses the links of the other side. Drops links that could run something in this page. */
export function parseRedirect(value: { readonly [key: string]: unknown }): Redirect {
  const { native, universal } = value
  return {
    native: typeof native === 'string' && isAppLink(native) ? native : undefined,
    universal: typeof universal === 'string' && isWebLink(universal) ? universal : undefined,
    ...(value.linkMode === true ? { linkMode: true } : {}),
  }
}

function isWebLink(link: string): boolean {
  return /^https:\/\/[^/]/i.test(link)
}

/** True for the schemes of apps. Schemes of the web and of browsers would run or show something in this page. */
function isAppLink(link: string): boolean {
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(link) ?? []
  return (
    scheme !== undefined &&
    !/^(https?|wss?|javascript|data|blob|file|filesystem|about|vbscript|view-source)$/i.test(scheme)
  )
}
