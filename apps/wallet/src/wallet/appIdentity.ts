import type { Metadata } from '@latchkey/walletconnect/wallet'
import { parseHost, toPlainName } from '../text/readablePieces.ts'

/** The self-declared identity of an app, cleaned for display. None of it is proven. */
export type AppIdentity = {
  name: string
  /** The claimed host. Undefined if the app declares no web address. */
  host: string | undefined
  /** An image that is part of the metadata. The wallet never fetches one. */
  icon: string | undefined
}

export function parseAppIdentity({ name, url, icons }: Metadata): AppIdentity {
  return {
    name: toPlainName(name, 'Unnamed app'),
    host: parseHost(url),
    icon: icons.find((icon) => icon.startsWith('data:image/')),
  }
}
