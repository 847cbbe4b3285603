import type { WalletListEntry } from '@latchkey/protocol'
import type { Environment } from './environment.ts'

/** A download link of a wallet. */
export type Download = { kind: 'browser' | 'ios' | 'android' | 'website'; href: string }

/** Returns the download links of a wallet for this device. On a desktop, the links for phones are included. */
export function downloadsOf(wallet: WalletListEntry, { system }: Environment): readonly Download[] {
  const links = {
    browser: system === 'desk' ? wallet.chrome_store : undefined,
    ios: system === 'android' ? undefined : wallet.app_store,
    android: system === 'ios' ? undefined : wallet.play_store,
    website: wallet.homepage,
  }
  return (['browser', 'ios', 'android', 'website'] as const).flatMap((kind) => {
    const href = links[kind]
    return href !== undefined && /^https?:\/\//i.test(href) ? [{ kind, href }] : []
  })
}
