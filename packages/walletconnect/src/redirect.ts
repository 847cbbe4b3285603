/** The links by which an app is opened, as the metadata of a session names them. */
export type Redirect = {
  /** A scheme of its own: `wallet://`. */
  readonly native?: string
  /** A web address that belongs to the app: `https://wallet.example`. */
  readonly universal?: string
  /** Whether it takes messages by its universal link, so that no relay sees them. */
  readonly linkMode?: boolean
}

/** Reads the links of the other side; what could run something in this page is left out. */
export function readRedirect(value: { readonly [key: string]: unknown }): Redirect {
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

/** Whether a link has an app's own scheme. Those of the web and of browsers would run or show something in this page. */
function isAppLink(link: string): boolean {
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(link) ?? []
  return (
    scheme !== undefined &&
    !/^(https?|wss?|javascript|data|blob|file|filesystem|about|vbscript|view-source)$/i.test(scheme)
  )
}
