import type { Metadata } from '@latchkey/walletconnect/wallet'
import { hostOf, plainName } from '../text/readable.ts'

/** Who an app says it is, fit to be shown. Nothing of it is proven. */
export type AppIdentity = {
  name: string
  /** The host it claims; nothing when it names no web address. */
  host: string | undefined
  /** An image that came along with the claim; the wallet fetches none. */
  icon: string | undefined
}

export function readIdentity({ name, url, icons }: Metadata): AppIdentity {
  return {
    name: plainName(name, 'Unnamed app'),
    host: hostOf(url),
    icon: icons.find((icon) => icon.startsWith('data:image/')),
  }
}
