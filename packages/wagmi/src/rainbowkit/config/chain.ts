import type { Chain as ViemChain } from 'viem'

/** A chain of the app, with the icon that buttons of the app can show. */
export type Chain = ViemChain & {
  /** Only a text has an effect: functions that load an icon are not called. */
  iconUrl?: string | (() => Promise<string>) | null
  iconBackground?: string
}
